"""Engine against oracle: two implementations of the rules that share nothing but the rules page."""
