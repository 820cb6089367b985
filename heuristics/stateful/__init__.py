"""Resources that hold state: what replaces or deletes them, and what shortens how long they keep it."""
