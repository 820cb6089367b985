"""Libraries and runtimes that move to a version which takes something away."""
