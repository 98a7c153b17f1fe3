"""A game to look at: its events as frames for one pair of eyes, the page that shows them, and the page as one file."""
