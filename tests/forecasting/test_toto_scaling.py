import numpy as np
import pytest

from forecasting.toto_scaling import cap_and_sort, scale_series


def a_series(readings: dict[int, float], steps: int = 96) -> tuple[np.ndarray, np.ndarray]:
    target, observed = np.zeros((1, steps), np.float32), np.zeros((1, steps), bool)
    for at, value in readings.items():
        target[0, at], observed[0, at] = value, True
    return target, observed


def test_a_first_patch_with_fewer_than_eight_readings_is_scaled_by_the_first_eight():
    first = [0.0, 0.0, 1.0]
    readings = dict(enumerate(first)) | {32 + i: float(i % 5) for i in range(64)}
    eight = np.array([*first, 0.0, 1.0, 2.0, 3.0, 4.0])

    scaling = scale_series(*a_series(readings))

    expected = np.arcsinh((np.array(first) - eight.mean()) / eight.std(ddof=1))
    assert scaling.scaled[0, :3] == pytest.approx(expected, abs=1e-6)
    assert (scaling.scaled[0, 3:32] == 0).all()


def test_every_later_patch_is_scaled_by_all_that_came_before_it():
    values = np.random.default_rng(0).normal(5, 2, 96)

    scaling = scale_series(*a_series(dict(enumerate(values))))

    for patch in range(3):
        seen, own = values[: 32 * (patch + 1)], values[32 * patch : 32 * (patch + 1)]
        expected = np.arcsinh((own - seen.mean()) / seen.std(ddof=1))
        assert scaling.scaled[0, 32 * patch : 32 * (patch + 1)] == pytest.approx(expected, abs=1e-4)
    assert scaling.scale[0, 0] == pytest.approx(values.std(ddof=1), rel=1e-5)


def test_no_quantile_lies_more_than_ten_deviations_outside_the_context():
    values = np.random.default_rng(0).normal(0, 1, 96)
    scaling = scale_series(*a_series(dict(enumerate(values))))
    answer = np.full((9, 1, 1, 32), 30.0, np.float32)
    answer[0], answer[1] = -30.0, 500.0  # sinh of which is no number any more

    band = cap_and_sort(answer, scaling)

    assert band.max() == pytest.approx(values.max() + 10 * values.std(ddof=1), rel=1e-5)
    assert band.min() == pytest.approx(values.min() - 10 * values.std(ddof=1), rel=1e-5)
    assert (np.diff(band, axis=0) >= 0).all()
