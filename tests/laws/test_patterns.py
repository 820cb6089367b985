import gc
import pkgutil
from importlib import import_module

import bot
import context_graph
import forecasting
import gonogo
import heuristics
from gonogo.pattern import LaterPattern

PACKAGES = (gonogo, bot, context_graph, heuristics, forecasting)


def test_every_pattern_compiles():
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__") and ".migrations." not in module.name:  # Alembic runs those
                import_module(module.name)
    patterns = [thing for thing in gc.get_objects() if isinstance(thing, LaterPattern) and thing.pattern != "("]

    assert len(patterns) > 300
    assert all(isinstance(each.flags, int) for each in patterns)
