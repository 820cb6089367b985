"""What another base takes from a program: a table to look its code up in, and the lines that are concerned."""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place
from heuristics.code import is_ci_path, is_example_path, is_production_code, is_test_path, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.code.word_sets import words
from heuristics.dependencies.bases import Base, runs_on, stages_in
from heuristics.dependencies.bumps import bumps
from heuristics.dependencies.pins import Version
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere


class BaseBreak(Record):
    """One thing that OpenSSL 3 refuses. A line of code with one of the `words` that `pattern` matches may need it."""

    what: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    question: str
    query: str
    instead: str
    is_certain: bool = False
    """True where the call fails whatever the other side does."""


class BaseChange(Record):
    """A program that gets another base: the line that says so, the two in words, and who refuses from now on."""

    place: Place
    old_text: str
    new_text: str
    by: str = "OpenSSL 3"
    declared: Declared | None = None

    @property
    def what(self) -> str:
        """The step in words."""
        return "OpenSSL 1.1 becomes OpenSSL 3" if self.by == "OpenSSL 3" else f"the runtime becomes {self.by}"


class Concerned(Record):
    """A line of code that may need what the new base refuses. `coping` is a line that allows it again."""

    change: BaseChange
    row: BaseBreak
    place: Place
    coping: Place | None


_TLS = pattern(
    r"(?i)PROTOCOL_(?:TLSv1|TLSv1_1|SSLv23|SSLv3)\b|TLSVersion\.(?:TLSv1|TLSv1_1|SSLv3|MINIMUM_SUPPORTED)\b|\bTLSv1(?:[._]1)?(?:_method|_client_method)?\b(?![._]?[123])"
    r"|\bTLS1_(?:1_)?VERSION\b|SslProtocols\.Tls(?:11)?\b(?!\w)|VersionTLS1[01]\b|SECLEVEL=[01]\b|OP_LEGACY_SERVER_CONNECT|unsafe_?legacy|CURL_SSLVERSION_TLSv1(?:_[01])?\b"
)
_OLD_CIPHERS = pattern(
    r"(?i)createHash\(\s*[\"']md4|hashlib\.new\(\s*[\"']md4|Digest::MD4|create(?:De)?[cC]ipher(?:iv)?\(\s*[\"'](?:rc4|rc2|des-(?!ede3)|bf|blowfish|cast5|seed|idea)[\w-]*"
    r"|Cipher(?:\.new|::new)\(\s*[\"'](?:rc4|rc2|des-(?!ede3)|des\b|bf|blowfish|cast5|seed|idea)[\w-]*|openssl_(?:en|de)crypt\([^)]*[\"'](?:rc4|rc2|des-(?!ede3)|bf)[\w-]*"
)
_STORES = pattern(
    r"(?i)load_?pkcs12|load_key_and_certificates|pkcs12\.(?:load|new|parse)|PKCS12\.(?:new|create)|\bpfx\s*[:=]|openssl_pkcs12_read|\.(?:p12|pfx)[\"']"
)
_SELF = pattern(
    r"(?i)SECLEVEL=0|jdk\.tls\.disabledAlgorithms|providers?\s*=\s*legacy|OPENSSL_CONF|--openssl-legacy-provider|legacy_provider"
)

