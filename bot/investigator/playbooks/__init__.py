"""One file a kind of failure; the registry says in which order they are tried."""
