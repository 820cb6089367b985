"""placeholder"""
from heuristics.sql.model.draft import Scene
from heuristics.sql.words import Effect, Operation
def mysql_effect(op: Operation, scene: Scene, *, is_mariadb: bool) -> tuple[Effect, str | None]:
    return Effect(), None
