"""What the servers say to the operator: one line an event, `time level logger event name=value …`. Never a secret or a payload."""

import json
import logging
import sys
from datetime import UTC, datetime

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """One line, a traceback in quotes: who reads lines can take each apart."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        told = [f"{name}={_shown(value)}" for name, value in vars(record).items() if name not in _STANDARD]
        if record.exc_info:
            told.append(f"traceback={json.dumps(self.formatException(record.exc_info))}")
        return " ".join([at, record.levelname.lower(), record.name, _in_one_line(record.getMessage()), *told])


def configure_logs() -> None:
    """Send what gonogo logs to standard error; of libraries, warnings only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("gonogo").setLevel(logging.INFO)


def _shown(value: object) -> str:
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    return text if text and text.isprintable() and not set(text) & set(' "=') else json.dumps(text)


def _in_one_line(text: str) -> str:
    return text if text.isprintable() else json.dumps(text)
