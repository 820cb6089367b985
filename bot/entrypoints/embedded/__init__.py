"""`gonogo serve --embedded`: everything in one process and its children, for a trial or a small team."""
