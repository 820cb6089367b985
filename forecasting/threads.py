"""How many threads the arithmetic may use: two, or the one core there is. Four on two cores were measured two to three times slower."""

import os

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS")
"""What libraries of linear algebra read when they are loaded."""


def usable_threads() -> int:
    """Two, or one where the process may run on a single core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(2, cores)


def capped() -> dict[str, str]:
    """The variables that keep a new process to that many."""
    return dict.fromkeys(VARIABLES, str(usable_threads()))
