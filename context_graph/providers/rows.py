"""Reads the files of a snapshot row by row: gzipped or not, torn or not, one gap per kind of fault."""

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from gonogo.context import Gap

MAX_FAULTS_A_FILE = 5
"""Faulty rows named one by one; the rest is counted."""


class RowReader:
    """One snapshot folder. A broken row is left out with a gap that names file and line; reading goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._faults: dict[str, list[str]] = {}
        self.silent: set[tuple[str, str]] = set()
        """(resource, metric) that were asked for and have rows, but no reading."""

    def gaps(self) -> list[Gap]:
        """What could not be read so far."""
        found: list[Gap] = []
        for name, faults in self._faults.items():
            distinct = list(dict.fromkeys(faults))
            found += [Gap(stage="context", what=name, why=why) for why in distinct[:MAX_FAULTS_A_FILE]]
            if len(distinct) > MAX_FAULTS_A_FILE:
                found.append(
                    Gap(stage="context", what=name, why=f"{len(distinct) - MAX_FAULTS_A_FILE:,} more faulty rows were left out")
                )
        return found

    def fault(self, name: str, line: int | None, why: str) -> None:
        """Remember a fault of a file; the same fault is told once, however often the file is read."""
        self._faults.setdefault(name, []).append(f"{name} line {line}: {why}" if line else f"{name}: {why}")

    def count(self, name: str, why: str) -> None:
        """Remember what a whole file's rows add up to; it is told before the faults of single rows, however many these are."""
        self._faults.setdefault(name, []).insert(0, f"{name}: {why}")

    def path(self, name: str) -> Path | None:
        """The file, or its gzipped form, or None."""
        return next((p for p in (self.folder / name, self.folder / f"{name}.gz") if p.is_file()), None)

    def lines(self, name: str) -> Iterator[tuple[int, str]]:
        """Numbered lines of a text file; one that is not UTF-8 is left out, a torn gzip gives what came before the tear."""
        number = 0
        with self._reading(name, lambda: number) as file:
            for number, line in enumerate(file, 1):
                if is_text(line):
                    yield number, line
                else:
                    self.fault(name, number, "not UTF-8; it was left out; write it again in UTF-8")

    @contextmanager
    def _reading(self, name: str, lines_read: Callable[[], int]) -> Generator[Iterable[str]]:
        """The lines of a file, none when it is absent; what breaks the reading becomes a fault at its line and ends the block."""
        path = self.path(name)
        if path is None:
            yield ()
            return
        try:
            with _open(path) as file:
                yield file
        except (EOFError, zlib.error, gzip.BadGzipFile):
            why = "the gzip stream is torn or damaged; rows from here on were not read; write it again"
            self.fault(path.name, lines_read() + 1, why)
        except OSError as error:
            self.fault(path.name, None, f"cannot be read ({error.strerror or error})")

    def json_rows(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Objects of a JSON-lines file."""
        for number, line in self.lines(name):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                self.fault(name, number, "not a JSON object; the row was left out")
                continue
            if isinstance(row, dict):
                yield number, row
            else:
                self.fault(name, number, f"expected a JSON object, found {type(row).__name__}; the row was left out")

    def document(self, name: str) -> Any:
        """A whole JSON file, or None when it is absent or broken."""
        text = "".join(line for _, line in self.lines(name))
        if not text.strip():
            if (path := self.path(name)) is not None:
                self.fault(path.name, None, "empty; it was left out")
            return None
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            self.fault(name, error.lineno, f"not valid JSON ({error.msg}); the file was left out")
        except (ValueError, RecursionError) as error:
            self.fault(name, None, f"not valid JSON ({error}); the file was left out")
        return None

    def csv_rows(self, name: str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
        """Rows of a CSV file with exactly these columns in its header, in this order; its caller asks `is_text` of what it keeps."""
        reader = csv.reader(())
        with self._reading(name, lambda: reader.line_num) as file:
            reader = csv.reader(file)
            width = len(columns)
            try:
                header = next(reader, None)
                if header is not None and [cell.strip().lstrip("\ufeff") for cell in header] != list(columns):
                    self.fault(name, 1, f"the header must be {','.join(columns)}; the file was left out")
                    return
                for row in reader:
                    if len(row) == width:
                        yield reader.line_num, row
                    elif row:
                        self.fault(name, reader.line_num, f"{len(row)} cells instead of {width}; the row was left out")
            except csv.Error as error:
                self.fault(name, reader.line_num, f"not readable as CSV ({error}); the rest was left out")


def as_list(value: object) -> list[Any]:
    """A JSON array, or an empty one for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_object(value: object) -> dict[str, Any] | None:
    """A JSON object, or None for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def is_text(line: str) -> bool:
    """Whether it was UTF-8: bytes that were none were read as lone surrogates."""
    if line.isascii():
        return True
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline=None)
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline=None)
