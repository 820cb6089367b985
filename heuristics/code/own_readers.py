"""A team's own readers of the environment: `must("KEY")`, `config.need("KEY")`, a loop over the names that must be set.

What such a function does with an absent value is found by putting a literal in the place of its parameter and reading
the file again the way every other read is read.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.guards import Coping, default_text, fails
from heuristics.code.reads_found import NAME, Found, soft, strict
from heuristics.code.syntax import Node
from heuristics.code.views import STRING_KINDS, Call, call_of, calls_in, definition_name, is_function, string_of
from heuristics.code.word_sets import words

STAND_IN = "GONOGO_OWN_READER"
_FUNCTIONS_LIMIT = 8
_READER_SIZE = 4_000
_FILE_SIZE = 300_000
_LOOPS_LIMIT = 6
_ENVIRONMENT = pattern(
    r"[gG]et_?[eE]nv|LookupEnv|environ\b|process\??\.env|import\.meta\.env|Deno\.env|Bun\.env|\bENV\b|env::var|GetEnvironmentVariable|fetch_env|\$_ENV|\benv\(|[eE]nvironment"
)
_PARAMETERS = (
    "parameters", "formal_parameters", "function_value_parameters", "method_parameters", "parameter_list", "lambda_parameters",
    "block_parameters",
)  # fmt: skip
_IDENTIFIERS = words("identifier simple_identifier variable_name")
_GENERIC = words("get read load fetch find has lookup value of from string")
_OWN_RECEIVER = pattern(r"(?i)^(self|this|cls|static|\w*(env|config|cfg|conf|settings|secrets|options|util\w*|helpers?)\w*)$")
_BLOCKS = words("block do_block")
_LOOPS = words("for_statement for_in_statement foreach_statement enhanced_for_statement for_each_statement for_expression")

Reading = Callable[[str], Iterator[Found]]
"""Reads a whole text of the same language."""


class OwnReader(Record):
    """One function that reads the environment under the name in one of its parameters."""

    name: str
    position: int
    coping: Coping
    is_strict: bool
    fallback: int | None
    """The position of the parameter that is used when the variable is absent."""
    fails_without_fallback: bool

    def read(self, call: Call) -> Iterator[Found]:
        """What a call of it reads."""
        given = call.positional(self.position)
        name = string_of(given) if given is not None else None
        if name is None or not NAME.fullmatch(name):
            return
        second = call.positional(self.fallback) if self.fallback is not None else None
        second = second or call.argument("default") or call.argument("fallback")
        if self.is_strict:
            yield from strict(name, call.node)
        elif second is not None and self.coping.requirement == "default":
            yield Found(name, call.node, Coping("default", default_text(second)))
        elif self.fallback is not None and self.coping.requirement == "default":
            yield from (strict if self.fails_without_fallback else soft)(name, call.node)
        elif self.coping.requirement == "required":
            yield from soft(name, call.node)
        else:
            yield Found(name, call.node, self.coping)


def own_readers(root: Node, reading: Reading) -> tuple[OwnReader, ...]:
    """The functions of a file that read the environment under a name that they are given."""
    found: list[OwnReader] = []
    small = [n for n in root.walk() if n.end - n.start < _READER_SIZE and is_function(n) and _ENVIRONMENT.search(n.text)]
    for function in small[:_FUNCTIONS_LIMIT] if len(root.source) < _FILE_SIZE else ():
        name, names = definition_name(function), _parameters(function)
        if name is None or not names:
            continue
        for position, parameter in enumerate(names[:3]):
            made = _told(function, parameter, reading)
            if made is None:
                continue
            others = [p for p in range(len(names)) if p != position]
            fallback = next((p for p in others if p > position), None) if made.coping.default is None else None
            is_strict = made.is_strict or made.coping.is_deliberate
            found.append(OwnReader(name, position, made.coping, is_strict, fallback, _may_fail(function)))
            break
    return tuple(found)


def reads_by(root: Node, readers: Collection[OwnReader]) -> Iterator[Found]:
    """The reads that calls of these functions make."""
    by_name = {reader.name.rstrip("!?"): reader for reader in readers}
    for call in calls_in(root) if by_name else ():
        reader = by_name.get(call.name)
        if reader is not None and _is_own(call.callee, reader.name):
            yield from reader.read(call)


def reads_in_loops(root: Node, reading: Reading) -> Iterator[Found]:
    """`for name in ("A", "B"): if not os.environ.get(name): raise`: every name of the list is needed."""
    if len(root.source) >= _FILE_SIZE:
        return
    loops = [n for n in root.walk() if n.end - n.start < _READER_SIZE and (n.kind in _LOOPS or _is_each(n))]
    for loop in [n for n in loops if _ENVIRONMENT.search(n.text)][:_LOOPS_LIMIT]:
        for variable in _variables(loop):
            items = _items(root, loop)
            made = _told(loop, variable, reading) if items else None
            if made is not None and (made.is_strict or made.coping.is_deliberate):
                yield from (
                    Found(name, item, Coping("required", is_deliberate=True), is_strict=True)
                    for item in items
                    if (name := item.text if item.kind == "bare_string" else string_of(item)) is not None
                    and re.fullmatch(r"[A-Z][A-Z0-9_]+", name)
                )
                break


def _may_fail(function: Node) -> bool:
    return fails(function) or any(fails(n) for n in function.walk() if n.kind.startswith(("if", "unless")) and n.is_named)


def _told(around: Node, parameter: str, reading: Reading) -> Found | None:
    """How the code copes when the parameter names a variable that is absent; None when it does not name one."""
    if not any(parameter in around.text[max(0, m.start() - 120) : m.end() + 120] for m in _ENVIRONMENT.finditer(around.text)):
        return None
    places = [
        n
        for n in around.walk()
        if n.kind in _IDENTIFIERS and n.text == parameter and (n.parent is None or n.parent.kind not in _IDENTIFIERS)
        and not _is_other_word(n, around)
    ]  # fmt: skip
    if not places or len(places) > 40:
        return None
    text, shift = around.text, -around.start
    literal = f'"{STAND_IN}"'
    for place in places:
        text = text[: place.start + shift] + literal + text[place.end + shift :]
        shift += len(literal) - (place.end - place.start)
    found = [f for f in reading(_alone(text, around.source)) if f.name == STAND_IN]
    return next((f for f in found if f.is_strict or f.coping.is_deliberate), next(iter(found), None))


def _alone(text: str, source: str) -> str:
    """A function or loop as a file of its own: a class or a package around it, where its language wants one."""
    if re.search(r"(?m)^package \w+\s*$", source) and "func " in source:
        return f"package main\n{text}\n" if text.startswith("func") else f"package main\nfunc main() {{\n{text}\n}}\n"
    if re.match(r"(?:\{|do)\s*\|", text):  # a block of Ruby
        return f"each {text}\n"
    if source.lstrip().startswith("<?php"):
        return f"<?php\n{text}\n"
    if re.search(r"(?m)^\s*(?:[\w@]+\s+)*(?:class|record|object)\s+\w+[^:\n]*\{", source) and re.match(
        r"\s*(?:public|private|protected|internal|static|final|\w+\s+\w+\()", text
    ):
        return f"class Alone {{\n{text}\n}}\n"
    return text


def _is_other_word(node: Node, around: Node) -> bool:
    """A declaration, an attribute of that name, the name of a keyword argument, or a word inside a text."""
    if node.source[max(0, node.start - 1) : node.start] == "." and node.source[max(0, node.start - 3) : node.start] != "...":
        return True
    child = node
    for parent in node.ancestors():
        if (
            parent.kind in STRING_KINDS
            or parent.kind in _PARAMETERS
            or parent.kind.endswith(("parameter", "parameter_declaration"))
        ):
            return True
        if parent.kind == "keyword_argument" and parent.named and parent.named[0] is child:
            return True
        if parent is around:
            declared = {id(n) for key in ("left", "name", "pattern", "parameter") if (n := around.field(key)) is not None}
            return id(child) in declared or child.kind in ("range_clause", "variable_declarator")
        child = parent
    return False


def _parameters(function: Node) -> list[str]:
    """The names of the parameters, in order, without the receiver."""
    single = function.field("parameter")
    if single is not None:
        return [single.text]
    holder = function.field("parameters") or function.child(*_PARAMETERS)
    if holder is None and function.kind == "call":  # Elixir: def name(key), do: ...
        head = function.child("arguments")
        inner = head.named[0] if head is not None and head.named else None
        holder = inner.child("arguments") if inner is not None else None
    found: list[str] = []
    for part in holder.named if holder is not None else ():
        named = part.field("name") or part.field("pattern")
        if part.kind in _IDENTIFIERS:
            found.append(part.text)
        elif part.kind == "parameter_declaration":  # Go: a, b string
            found += [c.text for c in part.named if c.kind == "identifier"]
        elif named is not None and named.kind in _IDENTIFIERS:
            found.append(named.text)
        else:
            first = part.child(*_IDENTIFIERS)
            if first is not None:
                found.append(first.text)
    return [name for name in found if name not in ("self", "cls", "this")]


def _is_own(callee: str, name: str) -> bool:
    bare = name.rstrip("!?")
    receiver = re.sub(rf"[.:>?!-]*{re.escape(bare)}[!?]*$", "", callee)
    if not receiver or bare.lower() not in _GENERIC:
        return True
    return _OWN_RECEIVER.match(re.split(r"[.:>]+", receiver)[-1].lstrip("$@")) is not None


def _is_each(node: Node) -> bool:
    return (is_function(node) or node.kind in _BLOCKS) and any(
        re.search(r"\.(forEach|each|filter|map|reject|select|find|some)$", c.callee) is not None
        for parent in [*node.ancestors()][:3]
        if parent.kind in ("call_expression", "call") and (c := call_of(parent)) is not None
    )


def _variables(loop: Node) -> Sequence[str]:
    if is_function(loop) or loop.kind in _BLOCKS:
        return _parameters(loop)[:1]
    holder = loop.field("left") or loop.field("name") or loop.field("pattern") or loop.child("range_clause")
    if holder is None:
        return ()
    left = holder.field("left") or holder
    return [n.text for n in left.walk() if n.kind in _IDENTIFIERS][:2]


def _items(root: Node, loop: Node) -> list[Node]:
    """The texts of the list that a loop goes through: written there, or under a name of the file."""
    source = loop.field("right") or loop.field("value") or loop.field("collection")
    clause = loop.child("range_clause")
    source = clause.field("right") if clause is not None else source
    if source is None and (is_function(loop) or loop.kind in _BLOCKS):
        outer = next((p for p in loop.ancestors() if p.kind in ("call_expression", "call")), None)
        source = outer.named[0] if outer is not None and outer.named else None
    if source is None:
        return []
    written = _texts(source)
    if written:
        return written
    name = re.split(r"[.(]", source.text)[0].lstrip("&")
    for declared in root.walk():
        if (
            declared.kind in ("variable_declarator", "assignment", "short_var_declaration", "var_spec", "const_spec", "property_declaration", "static_item", "const_item")
            and declared.named and re.split(r"[\s:=]", declared.named[0].text)[0] == name
        ):  # fmt: skip
            return _texts(declared)
    return []


def _texts(node: Node) -> list[Node]:
    return [n for n in node.walk() if n.kind == "bare_string" or (n.kind in STRING_KINDS and string_of(n))]
