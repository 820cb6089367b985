"""Resources that hold state and go."""
