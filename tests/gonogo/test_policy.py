"""The repository's own settings."""

import pytest

from gonogo.errors import CallError
from gonogo.policy import Policy


def test_every_mistake_is_told_at_once_with_the_settings_that_exist() -> None:
    with pytest.raises(CallError) as said:
        Policy.from_mapping({"blok_on_plausible": True, "material_requests": "many"}, source=".github/gonogo.yml")

    assert ".github/gonogo.yml" in str(said.value)
    assert "'blok_on_plausible' is not a setting" in str(said.value)
    assert "'material_requests'" in str(said.value)
    assert "block_on_plausible" in str(said.value)


@pytest.mark.parametrize("empty", [None, {}])
def test_an_empty_file_means_the_defaults(empty) -> None:
    assert Policy.from_mapping(empty, source="x") == Policy()


def test_a_list_is_not_a_configuration() -> None:
    with pytest.raises(CallError, match="expected a mapping"):
        Policy.from_mapping(["a"], source="x")
