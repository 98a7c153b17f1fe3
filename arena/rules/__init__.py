"""The rules of both games, beside the rulebook's own order: options and set-ups, night, day, vote, victory."""
