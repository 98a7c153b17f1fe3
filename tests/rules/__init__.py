"""The rules page as tests: each is named after the rule that it shows."""
