import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from forecasting.joint import ForecastRequest
from forecasting.worker import WarmWorker
from forecasting.worker_start import WorkerSettings
from gonogo.errors import ForecastUnavailable

MISBEHAVING = "forecasting.testing_worker:Misbehaving"
MIB = 2**20


def a_request(*ids: str, horizon: int = 4) -> ForecastRequest:
    values = np.arange(len(ids) * 10, dtype=np.float64).reshape(len(ids), 10)
    return ForecastRequest(ids=ids, values=values, step_s=60, start=datetime(2026, 11, 1, tzinfo=UTC), horizon=horizon)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[WorkerSettings]:
    folder = tmp_path / "forecast"
    yield WorkerSettings(folder, opener=MISBEHAVING, request_s=60, idle_s=60, memory_bytes=600 * MIB)
    for name in folder.glob("*.sock"):
        name.unlink()  # a worker whose socket is gone ends by itself


def the_worker_of(answer) -> int:
    return int(answer.diagnoses[0].warnings[0])


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    until = time.monotonic() + 20
    while is_running(pid):
        assert time.monotonic() < until, "it is still there"
        time.sleep(0.02)


def test_the_first_question_starts_the_worker_and_the_next_finds_it_warm(settings):
    worker = WarmWorker(settings)

    first, second = worker.forecast(a_request("queue")), worker.forecast(a_request("queue", "rate"))

    assert the_worker_of(first) == the_worker_of(second) != os.getpid()
    assert first.quantiles.tolist() == [[[9.0] * 9] * 4]
    assert second.quantiles[1, 0, 0] == 19.0
    assert (worker.name, worker.version, worker.capabilities.notes) == ("misbehaving", "misbehaving 1", ("for tests",))


def test_other_processes_of_this_user_share_it(settings):
    ours = WarmWorker(settings).pid()
    code = (
        "import sys; from pathlib import Path; from forecasting.worker import WarmWorker; from forecasting.worker_start import WorkerSettings;"
        f"print(WarmWorker(WorkerSettings(Path(sys.argv[1]), opener={MISBEHAVING!r}, request_s=60, idle_s=5, memory_bytes={600 * MIB})).pid())"
    )

    done = subprocess.run([sys.executable, "-I", "-c", code, settings.folder], capture_output=True, text=True, check=True)

    assert int(done.stdout) == ours


def test_many_who_start_at_once_start_one_and_are_served_one_at_a_time(settings):
    answers: list[int] = []

    def ask() -> None:
        answers.append(the_worker_of(WarmWorker(settings).forecast(a_request("slow"))))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(answers) == 4
    assert len(set(answers)) == 1
    assert time.monotonic() - began >= 4 * 0.5


def test_after_a_kill_the_next_question_is_answered_by_a_new_one(settings):
    worker = WarmWorker(settings)
    before = worker.pid()
    os.kill(before, signal.SIGKILL)
    wait_until_gone(before)

    after = the_worker_of(worker.forecast(a_request("queue")))

    assert after != before


def test_a_worker_that_is_killed_while_it_works_is_a_clear_failure_and_the_next_question_is_answered(settings):
    worker = WarmWorker(settings)

    with pytest.raises(ForecastUnavailable, match="was killed or ran out of memory") as failure:
        worker.forecast(a_request("die"))

    assert failure.value.may_retry
    assert worker.forecast(a_request("queue")).quantiles[0, 0, 0] == 9.0


def test_a_question_that_hangs_ends_at_its_time_and_the_next_is_answered(settings):
    worker = WarmWorker(replace(settings, request_s=1.5))
    before = worker.pid()
    began = time.monotonic()

    with pytest.raises(ForecastUnavailable, match=r"took longer than 1\.5 s"):
        worker.forecast(a_request("hang"))

    assert time.monotonic() - began < 20
    wait_until_gone(before)
    assert the_worker_of(worker.forecast(a_request("queue"))) != before


def test_a_worker_that_is_stopped_is_ended_by_the_one_who_waits(settings):
    worker = WarmWorker(replace(settings, request_s=1.0))
    before = worker.pid()
    os.kill(before, signal.SIGSTOP)

    answer = worker.forecast(a_request("queue"))

    assert the_worker_of(answer) != before
    wait_until_gone(before)


