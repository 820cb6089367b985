import pytest

from charge.provider import Provider


def test_empty_key():
    with pytest.raises(ValueError):
        Provider("")
