"""Reads every cited source again: one checker a kind; the meaning of the answers is gonogo.trajectory.status_of."""
