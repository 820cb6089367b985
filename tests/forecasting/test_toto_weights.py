import json
import struct

import numpy as np
import pytest

from forecasting.testing_toto import SHAPE_22M, SMALL, random_tensors, write_random_model, write_tensors
from forecasting.toto_config import TotoConfig
from forecasting.toto_settings import TotoSettings, open_toto
from forecasting.toto_weights import read_folder
from gonogo.errors import ForecastUnavailable


@pytest.fixture
def folder(tmp_path):
    return write_random_model(tmp_path / "weights")


def changed(folder, **changes):
    (folder / "config.json").write_text(json.dumps(SMALL | changes))
    return folder


def test_weights_that_are_not_the_pinned_ones_are_refused(folder):
    sha256 = read_folder(folder)[0].sha256
    pinned = open_toto(TotoSettings(folder=folder, sha256=sha256.upper()))
    assert "not pinned" not in " ".join(pinned.capabilities.notes)

    write_random_model(folder, seed=1)

    with pytest.raises(ForecastUnavailable, match=f"pinned is {sha256}; restore them"):
        open_toto(TotoSettings(folder=folder, sha256=sha256))


def test_without_a_pin_the_hash_to_pin_is_said(folder):
    toto = open_toto(TotoSettings(folder=folder))

    sha256 = read_folder(folder)[0].sha256
    assert f"GONOGO_TOTO_SHA256={sha256} pins them" in " ".join(toto.capabilities.notes)
    assert sha256[:12] in toto.version


def test_the_hash_is_the_one_of_the_file(folder):
    import hashlib

    assert read_folder(folder)[0].sha256 == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def test_other_weights_and_another_configuration_are_other_versions(folder, tmp_path):
    other = write_random_model(tmp_path / "other", seed=1)
    version = open_toto(TotoSettings(folder=folder)).version

    assert open_toto(TotoSettings(folder=other)).version != version
    assert open_toto(TotoSettings(folder=changed(folder, norm_eps=1e-3))).version != version


def test_shards_are_read_like_one_file(folder, tmp_path):
    whole, arrays = read_folder(folder)
    shards = tmp_path / "shards"
    shards.mkdir()
    (shards / "config.json").write_text(json.dumps(SMALL))
    names = sorted(arrays)
    places = {}
    for number, part in enumerate((names[:10], names[10:])):
        file = f"model-0000{number}-of-00002.safetensors"
        write_tensors(shards / file, {name: arrays[name] for name in part})
        places |= dict.fromkeys(part, file)
    (shards / "model.safetensors.index.json").write_text(json.dumps({"weight_map": places}))

    read, again = read_folder(shards)

    assert read.parameters == whole.parameters
    assert all(np.array_equal(again[name], arrays[name]) for name in names)


def test_a_shard_outside_the_folder_is_refused(folder):
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "../../elsewhere.safetensors"}}))

    with pytest.raises(ForecastUnavailable, match="names shards outside the folder"):
        read_folder(folder)


def test_a_tensor_of_another_shape_than_config_says_is_refused_by_name(folder):
    with pytest.raises(ForecastUnavailable, match=r"attn\.in_proj\.bias of shape \[192\] does not exist"):
        read_folder(changed(folder, attn_bias=False))
    with pytest.raises(ForecastUnavailable, match=r"ffn\.fc1\.weight of shape \[352, 64\] has shape \[384, 64\] by config\.json"):
        read_folder(changed(folder, d_ff=192))
    with pytest.raises(ForecastUnavailable, match="lacks 18 tensors of its config"):
        read_folder(changed(folder, num_layers=6))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"patch_size": 64}, "patches of 64"),
        ({"num_output_patches": 2}, "2 a position"),
        ({"d_model": "wide"}, "not usable"),
        ({"d_model": 10**12}, "between 1 and 65536"),
        ({"num_heads": 0}, "not usable"),
        ({"num_layers": 5}, "do not make groups"),
        ({"norm_eps": float("nan")}, "not a number"),
    ],
)
def test_a_configuration_that_no_model_can_have_is_refused(folder, changes, why):
    with pytest.raises(ForecastUnavailable, match=why):
        read_folder(changed(folder, **changes))


def header_of(folder):
    data = (folder / "model.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def written(folder, header, numbers):
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + numbers)
    return folder


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a safetensors file"),
        (b"\xff" * 64, "not a safetensors file"),
        (struct.pack("<Q", 2) + b"[]", "not a safetensors file"),
        (struct.pack("<Q", 4) + b"{{{{", "not a safetensors file"),
    ],
)
def test_a_file_that_holds_something_else_is_refused(folder, data, why):
    (folder / "model.safetensors").write_bytes(data)

    with pytest.raises(ForecastUnavailable, match=why):
        read_folder(folder)


def test_numbers_that_are_cut_off_overlap_or_go_on_are_refused(folder):
    header, numbers = header_of(folder)

    with pytest.raises(ForecastUnavailable, match="cut off or out of place"):
        read_folder(written(folder, header, numbers[:-4]))
    with pytest.raises(ForecastUnavailable, match="goes on after its last tensor"):
        read_folder(written(folder, header, numbers + b"0000"))
    first = min(header, key=lambda name: header[name]["data_offsets"])
    shifted = header | {first: header[first] | {"data_offsets": [4, header[first]["data_offsets"][1] + 4]}}
    with pytest.raises(ForecastUnavailable, match="cut off or out of place"):
        read_folder(written(folder, shifted, numbers))


def test_narrow_weights_and_weights_that_are_no_numbers_are_refused(folder):
    tensors = random_tensors(TotoConfig.from_mapping(SMALL))
    write_tensors(folder / "model.safetensors", tensors, dtype="BF16")
    with pytest.raises(ForecastUnavailable, match="holds BF16; Toto runs in float32"):
        read_folder(folder)

    tensors["patch_proj.linear1.bias"][0] = np.nan
    write_tensors(folder / "model.safetensors", tensors)
    with pytest.raises(ForecastUnavailable, match="not finite"):
        read_folder(folder)


def test_a_folder_that_is_not_there_says_what_is_needed(tmp_path):
    with pytest.raises(ForecastUnavailable, match="GONOGO_TOTO_DIR must hold"):
        open_toto(TotoSettings(folder=tmp_path / "nowhere"))


def test_nothing_is_configured_until_a_folder_or_the_hub_is_named(tmp_path):
    assert TotoSettings.from_environment({}) is None
    assert TotoSettings.from_environment({"GONOGO_TOTO_SHA256": "ab"}) is None
    settings = TotoSettings.from_environment({"GONOGO_TOTO_DIR": str(tmp_path), "GONOGO_TOTO_RUNTIME": "torch"})
    assert settings == TotoSettings(folder=tmp_path, runtime="torch")
    assert TotoSettings.from_environment(settings.to_mapping()) == settings


def test_an_unknown_runtime_is_refused(folder):
    with pytest.raises(ForecastUnavailable, match="set it to numpy or torch"):
        open_toto(TotoSettings(folder=folder, runtime="jax"))


def test_the_shape_of_the_released_22m_model_has_21_9_million_parameters(tmp_path):
    folder, _ = read_folder(write_random_model(tmp_path, SHAPE_22M))

    assert folder.parameters == 21_915_584
    assert folder.model == "toto-2.0-22m"
