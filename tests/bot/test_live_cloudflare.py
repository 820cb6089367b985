"""A change of a Worker, judged by Cloudflare as it is now: the same as by a snapshot of it, and matched to what it declares."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from bot.entrypoints.cli.app import main
from bot.report.evidence_text import short
from context_graph.testing_cloudflare import ACCOUNT, TOKEN, ZONE, FakeCloudflare, served
from scripts.build_demo import run_git, start_repository

META = "7b1d6d652a3f4e5d6c7b8a9f0e1d2c33"
WORKER = f"cloudflare:worker:{ACCOUNT}/media-production"
BASE = f"""\
name = "media"
main = "src/index.ts"
compatibility_date = "2026-05-01"

[env.production]
routes = [{{ pattern = "media.acme.example/*", zone_name = "acme.example" }}]

[[env.production.kv_namespaces]]
binding = "META"
id = "{META}"
"""
TOP_LEVEL_ONLY = """
[[r2_buckets]]
binding = "ORIGINALS"
bucket_name = "originals"
"""
IN_PRODUCTION_TOO = TOP_LEVEL_ONLY + TOP_LEVEL_ONLY.replace("r2_buckets", "env.production.r2_buckets")
CODE = """\
interface Env {
  META: KVNamespace;
}

export default {
  async fetch(req: Request, env: Env): Promise<Response> {
    const key = new URL(req.url).pathname;
    await env.META.put(key, "1");
    return new Response(await env.META.get(key));
  },
};
"""
READS_BUCKET = CODE.replace("  META: KVNamespace;\n", "  META: KVNamespace;\n  ORIGINALS: R2Bucket;\n").replace(
    "    await env.META", "    await env.ORIGINALS.put(key, req.body);\n    await env.META"
)


@pytest.fixture
def cloudflare() -> Generator[FakeCloudflare]:
    account = f"/accounts/{ACCOUNT}"
    script = f"{account}/workers/scripts/media-production"
    held = {
        "/accounts": [{"id": ACCOUNT, "name": "Acme"}],
        "/zones": [{"id": ZONE, "name": "acme.example", "status": "active"}],
        f"/zones/{ZONE}/workers/routes": [{"id": "r1", "pattern": "media.acme.example/*", "script": "media-production"}],
        f"{account}/workers/scripts": [{"id": "media-production"}],
        f"{account}/workers/domains": [],
        f"{script}/settings": {"bindings": [{"name": "META", "type": "kv_namespace", "namespace_id": META}]},
        f"{script}/schedules": {"schedules": []},
        f"{account}/storage/kv/namespaces": [{"id": META, "title": "media-meta"}],
        f"{account}/d1/database": [],
        f"{account}/r2/buckets": [{"name": "originals"}],
        f"{account}/queues": [],
        f"{account}/hyperdrive/configs": [],
        f"{account}/workers/durable_objects/namespaces": [],
    }
    with served(FakeCloudflare(held)) as fake:
        yield fake


@pytest.fixture
def synced(cloudflare: FakeCloudflare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GONOGO_DATABASE_URL", "GONOGO_PROMETHEUS_URL", "GONOGO_DATABASES", "GONOGO_LOKI_URL", "GONOGO_LOG_FILES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        "GONOGO_DATA_DIR": str(tmp_path / "data"), "GONOGO_CLOUDWATCH": "off",
        "CLOUDFLARE_API_TOKEN": TOKEN, "CLOUDFLARE_BASE_URL": cloudflare.base,
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    assert main(["graph", "sync", "--sources", "cloudflare"]) == 0


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """The same production in the words of a snapshot that somebody wrote by hand."""
    folder = tmp_path / "written"
    folder.mkdir()
    worker = {
        "id": WORKER, "kind": "cloudflare.worker", "name": "media-production", "account": ACCOUNT, "region": "global",
        "attributes": {"routes": ["media.acme.example/*"], "bindings": {"META": "kv_namespace"}},
    }  # fmt: skip
    (folder / "resources.jsonl").write_text(json.dumps(worker) + "\n")
    return folder


def a_pull_request(tmp_path: Path, wrangler: str) -> Path:
    folder = tmp_path / "media"
    start_repository(folder)
    (folder / "src").mkdir()
    (folder / "wrangler.toml").write_text(BASE)
    (folder / "src" / "index.ts").write_text(CODE)
    (folder / "package.json").write_text('{"scripts": {"deploy": "wrangler deploy --env production"}}\n')
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "main")
    run_git(folder, "checkout", "-q", "-b", "pr")
    (folder / "wrangler.toml").write_text(BASE + wrangler)
    (folder / "src" / "index.ts").write_text(READS_BUCKET)
    run_git(folder, "commit", "-q", "-am", "pr")
    run_git(folder, "remote", "add", "origin", "https://github.com/acme/media.git")
    return folder


def report_of(folder: Path, production: str, tmp_path: Path) -> dict[str, Any]:
    path = tmp_path / "report.json"
    main(["check", "--repo", str(folder), "--base", "main", "--head", "pr", "--production", production, "--json", str(path)])
    return json.loads(path.read_text())


def decided(report: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(t["title"], t["status"], t.get("resource")) for t in report["trajectories"]]


@pytest.mark.usefixtures("synced")
@pytest.mark.parametrize(("wrangler", "verdict"), [(TOP_LEVEL_ONLY, "no-go"), (IN_PRODUCTION_TOO, "go")])
def test_a_binding_that_the_deployed_worker_lacks_is_found_live_as_in_a_snapshot(
    snapshot: Path, tmp_path: Path, wrangler: str, verdict: str
) -> None:
    folder = a_pull_request(tmp_path, wrangler)

    live = report_of(folder, "live", tmp_path)
    written = report_of(folder, str(snapshot), tmp_path)

    assert WORKER in [a["resource"] for a in live["affected"]]
    assert (live["verdict"], decided(live)) == (written["verdict"], decided(written))
    assert live["verdict"] == verdict


@pytest.mark.parametrize("resource", [WORKER, "cloudflare:worker:media-production"])
def test_a_report_calls_a_worker_by_its_name(resource: str) -> None:
    assert short(resource) == "media-production"
