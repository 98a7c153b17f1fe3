"""Tests of table manners: each measure against hand-made speeches, against chance, and on whole games."""
