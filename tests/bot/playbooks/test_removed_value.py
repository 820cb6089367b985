"""Members that an enumeration loses while values from outside are made into it."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

PYTHON = 'from enum import Enum\n\n\nclass State(str, Enum):\n    OPEN = "open"\n    HELD = "held"\n'
JAVA = "public enum State {\n    OPEN,\n    HELD,\n    DONE\n}\n"
TYPESCRIPT = 'import { z } from "zod";\nexport const State = z.enum([\n  "open",\n  "held",\n]);\n'


def _statuses(enumeration: tuple[str, str, str], reader: tuple[str, str]) -> list[Status]:
    path, before, after = enumeration
    production = MemoryProduction("github:acme/shop")
    api = production.resource("kubernetes:prod/shop/deployment/api", "kubernetes.deployment", "api", is_deployed=True)
    production.metric(api, "http_requests_per_second", "Count/Second", 12)
    evaluation = evaluation_of({path: before, reader[0]: reader[1]}, {path: after}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-value"]


LOSES = ("app/state.py", PYTHON, PYTHON.replace('    HELD = "held"\n', ""))


@pytest.mark.parametrize(
    ("enumeration", "reader"),
    [
        (LOSES, ("app/store.py", "from .state import State\n\n\ndef rows(cur):\n    return [State(r[0]) for r in cur]\n")),
        (LOSES, ("app/models.py", "from .state import State\n\n\nclass Order(Base):\n    state: Mapped[State] = mapped_column()\n")),
        (
            ("src/State.java", JAVA, JAVA.replace("    HELD,\n", "")),
            ("src/Store.java", "class Store {\n  State read(ResultSet r) throws Exception {\n    return State.valueOf(r.getString(1));\n  }\n}\n"),
        ),
        (
            ("src/state.ts", TYPESCRIPT, TYPESCRIPT.replace('  "held",\n', "")),
            ("src/store.ts", 'import { State } from "./state";\nexport const of = (row: any) => State.parse(row.state);\n'),
        ),
    ],
)  # fmt: skip
def test_a_member_that_goes_while_stored_values_are_read_is_a_question(
    enumeration: tuple[str, str, str], reader: tuple[str, str]
) -> None:
    assert _statuses(enumeration, reader) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    "code",
    [
        "from .state import State\n\nDEFAULT = State.OPEN\n",
        "from .state import State\n\n\ndef of(v):\n    try:\n        return State(v)\n    except ValueError:\n        return State.OPEN\n",
        'from .state import State\n\n\ndef of(v):\n    return State("open" if v == "held" else v)\n',
    ],
)
def test_code_that_makes_no_member_or_copes_is_silent(code: str) -> None:
    assert _statuses(LOSES, ("app/store.py", code)) == []


def test_a_member_that_is_only_renamed_is_silent() -> None:
    renamed = ("app/state.py", PYTHON, PYTHON.replace("HELD =", "ON_HOLD ="))

    assert _statuses(renamed, ("app/store.py", "from .state import State\n\n\ndef of(v):\n    return State(v)\n")) == []
