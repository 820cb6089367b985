"""The words that every part of gonogo shares: frozen types and pure decisions, no I/O."""

__version__ = "0.1.0"
