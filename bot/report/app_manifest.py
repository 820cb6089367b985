"""What the GitHub App asks for, as a person reads it."""

from collections.abc import Iterable


def manifest_text(permissions: Iterable[tuple[str, str, str, bool]], events: Iterable[str], *, url: str) -> str:
    """Rows are name, level, reason, and whether gonogo works without it."""
    rows = [(name, level, f"{reason}{' (optional)' if is_optional else ''}") for name, level, reason, is_optional in permissions]
    width = max(len(name) for name, _, _ in rows)
    lines = [f"  {name:{width}}  {level:5}  {reason}" for name, level, reason in rows]
    return "\n".join(
        [
            "The GitHub App asks for these permissions:",
            *lines,
            "",
            f"It hears of: {', '.join(events)}.",
            f"Webhooks go to {url}/webhooks/github.",
            "",
            "As JSON, for GitHub: gonogo app --json. To create it: gonogo app create --url https://HOST",
            "",
        ]
    )
