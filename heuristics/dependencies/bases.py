"""What stands under a program: the distribution of its image, with its OpenSSL and its C library."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.dependencies.pins import Version, version_of

_CODENAMES: dict[str, tuple[str, Version]] = {
    "jessie": ("debian", (8,)), "stretch": ("debian", (9,)), "buster": ("debian", (10,)), "bullseye": ("debian", (11,)),
    "bookworm": ("debian", (12,)), "trixie": ("debian", (13,)),
    "xenial": ("ubuntu", (16, 4)), "bionic": ("ubuntu", (18, 4)), "focal": ("ubuntu", (20, 4)), "jammy": ("ubuntu", (22, 4)), "noble": ("ubuntu", (24, 4)),
}  # fmt: skip
_NAMED = pattern(
    r"(?i)(?<![a-z])(?P<name>debian|ubuntu|alpine|amazonlinux|rockylinux|rocky|almalinux|centos|oraclelinux|ubi|fedora|al)[-:]?(?P<version>\d{1,4}(?:\.\d{1,2})?)"
)
_FAMILY = {
    "rockylinux": "rhel", "rocky": "rhel", "almalinux": "rhel", "centos": "rhel", "oraclelinux": "rhel", "ubi": "rhel", "amazonlinux": "amazon", "al": "amazon",
}  # fmt: skip
_OPENSSL_3: dict[str, Version] = {
    "debian": (12,), "ubuntu": (22, 4), "alpine": (3, 17), "rhel": (9,), "amazon": (2022,), "fedora": (36,), "node": (17,),
}  # fmt: skip
"""The first release of each that ships OpenSSL 3; Node.js brings its own."""
_GLIBC: dict[str, tuple[tuple[Version, Version], ...]] = {
    "debian": (((10,), (2, 28)), ((11,), (2, 31)), ((12,), (2, 36)), ((13,), (2, 41))),
    "ubuntu": (((18, 4), (2, 27)), ((20, 4), (2, 31)), ((22, 4), (2, 35)), ((24, 4), (2, 39))),
    "rhel": (((7,), (2, 17)), ((8,), (2, 28)), ((9,), (2, 34)), ((10,), (2, 39))),
    "amazon": (((2,), (2, 26)), ((2023,), (2, 34))),
}


class Base(Record):
    """The image that a stage starts from. `distribution` is empty when its name does not tell."""

    image: str
    line: int
    distribution: str = ""
    release: Version = ()
    node: Version = ()

    @property
    def has_openssl_3(self) -> bool | None:
        """Whether programs get OpenSSL 3 or later; None when the image does not tell."""
        if self.node:
            return self.node >= _OPENSSL_3["node"]
        since = _OPENSSL_3.get(self.distribution)
        return None if since is None or not self.release else self.release >= since

    @property
    def libc(self) -> str:
        """`musl`, `glibc`, or empty when the image does not tell."""
        return "musl" if self.distribution == "alpine" else "glibc" if self.distribution else ""

    @property
    def glibc(self) -> Version:
        """The version of glibc, empty when it is not known."""
        known = [version for release, version in _GLIBC.get(self.distribution, ()) if release <= self.release]
        return known[-1] if known else ()


class Stage(Record):
    """One stage of a Dockerfile. `copies_from` names the stages that its files come from."""

    name: str
    base: Base
    copies_from: tuple[str, ...]
    lines: tuple[str, ...]


def base_of_image(image: str, line: int) -> Base:
    """What the reference of an image says."""
    label, _, tag = image.partition("@")[0].rpartition(":")
    label, tag = (label, tag) if label and "/" not in tag else (image, "")
    name = label.rpartition("/")[2].lower()
    version = version_of(tag)
    node = version if name in ("node", "nodejs") and version is not None else ()
    parts = re.split(r"[-_.]", tag.lower())
    for part in (*parts, name):
        if part in _CODENAMES:
            return Base(image, line, *_CODENAMES[part], node=node)
    for text in (f"{name}:{tag}", tag, name, image):
        found = _NAMED.search(text.lower())
        if found is not None:
            release = tuple(int(n) for n in found["version"].split("."))
            return Base(image, line, _FAMILY.get(found["name"].lower(), found["name"].lower()), release, node)
    return Base(image, line, "alpine" if "alpine" in (*parts, name) else "", (), node)


def stages_in(text: str) -> tuple[Stage, ...]:
    """The stages of a Dockerfile in their order; a stage that starts from another one has its base."""
    return tuple(_stages(text.split("\n")))


def runs_on(text: str) -> Base | None:
    """What the last stage of a Dockerfile starts from: it is what runs."""
    found = stages_in(text)
    return found[-1].base if found else None


_FROM = pattern(r"(?i)\s*FROM\s+(?:--\S+\s+)?(\S{1,300})(?:\s+AS\s+(\S+))?")


def _stages(lines: list[str]) -> Iterator[Stage]:
    arguments: dict[str, str] = {}
    bases: dict[str, Base] = {}
    starts = [number for number, raw in enumerate(lines, start=1) if _FROM.match(raw)]
    for raw in lines:
        if found := re.match(r"(?i)\s*ARG\s+(\w+)=[\"']?([\w.\-/:]{1,100})", raw):
            arguments[found[1]] = found[2]
    for index, start in enumerate(starts):
        found = _FROM.match(lines[start - 1])
        if found is None:
            continue
        image = re.sub(r"\$\{?(\w+)(?::-[^}]*)?\}?", lambda m: arguments.get(m[1], ""), found[1])
        base = bases.get(image.lower()) or base_of_image(image, start)
        name = (found[2] or str(index)).lower()
        bases[name] = base
        body = lines[start : starts[index + 1] - 1 if index + 1 < len(starts) else len(lines)]
        copied = [m[1].lower() for line in body if (m := re.match(r"(?i)\s*COPY\s+(?:--\S+\s+)*?--from=(\S+)", line))]
        yield Stage(name, base, tuple(dict.fromkeys(copied)), tuple(body))
