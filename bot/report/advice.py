"""Advice with code in it: sentences, and between lines of three backticks the code as it would stand in a file."""

FENCE = "```"


def prose_and_code(text: str) -> list[tuple[str, bool]]:
    """The parts in order, each with whether it is code."""
    parts: list[tuple[str, bool]] = []
    lines: list[str] = []
    is_code = False
    for line in (*text.splitlines(), None):
        if line is not None and line.strip() != FENCE:
            lines.append(line)
            continue
        if part := "\n".join(lines).strip("\n"):
            parts.append((part, is_code))
        lines, is_code = [], not is_code
    return parts
