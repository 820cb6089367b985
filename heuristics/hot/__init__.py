"""Code on the path of requests: which routes reach a line, which calls a change adds there, and how often in one request."""
