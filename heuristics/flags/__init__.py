"""Switches in code and configuration that a change turns, and what stands behind them."""
