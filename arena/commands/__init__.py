"""The commands of ``tianhei``, by what they are for. What one needs is imported when it runs."""
