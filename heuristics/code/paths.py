"""What a path says about a file: its language, and whether it can matter to what runs in production."""

import re
from functools import lru_cache
from pathlib import PurePosixPath

from gonogo.pattern import pattern
from heuristics.code.word_sets import words

LANGUAGE_OF_SUFFIX = {
    ".py": "python",
    ".pyi": "python",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".go": "go",
    ".java": "java",
    ".kt": "kotlin",
    ".kts": "kotlin",
    ".rb": "ruby",
    ".ru": "ruby",
    ".rake": "ruby",
    ".gemspec": "ruby",
    ".php": "php",
    ".rs": "rust",
    ".cs": "csharp",
    ".ex": "elixir",
    ".exs": "elixir",
    ".sh": "bash",
    ".bash": "bash",
    ".scala": "scala",
    ".swift": "swift",
    ".c": "c",
    ".h": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".hpp": "cpp",
    ".lua": "lua",
    ".css": "css",
    ".html": "html",
    ".htm": "html",
    ".vue": "html",
    ".svelte": "html",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".json": "json",
    ".jsonc": "json",
    ".json5": "json",
    ".toml": "toml",
    ".tf": "hcl",
    ".hcl": "hcl",
    ".tfvars": "hcl",
    ".sql": "sql",
    ".properties": "properties",
    ".ini": "properties",
    ".conf": "conf",
    ".proto": "proto",
    ".graphql": "graphql",
    ".graphqls": "graphql",
    ".gql": "graphql",
}

LANGUAGE_OF_NAME = {
    "gemfile": "ruby",
    "rakefile": "ruby",
    "guardfile": "ruby",
    "capfile": "ruby",
    "procfile": "procfile",
    "makefile": "make",
    "jenkinsfile": "groovy",
}

CODE_LANGUAGES = words("python typescript tsx javascript go java kotlin ruby php rust csharp elixir bash scala swift c cpp lua")
"""Languages whose files are programs; the rest is configuration, data or text."""

_SHEBANG = (("python", "python"), ("bash", "bash"), ("node", "javascript"), ("ruby", "ruby"), ("php", "php"), ("sh", "bash"))

_TEST_FOLDERS = words(
    "test tests __tests__ testdata test_data testing_data __mocks__ mocks e2e cypress fixtures __fixtures__ "
    "integration_tests integration-tests androidtest playwright testutil testutils test-utils"
)
_SPEC_FOLDERS = frozenset(("spec", "specs"))
_TEST_NAME = pattern(
    r"""(?x)
      (?:test_[^/]*|[^/]*_tests?|conftest|tests?)\.pyi?
    | [^/]*_test\.(?:go|rb|exs|ex|php|dart|rs|cc|cpp|ts|js|sh)
    | [^/]*_spec\.(?:rb|lua|ts|js)
    | [^/]*\.(?:test|spec|e2e|cy|stories|story)\.[cm]?[jt]sx?
    | [^/]*(?:Test|Tests|TestCase|IT|Spec)\.(?:java|kt|kts|scala|php|cs|swift|groovy)
    | (?:jest|vitest|karma|playwright|cypress)\.(?:config|setup)[^/]*
    | test_helper\.\w+ | spec_helper\.rb | rails_helper\.rb
    """
)
_EXAMPLE_FOLDERS = words("example examples sample samples demo demos playground playgrounds")
_PACKAGE_ROOT = pattern(
    r"(?:^|/)(?:src/)?(?:main|\w+Main)/(?:java|kotlin|scala|groovy)/|(?:^|/)src/(?:java|kotlin|scala|com|org|net|io|dev)/"
)
"""Where the folders below are the words of a package (`com.example.demo`), which say nothing of what the code is for."""

_DOCS_SUFFIXES = frozenset(
    (".md", ".markdown", ".mdown", ".rst", ".adoc", ".asciidoc", ".org", ".pdf", ".docx", ".drawio", ".puml", ".mmd")
)
_IMAGE_SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".bmp", ".avif", ".mp4", ".webm", ".mov"))
_DOCS_NAMES = pattern(
    r"(?i)(readme|license|licence|copying|notice|authors|contributors|contributing|changelog|changes|history|news|security"
    r"|code_of_conduct|maintainers|codeowners|todo|install|upgrading|support|governance|acknowledgements?|patents)([._-].*)?"
)
_DOCS_FOLDERS = words("doc docs documentation wiki adr adrs rfcs")
_READ_AT_RUN_TIME = words("prompt prompts template templates content posts _posts skills agents public static locales i18n")
"""Folders whose text files programs read or serve."""

