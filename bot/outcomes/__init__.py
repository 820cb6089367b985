"""What became of what was judged: incidents that were prevented, and whether a verdict was right after the merge."""
