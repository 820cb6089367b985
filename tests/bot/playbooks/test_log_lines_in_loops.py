"""A more detailed level lets a line through for each item of a loop: lines × rate × bytes, against what the log service takes."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status
from gonogo.word import Json

SERVICE, LOGS = "kubernetes:p/n/deployment/ranker", "grafana:loki_tenant:acme"
GO = 'package main\n\nimport (\n\t"log/slog"\n\t"net/http"\n)\n\nfunc rank(w http.ResponseWriter, r *http.Request) {\n\toffers := load(r)\n\tfor _, one := range offers {\n\t\tslog.DEBUG("scored", "id", one.ID)\n\t}\n\tslog.Info("ranked", "candidates", len(offers))\n}\n\nfunc main() {\n\thttp.HandleFunc("/rank", rank)\n}\n'
PYTHON = 'import logging\nfrom fastapi import FastAPI\n\napp = FastAPI()\nlog = logging.getLogger(__name__)\n\n\n@app.post("/rank")\ndef rank(body: dict):\n    offers = body["offers"]\n    for one in offers:\n        log.debug("scored %s", one)\n    log.info("ranked %d candidates for %s", len(offers), body["user"])\n    return offers\n'
SCRIPT = 'const app = require("express")();\napp.post("/rank", (req, res) => {\n  const offers = pick(req);\n  offers.forEach((one) => {\n    logger.debug("scored", one.id);\n  });\n  logger.info({ candidates: offers.length }, "ranked");\n  res.json(offers);\n});\n'
ZAP = (
    GO.replace("log/slog", "go.uber.org/zap")
    .replace('slog.DEBUG("scored", "id", one.ID)', 'log.DEBUG("scored", zap.String("id", one.ID))')
    .replace('slog.Info("ranked", "candidates", len(offers))', 'log.Info("ranked", zap.Int("candidates", len(offers)))')
)
JAVA = 'package com.acme;\n\n@RestController\nclass Rank {\n  @PostMapping("/rank")\n  List<Offer> rank(List<Offer> offers) {\n    for (Offer one : offers) {\n      log.debug("scored {}", one);\n    }\n    log.info("ranked {} candidates", offers.size());\n    return offers;\n  }\n}\n'
PROGRAMS = {
    "main.go": GO.replace("DEBUG", "Debug"),
    "app/main.py": PYTHON,
    "src/server.js": SCRIPT,
    "cmd/main.go": ZAP.replace("DEBUG", "Debug"),
    "src/main/java/com/acme/Rank.java": JAVA,
}
SAID = {
    "main.go": '{"level": "INFO", "msg": "ranked", "candidates": 380}',
    "app/main.py": "INFO ranked 380 candidates for u_17",
    "src/server.js": '{"level":30,"candidates":380,"msg":"ranked"}',
    "cmd/main.go": '{"level":"info","msg":"ranked","candidates":380}',
    "src/main/java/com/acme/Rank.java": "INFO c.acme.Rank - ranked 380 candidates",
}
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ranker\ndata:\n  LOG_LEVEL: {}\n"


def _production(path: str, rate: float, *, said: str | None = None, limit: dict[str, Json] | None = None) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource(SERVICE, "kubernetes.deployment", "ranker", is_deployed=True)
    logs = production.resource(
        LOGS, "grafana.loki_tenant", "acme", is_deployed=False, **(limit or {"ingestion_rate_limit_bytes_per_s": 12_000_000.0})
    )
    production.edge(service, logs, "writes_to")
    production.metric(service, "http_requests_per_second", "Count/Second", rate)
    production.metric(logs, "loki_distributor_bytes_received_per_second", "Bytes/Second", 3e6)
    production.log(service, *[said or SAID[path]] * 5)
    return production


def _statuses(path: str, production: MemoryProduction, new: str = "debug") -> list[Status]:
    files = {path: PROGRAMS[path], "k8s/config.yaml": CONFIG.format("info")}
    evaluation = evaluation_of(files, {"k8s/config.yaml": CONFIG.format(new)}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "log-volume"]


@pytest.mark.parametrize("path", PROGRAMS)
@pytest.mark.parametrize(("rate", "expected"), [(500.0, Status.CONFIRMED), (0.15, Status.REFUTED), (60.0, Status.PLAUSIBLE)])
def test_a_line_for_each_item_is_held_against_the_ingestion_limit(path: str, rate: float, expected: Status) -> None:
    assert _statuses(path, _production(path, rate)) == [expected]


def test_without_the_number_of_items_nothing_is_confirmed() -> None:
    assert _statuses("main.go", _production("main.go", 500.0, said="started")) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    "limit",
    [
        {"ingestion_rate_mb": 12.0},
        {"max_ingest_gb_per_day": 1_000.0},
        {"daily_quota_gb": 900.0},
        {"ingest_limit_mb_per_minute": 720.0},
        {"ingestion_quota_tb_per_month": 30.0},
    ],
)
def test_a_limit_is_read_by_any_usual_name_and_unit(limit: dict[str, Json]) -> None:
    assert _statuses("main.go", _production("main.go", 500.0, limit=limit)) == [Status.CONFIRMED]
    assert _statuses("main.go", _production("main.go", 0.15, limit=limit)) == [Status.REFUTED]


@pytest.mark.parametrize("limit", [{"ingestion_burst_bytes": 18e6}, {"retention_gb_days": 14.0}, {"max_line_size_bytes": 256e3}])
def test_other_numbers_of_the_log_service_are_no_limit(limit: dict[str, Json]) -> None:
    assert Status.CONFIRMED not in _statuses("main.go", _production("main.go", 500.0, limit=limit))


def test_a_trace_line_is_not_written_at_debug() -> None:
    files = {"src/server.js": SCRIPT.replace("logger.debug", "logger.trace"), "k8s/config.yaml": CONFIG.format("info")}
    evaluation = evaluation_of(files, {"k8s/config.yaml": CONFIG.format("debug")}, _production("src/server.js", 500.0))

    assert Status.CONFIRMED not in [e.status for e in evaluation.ledger if e.trajectory.playbook == "log-volume"]
