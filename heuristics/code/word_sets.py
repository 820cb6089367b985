"""Sets of words, written as one text so that they can be read."""


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())
