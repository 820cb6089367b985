"""Which versions a repository asks for: run-time libraries in package files, language runtimes in images and version files."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, cast

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code import is_ci_path, is_example_path, is_test_path

Version = tuple[int, ...]


class Pin(Record):
    """One version that a file asks for. `ecosystem` is `python`, `node`, `ruby`, `java` or `php`; a runtime is called like it."""

    ecosystem: str
    name: str
    version: Version
    text: str
    line: int


def pins_in(path: str, text: str) -> tuple[Pin, ...]:
    """The run-time pins of one file; development and test dependencies are none. Empty for any other file."""
    name = PurePosixPath(path).name
    if is_test_path(path) or is_example_path(path) or is_ci_path(path) or len(text) > 500_000:
        return ()
    reader = next((read for pattern, read in _READERS if re.fullmatch(pattern, name)), None)
    return () if reader is None else tuple(reader(text))


def version_of(text: str) -> Version | None:
    """The first version in a requirement: `^4.6.13`, `~> 7.1`, `>=2,<3`, `v18`, `3.12-slim`."""
    found = re.search(r"(?<![\w.])v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?", text[:200])
    return None if found is None else tuple(int(part) for part in found.groups() if part is not None)


def package_name(name: str) -> str:
    """A name as the registries compare it."""
    return re.sub(r"[-_.]+", "-", name.lower()) if not name.startswith("@") else name.lower()


def _pin(ecosystem: str, name: str, written: str, line: int) -> Iterator[Pin]:
    version = version_of(written)
    if version is not None:
        yield Pin(ecosystem, package_name(name), version, written.strip(), line)


def _line_of(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _package_json(text: str) -> Iterator[Pin]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(document, dict):
        return
    for name, written in _strings(cast("dict[str, Any]", document).get("dependencies")):
        line = _line_of(text, rf'"{re.escape(name)}"\s*:\s*"{re.escape(written)}"')
        yield from _pin("node", name, written, line)
    for name, written in _strings(cast("dict[str, Any]", document).get("engines")):
        if name == "node":
            yield from _pin("node", "node", written, _line_of(text, rf'"node"\s*:\s*"{re.escape(written)}"'))


def _composer_json(text: str) -> Iterator[Pin]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    required = cast("dict[str, Any]", document).get("require") if isinstance(document, dict) else None
    for name, written in _strings(required):
        line = _line_of(text, rf'"{re.escape(name)}"\s*:\s*"{re.escape(written)}"')
        yield from _pin("php", name, written, line)


def _strings(found: Any) -> list[tuple[str, str]]:
    if not isinstance(found, dict):
        return []
    return [(k, v) for k, v in cast("dict[str, Any]", found).items() if isinstance(v, str)]


_REQUIREMENT = pattern(r"\s*([A-Za-z0-9][\w.-]{0,100})\s*(?:\[[^\]]{0,200}\])?\s*((?:[=~<>!]=?=?|@)[^;#]{0,200})")


def _requirements(text: str) -> Iterator[Pin]:
    for line, raw in enumerate(text.split("\n"), start=1):
        found = _REQUIREMENT.match(raw[:400])
        if found:
            yield from _pin("python", found[1], found[2], line)


def _pyproject(text: str) -> Iterator[Pin]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    listed = _table(document, "project").get("dependencies")
    for item in cast("list[Any]", listed) if isinstance(listed, list) else []:
        found = _REQUIREMENT.match(item[:400]) if isinstance(item, str) else None
        if found and isinstance(item, str):
            yield from _pin("python", found[1], found[2], _line_of(text, re.escape(item)))
    for name, value in _table(_table(document, "tool"), "poetry").get("dependencies", {}).items():
        yield from _toml_pin(text, name, value)


def _pipfile(text: str) -> Iterator[Pin]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    for name, value in _table(document, "packages").items():
        yield from _toml_pin(text, name, value)


def _toml_pin(text: str, name: str, value: Any) -> Iterator[Pin]:
    written = cast("dict[str, Any]", value).get("version") if isinstance(value, dict) else value
    if isinstance(written, str):
        line = _line_of(text, rf"(?m)^\s*[\"']?{re.escape(name)}[\"']?\s*=[^\n]*{re.escape(written)}")
        yield from _pin("python", name, written, line)


def _table(document: dict[str, Any], key: str) -> dict[str, Any]:
    found = document.get(key)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _gemfile(text: str) -> Iterator[Pin]:
    is_dev = False
    for line, raw in enumerate(text.split("\n"), start=1):
        if re.match(r"\s*group\b.*\bdo\b", raw):
            is_dev = re.search(r":production|:default", raw) is None
        elif re.match(r"end\b", raw):
            is_dev = False
        found = re.match(r"\s*gem\s+[\"']([\w-]{1,100})[\"']\s*,\s*[\"']([^\"']{1,60})[\"'](.{0,200})", raw)
        if found and not is_dev and not re.search(r"groups?:\s*\[?:?(test|development)|:(test|development)", found[3]):
            yield from _pin("ruby", found[1], found[2], line)
        if runtime := re.match(r"\s*ruby\s+[\"']([^\"']{1,40})[\"']", raw):
            yield from _pin("ruby", "ruby", runtime[1], line)


_IMAGES = {
    "python": "python", "node": "node", "nodejs": "node", "ruby": "ruby", "php": "php", "openjdk": "java", "eclipse-temurin": "java",
    "amazoncorretto": "java", "java": "java", "ibm-semeru-runtimes": "java", "uvicorn-gunicorn-fastapi": "python", "buildpack-deps": "",
}  # fmt: skip


def _dockerfile(text: str) -> Iterator[Pin]:
    """The image of the last stage: what runs."""
    arguments: dict[str, str] = {}
    stages: dict[str, Pin] = {}
    last: Pin | None = None
    for line, raw in enumerate(text.split("\n"), start=1):
        if found := re.match(r"(?i)\s*ARG\s+(\w+)=[\"']?([\w.\-]{1,60})", raw):
            arguments[found[1]] = found[2]
        found = re.match(r"(?i)\s*FROM\s+(?:--\S+\s+)?(\S{1,300})(?:\s+AS\s+(\S+))?", raw)
        if not found:
            continue
        image = re.sub(r"\$\{?(\w+)(?::-[^}]*)?\}?", lambda m: arguments.get(m[1], ""), found[1])
        label, _, tag = image.partition("@")[0].rpartition(":")
        runtime = _IMAGES.get((label or tag).rpartition("/")[2].lower(), "")
        version = version_of(tag) if label else None
        if found[1].lower() in stages:
            last = stages[found[1].lower()]
        else:
            last = Pin(runtime, runtime, version, image, line) if runtime and version else None
        if found[2] and last is not None:
            stages[found[2].lower()] = last
    if last is not None:
        yield last


def _version_file(runtime: str):  # noqa: ANN202 - a reader
    def read(text: str) -> Iterator[Pin]:
        first = text.strip().split("\n")[0].removeprefix(f"{runtime}-") if text.strip() else ""
        yield from _pin(runtime, runtime, first, 1)

    return read


_READERS = (
    (r"package\.json", _package_json),
    (r"composer\.json", _composer_json),
    (r"(?!.*(dev|test|lint|docs?|ci|build|local))[\w.-]*(requirements|constraints)[\w.-]*\.(txt|in)", _requirements),
    (r"base\.txt|prod(uction)?\.txt", _requirements),
    (r"pyproject\.toml", _pyproject),
    (r"Pipfile", _pipfile),
    (r"Gemfile", _gemfile),
    (r"(?i)dockerfile[\w.-]*|[\w.-]+\.dockerfile|containerfile", _dockerfile),
    (r"\.nvmrc|\.node-version", _version_file("node")),
    (r"\.python-version|runtime\.txt", _version_file("python")),
    (r"\.ruby-version", _version_file("ruby")),
)