OPENSSL_3: tuple[BaseBreak, ...] = (
    BaseBreak(
        "TLS 1.0 and 1.1",
        ("TLSv1", "TLSv1_1", "PROTOCOL_TLSv1", "PROTOCOL_TLSv1_1", "TLSv1_method", "TLS1_VERSION", "TLS1_1_VERSION", "Tls", "Tls11", "VersionTLS10", "VersionTLS11", "SECLEVEL", "MINIMUM_SUPPORTED", "OP_LEGACY_SERVER_CONNECT", "CURL_SSLVERSION_TLSv1", "CURL_SSLVERSION_TLSv1_0", "CURL_SSLVERSION_TLSv1_1"),
        _TLS, "Which TLS version does the other side of {file} negotiate?", "openssl s_client -connect HOST:443 (from the new image; look at Protocol)",
        "TLS 1.2 on the other side, or the security level 0 for this one connection",
    ),
    BaseBreak(
        "MD4, RC4, DES and Blowfish", ("md4", "MD4", "createHash", "createCipheriv", "createDecipheriv", "createCipher", "Cipher", "openssl_encrypt", "openssl_decrypt", "hashlib"),
        _OLD_CIPHERS, "Does the new image load OpenSSL's legacy provider?", "openssl list -providers (in the new image)", "AES and SHA-256", is_certain=True,
    ),
    BaseBreak(
        "key files that RC2 or 3DES encrypts",
        ("load_pkcs12", "load_key_and_certificates", "pkcs12", "PKCS12", "pfx", "p12", "openssl_pkcs12_read"), _STORES,
        "Which cipher encrypts the key file that {file} loads?", "openssl pkcs12 -info -in FILE -noout (RC2-40 and 3DES are refused without the legacy provider)",
        "a key file that AES encrypts",
    ),
)  # fmt: skip


_JDK_WITHOUT_OLD_TLS: tuple[Version, ...] = ((11,), (17,))
"""A JDK of these releases has TLS 1.0 and 1.1 among `jdk.tls.disabledAlgorithms`; the one before may not."""
_FUNCTION_ON_OPENSSL_3: dict[str, Version] = {"node": (20,), "python": (3, 12), "ruby": (3, 3)}
"""The first runtime of a function on Amazon Linux 2023."""
_JVM = words("java kotlin scala")
_OWN_TLS = _JVM | words("go")
"""Languages that bring a TLS of their own."""


def base_changes(context: RuleContext) -> Iterator[BaseChange]:
    """Programs that get OpenSSL 3 with this change and did not have it before."""
    for file in context.changes.files:
        if not is_dockerfile(file) or not file.base_path or not file.head_path:
            continue
        old, new = (runs_on(text or "") for text in (context.base.text(file.base_path), context.head.text(file.head_path)))
        if old is not None and new is not None and _gets_openssl_3(old, new):
            yield BaseChange(Place(file=file.head_path, line=new.line, side="head"), old.image, new.image)
    for bump in bumps(context):
        if not bump.is_runtime:
            continue
        if bump.name == "java" and any(bump.passes(since) for since in _JDK_WITHOUT_OLD_TLS):
            yield BaseChange(bump.place, bump.old_text, bump.new_text, bump.label, bump.declared)
        first = _FUNCTION_ON_OPENSSL_3.get(bump.name, ()) if bump.declared else (17,) if bump.name == "node" else ()
        if first and bump.passes(first) and not _is_image(bump.place):
            yield BaseChange(bump.place, bump.old_text, bump.new_text, declared=bump.declared)


def _is_image(place: Place) -> bool:
    return _DOCKERFILE.search(place.file) is not None


_DOCKERFILE = pattern(r"(?i)(?:^|/)(?:dockerfile[\w.-]*|[\w.-]+\.dockerfile|containerfile)$")


def is_dockerfile(file: ChangedFile) -> bool:
    """Whether a changed file makes an image that runs in production."""
    path = file.head_path or file.path
    return _DOCKERFILE.search(path) is not None and not (
        is_test_path(path) or is_example_path(path) or is_ci_path(path) or is_elsewhere(path)
    )


def _gets_openssl_3(old: Base, new: Base) -> bool:
    return old.has_openssl_3 is False and new.has_openssl_3 is True


def concerned(context: RuleContext) -> tuple[Concerned, ...]:
    """One line of code for everything that a new base refuses and the code may need."""
    changes = tuple(base_changes(context))
    if not changes:
        return ()
    found: list[Concerned] = []
    for row in OPENSSL_3:
        every = list(_lines(context, row))
        for change in changes:
            is_jdk = change.by != "OpenSSL 3"
            lines = [
                p
                for p in every
                if (language_of(p.file) in (_JVM if is_jdk else CODE_LANGUAGES - _OWN_TLS)) and _is_of(context, change, p)
            ]
            if lines and (not is_jdk or row is OPENSSL_3[0]):
                found.append(Concerned(change, row, lines[0], _coping(context, change, lines)))
    return tuple(found)