def test_a_question_that_needs_too_much_memory_fails_alone(settings):
    worker = WarmWorker(settings)
    before = worker.pid()

    with pytest.raises(ForecastUnavailable, match="the worker's 600 MiB of memory were not enough"):
        worker.forecast(a_request("memory"))

    wait_until_gone(before)
    assert worker.forecast(a_request("queue")).quantiles[0, 0, 0] == 9.0


def test_those_who_wait_behind_a_question_that_kills_the_worker_are_answered(settings):
    worker = WarmWorker(replace(settings, request_s=2.0))
    worker.pid()
    failures: list[str] = []

    def ask_for_trouble() -> None:
        try:
            worker.forecast(a_request("hang"))
        except ForecastUnavailable as error:
            failures.append(str(error))

    trouble = threading.Thread(target=ask_for_trouble)
    trouble.start()
    answer = worker.forecast(a_request("queue"))
    trouble.join()

    assert answer.quantiles[0, 0, 0] == 9.0
    assert len(failures) == 1


def test_a_refusal_and_a_fault_of_the_backend_reach_the_caller_in_words_and_leave_the_worker_warm(settings):
    worker = WarmWorker(settings)
    before = worker.pid()

    with pytest.raises(ForecastUnavailable, match="no such thing; ask for another"):
        worker.forecast(a_request("refuse"))
    with pytest.raises(ForecastUnavailable, match="ZeroDivisionError: a fault of the backend"):
        worker.forecast(a_request("fault"))

    assert worker.pid() == before


def test_an_answer_that_is_none_is_not_believed(settings):
    with pytest.raises(ForecastUnavailable, match="a band for lie that is not finite and sorted"):
        WarmWorker(settings).forecast(a_request("lie"))


def test_a_worker_that_cannot_start_says_why(settings):
    worker = WarmWorker(replace(settings, opener="forecasting.testing_worker:broken"))

    with pytest.raises(ForecastUnavailable, match="did not start: its weights are missing; look for them"):
        worker.forecast(a_request("queue"))


def test_only_our_own_forecasters_can_be_opened(settings):
    with pytest.raises(ForecastUnavailable, match="os:getcwd is not a forecaster of gonogo"):
        WarmWorker(replace(settings, opener="os:getcwd")).pid()


def test_it_gets_no_secrets_two_threads_at_most_and_its_limit(settings, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("PYTHONPATH", "/hostile")

    pid = WarmWorker(replace(settings, variables={"GONOGO_TOTO_DIR": "/weights"})).pid()

    variables = dict(line.split("=", 1) for line in Path(f"/proc/{pid}/environ").read_text().split("\0") if line)
    assert {"ANTHROPIC_API_KEY", "PYTHONPATH"} & variables.keys() == set()
    assert variables["GONOGO_TOTO_DIR"] == "/weights"
    assert int(variables["OPENBLAS_NUM_THREADS"]) <= 2
    assert f"{600 * MIB}" in next(line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if "data size" in line)


def test_a_worker_nobody_asks_ends(settings):
    pid = WarmWorker(replace(settings, idle_s=0.5)).pid()

    wait_until_gone(pid)


def test_a_worker_whose_socket_is_gone_ends(settings):
    pid = WarmWorker(settings).pid()
    for name in settings.folder.glob("*.sock"):
        name.unlink()

    wait_until_gone(pid)


def test_the_folder_is_ours_alone_and_one_that_others_may_write_to_is_refused(settings, tmp_path):
    WarmWorker(settings).pid()
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)

    assert stat.S_IMODE(settings.folder.stat().st_mode) == 0o700
    with pytest.raises(ForecastUnavailable, match="others may write to"):
        WarmWorker(replace(settings, folder=open_to_all)).pid()


def test_a_data_folder_may_lie_deep(settings, tmp_path):
    deep = tmp_path / ("d" * 60) / ("e" * 60)

    assert WarmWorker(replace(settings, folder=deep, idle_s=1)).forecast(a_request("queue")).quantiles[0, 0, 0] == 9.0


def test_someone_who_connects_and_says_nothing_does_not_hold_up_the_others(settings, monkeypatch):
    worker = WarmWorker(settings)
    worker.pid()
    silent = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with silent:
        monkeypatch.chdir(settings.folder)
        silent.connect(f"{settings.key}.sock")
        assert worker.forecast(a_request("queue")).quantiles[0, 0, 0] == 9.0
