"""postgast without its typed wrappers: a class for every node of the grammar, a fifth of a second to load, and not used here."""

import sys
from importlib.util import find_spec, module_from_spec

_PACKAGES = ("postgast", "postgast.nodes")


def load_lean() -> None:
    """Let `postgast.parse` and its like be imported one by one. Changes nothing when postgast is loaded already.

    Importing a module runs its package first, and the packages of postgast import all there is; here their place is taken by
    the same packages, not yet run.
    """
    for name in _PACKAGES:
        if name not in sys.modules and (spec := find_spec(name)) is not None:
            sys.modules[name] = module_from_spec(spec)
