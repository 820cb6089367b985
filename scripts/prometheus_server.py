"""Starts a throw-away Prometheus on a free loopback port, with the series that it is given: for tests."""

import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen


def server_binaries() -> tuple[str, str] | None:
    """Prometheus and promtool, or None."""
    server, tool = shutil.which("prometheus"), shutil.which("promtool")
    return (server, tool) if server and tool else None


@contextmanager
def prometheus_server(openmetrics: str, *, rules: str = "") -> Generator[str]:
    """The URL of a server that holds these series (OpenMetrics text with timestamps in seconds) and scrapes nothing."""
    binaries = server_binaries()
    if binaries is None:
        raise FileNotFoundError("no Prometheus binaries; install the package prometheus")
    server, tool = binaries
    folder = Path(tempfile.mkdtemp(prefix="gonogo-prometheus-"))
    try:
        text = openmetrics if openmetrics.rstrip().endswith("# EOF") else openmetrics.rstrip("\n") + "\n# EOF\n"
        (folder / "series.txt").write_text(text, encoding="utf-8")
        (folder / "rules.yml").write_text(rules or "groups: []\n", encoding="utf-8")
        configuration = 'global: {evaluation_interval: 1s}\nrule_files: ["rules.yml"]\nscrape_configs: []\n'
        (folder / "prometheus.yml").write_text(configuration, encoding="utf-8")
        load = [tool, "tsdb", "create-blocks-from", "openmetrics", str(folder / "series.txt"), str(folder / "data")]
        loaded = subprocess.run(load, check=False, capture_output=True, text=True)
        if loaded.returncode != 0:
            raise RuntimeError(f"promtool could not load the series: {loaded.stderr[-500:]}")
        port = _free_port()
        command = [
            server,
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            "--storage.tsdb.retention.time=20y",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=error",
        ]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        try:
            _wait(port, process, folder / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until it is ready."""
    for _ in range(300):
        try:
            with urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=1) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            pass
        try:
            process.wait(timeout=0.1)
            break
        except subprocess.TimeoutExpired:
            continue
    raise RuntimeError(f"Prometheus did not start: {log.read_text(encoding='utf-8', errors='replace')[-500:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
