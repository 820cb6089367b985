"""Tests of the extra `toto` are collected where it is installed: in .venv-toto, which `make test` makes and runs them in."""

import warnings
from importlib import import_module
from importlib.util import find_spec

collect_ignore_glob = ["test_*.py"]
if find_spec("toto2"):
    collect_ignore_glob = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries about libraries
        import_module("toto2")
