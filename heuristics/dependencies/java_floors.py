"""Java libraries whose classes an older Java cannot load: a build with a newer JDK passes, and the program fails when it starts.

Each number is the one that the library's release notes give for its major. Other languages refuse such a library when it
is installed, which is before anything is deployed, so they have no row.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_test_path
from heuristics.dependencies.pins import Version, version_of
from heuristics.rule import RuleContext

_FLOORS: tuple[tuple[str, Version, int], ...] = (
    (r"com\.github\.ben-manes\.caffeine:.+", (3,), 11),
    (r"org\.springframework\.boot:.+", (3,), 17),
    (r"org\.springframework:spring-.+", (6,), 17),
    (r"org\.hibernate\.orm:hibernate-core", (6,), 11),
    (r"org\.hibernate\.orm:hibernate-core", (7,), 17),
    (r"ch\.qos\.logback:logback-(?:core|classic)", (1, 4), 11),
    (r"org\.flywaydb:flyway-core", (10,), 17),
    (r"org\.eclipse\.jetty:jetty-server", (10,), 11),
    (r"org\.eclipse\.jetty:jetty-server", (12,), 17),
    (r"org\.apache\.kafka:kafka-(?:clients|streams)", (4,), 11),
    (r"com\.zaxxer:hikaricp", (5,), 11),
    (r"org\.apache\.lucene:lucene-core", (9,), 11),
    (r"org\.apache\.lucene:lucene-core", (10,), 21),
    (r"org\.apache\.tomcat\.embed:tomcat-embed-core", (10, 1), 11),
    (r"org\.apache\.tomcat\.embed:tomcat-embed-core", (11,), 17),
)
_BLOCK = pattern(r"(?s)<(dependency|parent)>(.*?)</\1>")
_GRADLE = pattern(
    r"\b(?:implementation|api|runtimeOnly|compile)\b[\s(]*(?:platform\()?[\"']([\w.-]+):([\w.-]+):(\d[\w.-]*)[\"']"
    r"|\bid[\s(]+[\"'](org\.springframework\.boot)[\"']\)?\s+version\s+[\"'](\d[\w.-]*)[\"']"
)
_TARGET = pattern(
    r"<(?:maven\.compiler\.(?:release|target)|java\.version)>\s*(?:1\.)?(\d+)\s*<|\b(?:targetCompatibility|options\.release)\b\D{0,40}?(?:1[._])?(\d+)\b"
)


class JavaNeed(Record):
    """A version of a build file that asks for Java of at least `java`, and did not before."""

    label: str
    old_text: str
    java: int
    place: Place


def java_needs(context: RuleContext) -> tuple[JavaNeed, ...]:
    """What the build files of the change ask of Java from now on."""
    return tuple(_needs(context))


def _needs(context: RuleContext) -> Iterator[JavaNeed]:
    for file in context.changes.files:
        if not file.base_path or not file.head_path or not file.hunks or is_test_path(file.path):
            continue
        before = _pins(file.base_path, context.base.text(file.base_path) or "")
        for name, (text, line) in _pins(file.head_path, context.head.text(file.head_path) or "").items():
            old, new = before.get(name), version_of(text)
            was = version_of(old[0]) if old is not None else None
            if old is None or was is None or new is None or was == new:
                continue
            floor, earlier = _floor(name, new), _floor(name, was)
            if floor > earlier:
                place = Place(file=file.head_path, line=line, side="head")
                yield JavaNeed("the bytecode" if name == _OWN else f"{name.split(':')[1]} {text}", old[0], floor, place)


_OWN = "own:classes"


def _floor(name: str, version: Version) -> int:
    if name == _OWN:
        return version[0]
    return max((java for row, since, java in _FLOORS if re.fullmatch(row, name) and version >= since), default=0)


def _pins(path: str, text: str) -> dict[str, tuple[str, int]]:
    name = PurePosixPath(path).name
    if len(text) > 500_000 or not (name == "pom.xml" or name.startswith("build.gradle")):
        return {}
    found: dict[str, tuple[str, int]] = {}
    for target in _TARGET.finditer(text):
        found[_OWN] = (target[1] or target[2], _line(text, target.start()))
    if name != "pom.xml":
        for m in _GRADLE.finditer(text):
            label, written = (f"{m[1]}:{m[2]}", m[3]) if m[1] else (f"{m[4]}:spring-boot", m[5])
            found[label.lower()] = (written, _line(text, m.start()))
        return found
    for block in _BLOCK.finditer(text):
        parts = {key: re.search(rf"<{key}>\s*([^<\s]+)\s*<", block[2]) for key in ("groupId", "artifactId", "version", "scope")}
        group, artifact, version, scope = parts["groupId"], parts["artifactId"], parts["version"], parts["scope"]
        if group is None or artifact is None or version is None or (scope is not None and scope[1] in ("test", "provided")):
            continue
        written, at = version[1], block.start(2) + version.start(1)
        if variable := re.fullmatch(r"\$\{([\w.-]+)\}", written):
            kept = re.search(rf"<{re.escape(variable[1])}>\s*([^<\s]+)\s*<", text)
            if kept is None:
                continue
            written, at = kept[1], kept.start(1)
        found[f"{group[1]}:{artifact[1]}".lower()] = (written, _line(text, at))
    return found


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