def _is_of(context: RuleContext, change: BaseChange, place: Place) -> bool:
    """Whether a Dockerfile beside code of its own is not that of another program of the repository."""
    folder = change.place.file.rpartition("/")[0]
    if not folder or place.file.startswith(f"{folder}/"):
        return True
    return not any(p.startswith(f"{folder}/") and language_of(p) in CODE_LANGUAGES for p in context.head.paths())


def _lines(context: RuleContext, row: BaseBreak) -> Iterator[Place]:
    places = context.head.search(set(row.words))
    found = {(p.file, p.line): p for listed in places.values() for p in listed[:200]}
    for place in (found[key] for key in sorted(found)):
        if language_of(place.file) not in CODE_LANGUAGES or not is_production_code(place.file):
            continue
        lines = (context.head.text(place.file) or "").split("\n")
        line = lines[place.line - 1][:1_000] if place.line <= len(lines) else ""
        if row.pattern.search(line) and not line.lstrip().startswith(("#", "//", "*")):
            yield place


def _coping(context: RuleContext, change: BaseChange, lines: list[Place]) -> Place | None:
    """A line that lowers the security level or loads the legacy provider: beside the use, or in the image."""
    for path in (*dict.fromkeys(p.file for p in lines), change.place.file):
        for number, line in enumerate((context.head.text(path) or "").split("\n"), start=1):
            if _SELF.search(line[:1_000]):
                return Place(file=path, line=number, side="head")
    return None


class NewerLibc(Record):
    """A stage that copies what another one built against a C library that it does not have."""

    place: Place
    built_on: Base
    runs_on: Base
    is_other_kind: bool


_COMPILES = pattern(
    r"(?i)\b(?:cargo\s+build|cargo\s+install|rustc|g\+\+|gcc|clang|cmake|make\b|CGO_ENABLED=1|swift\s+build|stack\s+build|cabal\s+build|go\s+build)"
)
_GO = pattern(r"\bgo build\b")
_STATIC = pattern(r"(?i)-linux-musl|CGO_ENABLED=0|-static\b|target-feature=\+crt-static|-extldflags\W+-static")


def newer_libc(context: RuleContext) -> Iterator[NewerLibc]:
    """Dockerfiles where this change makes the builder's C library newer than that of what runs, or another one."""
    for file in context.changes.files:
        if not is_dockerfile(file) or not file.base_path or not file.head_path:
            continue
        before = {
            (n.built_on.image, n.runs_on.image) for n in _mismatches(context.base.text(file.base_path) or "", file.head_path)
        }
        for found in _mismatches(context.head.text(file.head_path) or "", file.head_path):
            if (found.built_on.image, found.runs_on.image) not in before and not before:
                yield found


def _mismatches(text: str, path: str) -> Iterator[NewerLibc]:
    stages = stages_in(text)
    known = {stage.name: stage for stage in stages} | {str(i): stage for i, stage in enumerate(stages)}
    if len(stages) < 2:
        return
    last = stages[-1]
    for name in last.copies_from:
        builder = known.get(name)
        body = "\n".join(builder.lines) if builder is not None else ""
        if (
            builder is None
            or not _COMPILES.search(body)
            or _STATIC.search(text)
            or (_GO.search(body) and "CGO_ENABLED=1" not in text)
        ):
            continue
        built, runs = builder.base, last.base
        is_other = bool(built.libc and runs.libc and built.libc != runs.libc)
        if is_other or (built.glibc and runs.glibc and built.glibc > runs.glibc):
            yield NewerLibc(Place(file=path, line=built.line, side="head"), built, runs, is_other)
