"""What a statement does on the server: locks, blocked reads and writes, rewrites, scans and errors, as measured."""
