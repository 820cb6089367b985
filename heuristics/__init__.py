"""Deterministic signals read off a change; pure."""
