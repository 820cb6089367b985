"""bencher: run an agent's benchmark, reproducibly."""

__version__ = "0.1.0"