_CI_PATH = pattern(
    r"(?i)(^|/)(\.github/(workflows|actions)/|\.circleci/|\.buildkite/|\.gitlab/ci/|\.ci/|\.teamcity/|\.woodpecker/|\.tekton/)"
    r"|(^|/)(\.gitlab-ci[^/]*\.ya?ml|\.travis\.yml|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml|jenkinsfile[^/]*|\.drone\.ya?ml"
    r"|cloudbuild[^/]*\.ya?ml|buildspec[^/]*\.ya?ml|appveyor\.yml|\.cirrus\.yml)$"
)
_LOCK_NAMES = words(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb poetry.lock uv.lock pdm.lock pipfile.lock "
    "gemfile.lock composer.lock cargo.lock go.sum mix.lock packages.lock.json gradle.lockfile pubspec.lock podfile.lock flake.lock "
    ".terraform.lock.hcl deno.lock"
)
_GENERATED_FOLDERS = words("node_modules vendor third_party __generated__ generated dist .next .terraform site-packages")
_GENERATED_NAME = pattern(
    r".*(\.min\.(js|css)|_pb2(_grpc)?\.pyi?|\.pb\.go|\.pb\.gw\.go|_grpc\.pb\.go|\.pb\.(cc|h)|\.generated\.\w+|\.gen\.\w+|_gen\.go"
    r"|\.g\.(cs|dart)|\.designer\.cs|\.snap|\.map|\.bundle\.js|zz_generated[^/]*|\.d\.[cm]?ts)|mvnw(\.cmd)?|gradlew(\.bat)?"
)


def language_of(path: str, first_line: str = "") -> str | None:
    """The language of a file from its name, else from its shebang; None when neither says."""
    found = _language_of_name(path)
    if found or not first_line.startswith("#!"):
        return found
    return next((language for word, language in _SHEBANG if word in first_line), None)


@lru_cache(maxsize=32_768)
def _language_of_name(path: str) -> str | None:
    pure = PurePosixPath(path)
    name = pure.name.lower()
    if name.startswith("dockerfile") or name.endswith((".dockerfile", "containerfile")):
        return "dockerfile"
    if name == ".env" or name.startswith(".env.") or name.endswith(".env"):
        return "env"
    if name in ("wrangler.json", "tsconfig.json", ".eslintrc", ".babelrc", ".swcrc"):
        return "json"
    if pure.suffix == ".conf" and "nginx" in path.lower():
        return "nginx"
    return LANGUAGE_OF_NAME.get(name) or LANGUAGE_OF_SUFFIX.get(pure.suffix.lower())


@lru_cache(maxsize=32_768)
def is_test_path(path: str) -> bool:
    """Whether only tests use this file."""
    pure = PurePosixPath(path)
    folders = {part.lower() for part in pure.parts[:-1]}
    if folders & _TEST_FOLDERS or _TEST_NAME.fullmatch(pure.name):
        return True
    return bool(folders & _SPEC_FOLDERS) and language_of(path) in CODE_LANGUAGES


@lru_cache(maxsize=32_768)
def is_example_path(path: str) -> bool:
    """Whether this is an example for readers: nothing in it runs in production or creates a name there."""
    pure = PurePosixPath(path)
    name = pure.name.lower()
    root = _PACKAGE_ROOT.search(path)
    folders = path[: root.start()] if root is not None else path.rpartition("/")[0]
    if {part.lower() for part in folders.split("/")} & _EXAMPLE_FOLDERS:
        return True
    return bool(re.search(r"(^|[._-])(example|sample|dist|template|tmpl)($|[._-])", name)) and (
        "env" in name or name.endswith(("example", "sample"))
    )


@lru_cache(maxsize=32_768)
def is_docs_path(path: str) -> bool:
    """Whether this is for people to read. Text that programs read or serve (prompts, robots.txt, requirements.txt) is not."""
    pure = PurePosixPath(path)
    folders = {part.lower() for part in pure.parts[:-1]}
    suffix = pure.suffix.lower()
    if suffix in _IMAGE_SUFFIXES:
        return True
    if pure.stem and _DOCS_NAMES.fullmatch(pure.name) and suffix not in LANGUAGE_OF_SUFFIX:
        return True
    if folders & _READ_AT_RUN_TIME and not folders & _DOCS_FOLDERS:
        return False
    if suffix in _DOCS_SUFFIXES or (suffix == ".mdx" and bool(folders & _DOCS_FOLDERS)):
        return True
    return (
        suffix == ".txt" and bool(folders & _DOCS_FOLDERS) and not re.match(r"(?i)(requirements|constraints|robots)", pure.name)
    )


def is_ci_path(path: str) -> bool:
    """Whether this drives continuous integration (which may also deploy)."""
    return _CI_PATH.search(path) is not None


def is_lock_path(path: str) -> bool:
    """Whether this is a lock file of a package manager."""
    return PurePosixPath(path).name.lower() in _LOCK_NAMES


@lru_cache(maxsize=32_768)
def is_generated_path(path: str) -> bool:
    """Whether a tool wrote this file: lock files, bundles, vendored trees, generated clients."""
    pure = PurePosixPath(path)
    if is_lock_path(path) or {part.lower() for part in pure.parts[:-1]} & _GENERATED_FOLDERS:
        return True
    return _GENERATED_NAME.fullmatch(pure.name.lower()) is not None


def is_production_code(path: str) -> bool:
    """Whether a program that may run in production could hold this file."""
    return not (is_test_path(path) or is_example_path(path) or is_docs_path(path) or is_generated_path(path))
