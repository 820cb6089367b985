"""The pipeline. Read evaluate.py first."""
