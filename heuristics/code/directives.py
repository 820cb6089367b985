"""Comments that tools obey: a change of one of them is a change of code.

Remarks to linters, formatters, type checkers and coverage (`noqa`, `eslint-disable`, `type: ignore`, `nolint`, `# shellcheck`)
change nothing that runs, so they count as comments. `@ts-ignore` and its kin decide whether the build passes, so they don't.
"""

import re

from gonogo.pattern import pattern

_ANYWHERE = {
    "go": pattern(r"^//(go:|export\s|line\s|extern\s|sys\s|\s*\+build\b)|^/\*line\s"),
    "python": pattern(r"^#.*?coding[:=]\s*[-\w.]+|^#!|^#\s*(cython|distutils):|^# ///"),
    "ruby": pattern(
        r"^#.*?\b(frozen_string_literal|frozen-string-literal|warn_indent|shareable_constant_value|(en)?coding)\s*:|^#!|^#\\"
    ),
    "bash": pattern(r"^#!|^#(SBATCH|PBS|\$)"),
    "php": pattern(r"^/\*\*(?s:.)*@[A-Z]\w*|^#!"),
    "sql": pattern(
        r"^/\*[!+]|^--\s*(\+|>|@)|^--\s*[\w.-]+\s*:|^--\s*(liquibase|changeset|rollback|precondition|include|no[-_ ]transaction|disable|split)\b",
        re.IGNORECASE,
    ),
    "dockerfile": pattern(r"^#\s*(syntax|escape|check)\s*=", re.IGNORECASE),
    "c": pattern(r"^#"),
    "cpp": pattern(r"^#"),
    "html": pattern(r"^<!--\s*(\[if|#|ko\b|/ko\b)"),
}
_SCRIPT = pattern(
    r"^//\s*@(ts-|jsx|flow)|^/\*\*?\s*@(ts-|jsx|flow|vite-)|^///\s*<|^#!|^/\*+\s*(webpack\w*\s*:|turbopack\w*\s*:|@__|#__)|^//[#@]\s*source"
)


def is_directive(comment: str, language: str) -> bool:
    """Whether a tool obeys this comment when it builds or runs the file."""
    text = comment.strip()
    if language in ("typescript", "tsx", "javascript"):
        return _SCRIPT.search(text) is not None
    pattern = _ANYWHERE.get(language)
    return pattern is not None and pattern.search(text) is not None
