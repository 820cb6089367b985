"""Named templates of a Helm chart, worked out as far as names, labels and hosts need it.

`include "shop.fullname" .` is what most charts call their objects and select their pods by. Lookups, conditions and the
text functions that such helpers use are understood (https://helm.sh/docs/chart_template_guide/named_templates/); loops,
files, the cluster and everything that is not listed here are not, and what uses them stays open. Nothing outside of the
chart is looked at, and steps, depth and size are bounded.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from context_graph.manifests.helm_expressions import Call, Expression, Field, Literal, Pipeline, Variable, parse_expression
from context_graph.manifests.helm_functions import FUNCTIONS, fields_of, text_of, truth
from context_graph.manifests.helm_text import Action, Block, Branch, Part, Text, definitions_in
from context_graph.manifests.node import Node
from gonogo.record import Record

RELEASE = "release-name"
"""Stands for the name that is chosen when the chart is installed, as `helm template` writes it."""
MAX_STEPS = 4_000
"""Steps of one expression."""
MAX_TOTAL = 400_000
"""Steps of one chart."""
MAX_CALLS = 24
MAX_TEXT = 20_000


class NotSettledError(Exception):
    """The chart alone does not settle the expression, or it takes too long to tell."""


class Settled(Record):
    """The text of an expression. It is not known when the release has a say in it."""

    text: str
    is_known: bool


class _Root:
    """What `.` and `$` are at the top of a template."""


_ROOT = _Root()
Lookup = Callable[[tuple[str, ...]], object]
"""Plain value below `.Values`; None when there is none."""


class Templates:
    """The named templates of one chart."""

    def __init__(self, texts: Mapping[str, str], chart: Mapping[str, object]) -> None:
        self._named: dict[str, list[Part]] = {}
        for text in texts.values():
            self._named |= definitions_in(text)
        self._chart = {key[:1].upper() + key[1:]: value for key, value in chart.items()}
        self._left = MAX_TOTAL
        self._settled: dict[tuple[str, Lookup], Settled | None] = {}

    def settle(self, action: str, values: Lookup, variables: Mapping[str, str]) -> Settled | None:
        """The text of an action. None when it stays open.

        Where the values leave nothing, the other branches are looked at: what is switched off by default is an object
        of the chart too.
        """
        key = (action, values)
        is_everywhere_the_same = "$" not in action.replace("$.", "")
        if is_everywhere_the_same and key in self._settled:
            return self._settled[key]
        found = self._run(action, values, variables)
        if is_everywhere_the_same:
            self._settled[key] = found
        return found

    def _run(self, action: str, values: Lookup, variables: Mapping[str, str]) -> Settled | None:
        for is_everything_on in (False, True):
            run = _Run(
                self._named, self._chart, values, variables, is_everything_on=is_everything_on, left=min(MAX_STEPS, self._left)
            )
            try:
                text = run.text_of(action)
            except (NotSettledError, RecursionError):
                text = None
            self._left -= run.used
            if text and text.strip():
                return Settled(text, run.is_known and not is_everything_on)
        return None


def text_values(files: Sequence[tuple[str, Node]]) -> Lookup:
    """Looks a path up in the values files, the first one that has it first."""

    def value(path: tuple[str, ...]) -> object:
        found = next((node for _, values in files if path and (node := values.get(*path)) is not None), None)
        return found.json() if found is not None else None

    return value


class _Run:
    def __init__(
        self,
        named: Mapping[str, list[Part]],
        chart: Mapping[str, object],
        values: Lookup,
        variables: Mapping[str, str],
        *,
        is_everything_on: bool,
        left: int,
    ) -> None:
        self._named, self._chart, self._values, self._variables = named, chart, values, variables
        self._is_everything_on = is_everything_on
        self._limit = left
        self.used = 0
        self.is_known = True
        self._includes = 0

    def text_of(self, action: str) -> str:
        return self._shown(action, _ROOT, {}, 0)

    def _shown(self, expression: str, dot: object, local: dict[str, object], depth: int) -> str:
        try:
            return text_of(self._value(parse_expression(expression), dot, local, depth))
        except TypeError as error:
            raise NotSettledError from error

    def _step(self, depth: int) -> None:
        self.used += 1
        if self.used > self._limit or depth > MAX_CALLS:
            raise NotSettledError

    def _value(self, expression: Expression, dot: object, local: dict[str, object], depth: int) -> object:
        self._step(depth)
        if isinstance(expression, Literal):
            return expression.value
        if isinstance(expression, Field):
            return self._field(
                dot if expression.of is None else self._value(expression.of, dot, local, depth + 1), expression.path
            )
        if isinstance(expression, Variable):
            return self._variable(expression.name, local, depth)
        if isinstance(expression, Pipeline):
            held: object = None
            for number, stage in enumerate(expression.stages):
                if number == 0:
                    held = self._value(stage, dot, local, depth + 1)
                elif isinstance(stage, Call):
                    held = self._called(stage, dot, local, depth, last=(held,))
                else:
                    raise NotSettledError
            return held
        if isinstance(expression, Call):
            return self._called(expression, dot, local, depth)
        raise NotSettledError

    def _variable(self, name: str, local: dict[str, object], depth: int) -> object:
        if name == "$":
            return _ROOT
        if name in local:
            return local[name]
        if name in self._variables:
            return self._value(parse_expression(self._variables[name]), _ROOT, {}, depth + 1)
        raise NotSettledError

    def _field(self, of: object, path: tuple[str, ...]) -> object:
        if of is _ROOT:
            if not path:
                return of
            first, rest = path[0], path[1:]
            if first == "Values":
                return self._values(rest)
            if first == "Release" and rest in (("Name",), ("Namespace",)):
                self.is_known = False
                return RELEASE if rest == ("Name",) else "default"
            if first == "Release" and rest == ("Service",):
                return "Helm"
            if first == "Chart" and len(rest) == 1:
                return self._chart.get(rest[0])
            raise NotSettledError
        for number, key in enumerate(path):
            if of is _ROOT:
                return self._field(of, path[number:])
            if not isinstance(of, dict):
                return None
            of = fields_of(cast("object", of)).get(key)
        return of

    def _called(self, call: Call, dot: object, local: dict[str, object], depth: int, last: tuple[object, ...] = ()) -> object:
        self._step(depth)
        given = (*(self._value(argument, dot, local, depth + 1) for argument in call.arguments), *last)
        if call.name in ("include", "template"):
            if len(given) < 1 or not isinstance(given[0], str) or given[0] not in self._named:
                raise NotSettledError
            self._includes += 1
            found = self._rendered(self._named[given[0]], given[1] if len(given) > 1 else None, {}, depth + 1)
            self._includes -= 1
            return found
        if call.name == "tpl" and len(given) == 2 and isinstance(given[0], str) and "{{" not in given[0]:
            return given[0]
        function = FUNCTIONS.get(call.name)
        if function is None:
            raise NotSettledError
        try:
            found = function(given)
        except (TypeError, ValueError, LookupError, StopIteration) as error:
            raise NotSettledError from error
        if isinstance(found, str) and len(found) > MAX_TEXT:
            raise NotSettledError
        return found

    def _rendered(self, parts: list[Part], dot: object, local: dict[str, object], depth: int) -> str:
        found: list[str] = []
        size = 0
        for part in parts:
            self._step(depth)
            piece = self._piece(part, dot, local, depth)
            size += len(piece)
            if size > MAX_TEXT:
                raise NotSettledError
            found.append(piece)
        return "".join(found)

    def _piece(self, part: Part, dot: object, local: dict[str, object], depth: int) -> str:
        if isinstance(part, Text):
            return part.text
        if isinstance(part, Action):
            if part.sets is not None:
                local[part.sets] = self._value(parse_expression(part.expression), dot, local, depth + 1)
                return ""
            return self._shown(part.expression, dot, local, depth + 1)
        if isinstance(part, Block):
            return self._block(part, dot, local, depth)
        raise NotSettledError

    def _block(self, block: Block, dot: object, local: dict[str, object], depth: int) -> str:
        if block.keyword not in ("if", "with"):
            raise NotSettledError
        for branch in block.branches:
            held, is_taken = self._condition(branch, dot, local, depth)
            if is_taken:
                inner = held if block.keyword == "with" and branch.condition is not None else dot
                return self._rendered(branch.parts, inner, local, depth + 1)
        return ""

    def _condition(self, branch: Branch, dot: object, local: dict[str, object], depth: int) -> tuple[object, bool]:
        if branch.condition is None:
            return None, True
        held = self._value(parse_expression(branch.condition), dot, local, depth + 1)
        if branch.sets is not None:
            local[branch.sets] = held
        return held, truth(held) or (self._is_everything_on and self._includes <= 1)
