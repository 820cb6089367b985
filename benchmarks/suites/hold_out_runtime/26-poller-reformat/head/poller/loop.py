import time

from .client import fetch

# The stations publish each minute; 15 s keeps the delay small. Was 60 once, do not go below 5.
INTERVAL_S = 15
MAX_ERRORS = 20


def run(stations: list[str]) -> None:
    errors = 0
    while errors < MAX_ERRORS:
        for s in stations:
            try:
                fetch(s, timeout=4)
            except OSError:
                errors += 1
        time.sleep(INTERVAL_S)
