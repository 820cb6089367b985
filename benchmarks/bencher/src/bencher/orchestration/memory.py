"""What a run without a journal remembers, and all that the scheduler asks of a journal."""

from bencher.orchestration.record import Records


class Memory:
    """What a run without a journal remembers: its own answers, and which keys it is asking."""

    def __init__(self) -> None:
        self.records = Records()
        self._claimed: set[str] = set()

    def find(self, key: str) -> bytes | None:
        """The key's answer, as far as this run has read."""
        return self.records.answers.get(key)

    def claim(self, key: str) -> bool:
        """Become the only one who asks this key, among all runs in all processes; False while another one is."""
        if key in self._claimed:
            return False
        self._claimed.add(key)
        return True

    def release(self, key: str) -> None:
        """Let others ask the key."""
        self._claimed.discard(key)

    def catch_up(self) -> None:
        """Read what other runs wrote meanwhile."""

    def write(self, key: str, place: str, payload: bytes) -> None:
        """Record `BEGUN`, `ENDED` or an answer; OSError when that cannot be."""
        self.records.note(key, place, payload)

    async def sync(self) -> None:
        """Come back when all that was read and written so far survives what it must survive."""

    def close(self) -> None:
        """Free every lock."""
