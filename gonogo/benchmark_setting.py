"""One entry of `benchmarks:` in the configuration: which benchmark is run on the branch and on its base, and what may not get worse."""

from typing import Annotated

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from gonogo.word import Word

_ENVIRONMENT_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = rf"^(?:\*\.)?{_LABEL}(?:\.{_LABEL})*(?::\d{{1,5}})?$"
_SOMETHING = r"\S"

PATTERNS = {
    _ENVIRONMENT_NAME: "is not the name of a variable; only names stand here, the operator sets the values",
    _HOST: "is not a host; write host or host:port, without a scheme and a path",
    _SOMETHING: "must not be empty",
}
"""What is said of text that does not fit."""

EnvironmentName = Annotated[str, Field(pattern=_ENVIRONMENT_NAME, max_length=200)]
Host = Annotated[str, Field(pattern=_HOST, max_length=259)]
NonEmpty = Annotated[str, Field(max_length=1000, pattern=_SOMETHING)]


class Gate(Word):
    """How far one figure of the summary may fall from base to head."""

    metric: NonEmpty
    """A figure of bencher's summary: `accuracy`, `precision`, `f1`, `avg_score` …"""
    max_drop: float = Field(ge=0, allow_inf_nan=False)
    """In the metric's own unit: 0.02 lets an accuracy of 0.80 fall to 0.78."""


class Benchmark(Word):
    """What bencher is called with. A pull request of a fork waits for a maintainer, and gets none of the variables."""

    benchmark: NonEmpty
    """`name@version`, or a path in the repository."""
    agent: NonEmpty = "."
    """The folder of the agent's package in the repository, or anything that pip can install."""
    entry_point: NonEmpty | None = None
    """The agent's name in the group `bencher_agents`; this or `import_path`."""
    import_path: NonEmpty | None = None
    """`package.module:make_agent`; this or `entry_point`."""
    extra_deps: tuple[NonEmpty, ...] = ()
    """Packages, or folders of the repository, that are installed beside the agent."""
    parallelism: int = Field(default=4, ge=1, le=64)
    """How many workers at once."""
    repeats: int = Field(default=1, ge=1, le=100)
    """How often each question is asked."""
    gates: tuple[Gate, ...] = ()
    """What may not get worse; without one the benchmark only reports."""
    env: tuple[EnvironmentName, ...] = ()
    """Names of the variables that the agent gets; the operator sets their values as secrets."""
    hosts: tuple[Host, ...] = ()
    """`host` or `host:port` that the agent may reach; no other."""

    @model_validator(mode="after")
    def _names_the_agent_once(self) -> "Benchmark":
        if (self.entry_point is None) == (self.import_path is None):
            raise PydanticCustomError("agent", "name the agent by exactly one of 'entry_point' and 'import_path'")
        return self
