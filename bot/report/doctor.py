"""What a look around found, for a person, with what to give gonogo and no more."""

import json
from collections.abc import Iterable, Mapping

from bot.report.printable import printable_line

_POSTGRES = """PostgreSQL role (reads statistics; without SELECT the values of columns stay unknown, and the report says so):
  CREATE ROLE gonogo LOGIN PASSWORD '...';
  GRANT pg_monitor TO gonogo;
  ALTER ROLE gonogo SET default_transaction_read_only = on;
"""


def doctor_text(looks: Iterable[tuple[str, str, str]], allowed: Iterable[tuple[str, str]]) -> str:
    """A line for each thing (how it is, what, what was found or what to do), then what to allow: of each source a title and the text."""
    lines = [printable_line(f"{found:10}  {what:20} {said}".rstrip()) for found, what, said in looks]
    return "\n".join([*lines, "", *(part for title, text in allowed for part in (f"{title}:", text)), _POSTGRES])


def policy_text(policy: Mapping[str, object]) -> str:
    """A policy as AWS, or Cloudflare, takes it."""
    return json.dumps(policy, indent=2) + "\n"
