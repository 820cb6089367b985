"""One file a job: what a queue message, or a verb of the command line, has done."""
