"""Simple forecasters, one idea a file: each turns the history up to an instant into quantiles of what follows it."""
