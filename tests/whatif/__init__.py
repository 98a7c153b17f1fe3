"""What if: forks, swings, probes and reviews."""
