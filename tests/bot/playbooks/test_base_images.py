"""Programs that get another base: OpenSSL 3, and a C library that is older than the builder's."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "dependency-change"]


def a_service(*, rate=80.0):
    production = MemoryProduction("github:acme/bank")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/shop/bank", "aws.ecs.service", "bank", is_deployed=True)
    if rate is not None:
        production.metric(service, "RequestCountPerSecond", "Count/Second", rate)
    return production


IMAGES = [
    ("python:3.11-slim-bullseye", "python:3.11-slim-bookworm"),
    ("ruby:3.1-alpine3.16", "ruby:3.1-alpine3.19"),
    ("ubuntu:20.04", "ubuntu:22.04"),
    ("debian:bullseye-slim", "debian:bookworm-slim"),
    ("registry.access.redhat.com/ubi8/ubi-minimal:8.9", "registry.access.redhat.com/ubi9/ubi-minimal:9.4"),
    ("public.ecr.aws/amazonlinux/amazonlinux:2", "public.ecr.aws/amazonlinux/amazonlinux:2023"),
    ("node:16-bullseye", "node:20-bullseye"),
    ("mcr.microsoft.com/dotnet/aspnet:6.0-focal", "mcr.microsoft.com/dotnet/aspnet:6.0-jammy"),
    ("gcr.io/distroless/python3-debian11", "gcr.io/distroless/python3-debian12"),
]
TLS = {
    "bank/http.py": "import ssl\n\ndef context():\n    c = ssl.create_default_context()\n    c.minimum_version = ssl.TLSVersion.TLSv1\n    return c\n",
    "bank/http.rb": "require 'net/http'\n\ndef client\n  http = Net::HTTP.new(host, 443)\n  http.ssl_version = :TLSv1\n  http\nend\n",
    "src/http.js": "const https = require('https');\nmodule.exports = new https.Agent({ minVersion: 'TLSv1' });\n",
    "src/Http.cs": "class Http {\n  HttpClientHandler H = new HttpClientHandler { SslProtocols = SslProtocols.Tls | SslProtocols.Tls12 };\n}\n",
    "src/http.php": "<?php\nfunction get($c) {\n  curl_setopt($c, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_0);\n}\n",
}


def moved(old, new, files, production):
    docker = 'FROM {}\nCOPY . .\nCMD ["run"]\n'
    return evaluation_of({"Dockerfile": docker.format(old), **files}, {"Dockerfile": docker.format(new)}, production)


@pytest.mark.parametrize(("old", "new"), IMAGES)
def test_openssl_3_under_a_client_of_old_tls_is_a_question(old, new) -> None:
    (chain,) = [
        e
        for e in moved(old, new, {"bank/http.py": TLS["bank/http.py"]}, a_service()).ledger
        if e.trajectory.playbook == "dependency-change"
    ]

    assert chain.status.value == "plausible"
    assert chain.trajectory.links[-1].question == "Which TLS version does the other side of bank/http.py negotiate?"


@pytest.mark.parametrize("path", sorted(TLS))
def test_old_tls_is_seen_in_every_language(path) -> None:
    assert told(moved("debian:bullseye", "debian:bookworm", {path: TLS[path]}, a_service())) == ["plausible"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("python:3.11-slim-bookworm", "python:3.11-slim-bookworm"),
        ("debian:bookworm", "debian:trixie"),
        ("debian:bookworm", "debian:bullseye"),
        ("node:18-bullseye", "node:20-bookworm"),
        ("ubuntu:18.04", "ubuntu:20.04"),
    ],
)
def test_a_base_with_the_same_openssl_is_silent(old, new) -> None:
    assert "plausible" not in told(moved(old, new, {"bank/http.py": TLS["bank/http.py"]}, a_service()))


@pytest.mark.parametrize(
    "code",
    [
        "import ssl\nc = ssl.create_default_context()\nc.minimum_version = ssl.TLSVersion.TLSv1_2\n",
        "import ssl\nc = ssl.create_default_context()\nc.minimum_version = ssl.TLSVersion.TLSv1_3\n",
        "import requests\nrequests.get('https://x', timeout=3)\n",
        "# the gateway no longer speaks TLSv1\nimport requests\n",
    ],
)
def test_code_that_asks_for_nothing_old_is_silent(code) -> None:
    assert told(moved("debian:bullseye", "debian:bookworm", {"bank/http.py": code}, a_service())) == []


def test_a_security_level_that_allows_it_again_refutes() -> None:
    code = TLS["bank/http.py"].replace("    return c\n", '    c.set_ciphers("DEFAULT@SECLEVEL=0")\n    return c\n')

    assert told(moved("debian:bullseye", "debian:bookworm", {"bank/http.py": code}, a_service())) == ["refuted"]


@pytest.mark.parametrize(("rate", "answer"), [(80.0, ["confirmed"]), (None, ["plausible"])])
def test_a_cipher_that_is_gone_fails_for_every_call(rate, answer) -> None:
    code = {"src/hash.js": "const c = require('crypto');\nexports.of = (t) => c.createHash('md4').update(t).digest('hex');\n"}

    assert told(moved("node:16-bullseye", "node:18-bullseye", code, a_service(rate=rate)))[:1] == answer


def test_a_key_file_of_an_old_cipher_is_a_question() -> None:
    code = {
        "bank/keys.py": "from cryptography.hazmat.primitives.serialization import pkcs12\n\nKEY = pkcs12.load_pkcs12(data, secret)\n"
    }

    assert told(moved("debian:bullseye", "debian:bookworm", code, a_service())) == ["plausible"]


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("eclipse-temurin:8-jre", "eclipse-temurin:17-jre", "plausible"),
        ("openjdk:11-jre-slim", "eclipse-temurin:21-jre-jammy", "plausible"),
        ("eclipse-temurin:17-jre-focal", "eclipse-temurin:17-jre-jammy", ""),
        ("eclipse-temurin:17-jre", "eclipse-temurin:21-jre", ""),
    ],
)
def test_a_jdk_that_disables_old_tls_is_a_question_for_who_asks_for_it(old, new, answer) -> None:
    code = {
        "src/main/java/Http.java": 'class Http {\n  SSLContext c() throws Exception { return SSLContext.getInstance("TLSv1"); }\n}\n'
    }

    assert ("plausible" in told(moved(old, new, code, a_service()))) == (answer == "plausible")


def test_the_image_of_another_program_does_not_count() -> None:
    files = {"pay/main.py": "import json\n", "bank/http.py": TLS["bank/http.py"]}
    docker = "FROM {}\nCOPY . .\n"
    base = {"pay/Dockerfile": docker.format("debian:bullseye"), **files}

    assert told(evaluation_of(base, {"pay/Dockerfile": docker.format("debian:bookworm")}, a_service())) == []


BUILT = "FROM rust:1.80-{} AS build\nRUN cargo build --release\nFROM {}\nCOPY --from=build /app /app\n"


@pytest.mark.parametrize(
    ("before", "after", "answer"),
    [
        (("bullseye", "debian:bullseye-slim"), ("bookworm", "debian:bullseye-slim"), ["plausible"]),
        (("bookworm", "debian:bookworm-slim"), ("bookworm", "debian:bullseye-slim"), ["plausible"]),
        (("bookworm", "debian:bookworm-slim"), ("bookworm", "alpine:3.20"), ["plausible"]),
        (("bullseye", "debian:bullseye-slim"), ("bookworm", "debian:bookworm-slim"), []),
        (("bullseye", "debian:bullseye-slim"), ("bullseye", "debian:bookworm-slim"), []),
    ],
)
def test_a_binary_is_built_on_the_library_that_it_runs_on(before, after, answer) -> None:
    said = evaluation_of({"Dockerfile": BUILT.format(*before)}, {"Dockerfile": BUILT.format(*after)}, a_service())

    assert told(said) == answer


def test_a_static_binary_runs_anywhere() -> None:
    static = BUILT.replace("--release", "--release --target x86_64-unknown-linux-musl")
    said = evaluation_of(
        {"Dockerfile": static.format("bullseye", "debian:bullseye")},
        {"Dockerfile": static.format("bookworm", "debian:bullseye")},
        a_service(),
    )

    assert told(said) == []


LAMBDA = 'resource "aws_lambda_function" "f" {{\n  function_name = "bank"\n  handler = "http.handler"\n  runtime = "{}"\n}}\n'


@pytest.mark.parametrize(
    ("old", "new", "answer"), [("python3.11", "python3.12", "plausible"), ("python3.12", "python3.13", "refuted")]
)
def test_the_runtime_of_a_function_brings_its_openssl(old, new, answer) -> None:
    production = MemoryProduction("github:acme/bank")
    production.resource("arn:aws:lambda:eu-west-1:1:function:bank", "aws.lambda.function", "bank", is_deployed=True, runtime=old)
    code = {"bank/http.py": TLS["bank/http.py"]}
    said = evaluation_of({"main.tf": LAMBDA.format(old), **code}, {"main.tf": LAMBDA.format(new)}, production)

    assert told(said) == [answer]


ASPNET = 'FROM mcr.microsoft.com/dotnet/aspnet:{}\n{}ENTRYPOINT ["dotnet", "bank.dll"]\n'
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: bank, namespace: shop}}
spec:
  template:
    spec:
      containers:
        - name: bank
          image: registry.example/bank:1
          ports:
            - containerPort: 80
{}"""
SIDECAR = "        - name: front\n          image: nginx:1.27\n"


@pytest.mark.parametrize(
    ("extra", "keys", "more", "answer"),
    [
        ("", ["DATABASE_URL"], "", ["confirmed"]),
        ("", ["DATABASE_URL"], SIDECAR, ["plausible"]),
        ("", None, "", ["plausible"]),
        ("", ["ASPNETCORE_URLS"], "", ["refuted"]),
        ("ENV ASPNETCORE_HTTP_PORTS=80\n", ["DATABASE_URL"], "", []),
    ],
)
def test_a_server_that_moves_to_another_port_is_held_against_where_requests_go(extra, keys, more, answer) -> None:
    production = MemoryProduction("github:acme/bank")
    known = {"environment_keys": keys} if keys is not None else {}
    service = production.resource(
        "kubernetes:prod/shop/deployment/bank", "kubernetes.deployment", "bank", is_deployed=True, **known
    )
    production.metric(service, "http_requests_per_second", "Count/Second", 80.0)
    docker = {name: ASPNET.format(name, extra) for name in ("7.0", "8.0", "9.0")}
    base = {"Dockerfile": docker["7.0"], "k8s/deployment.yaml": DEPLOYMENT.format(more)}

    assert told(evaluation_of(base, {"Dockerfile": docker["8.0"]}, production)) == answer
    assert told(evaluation_of({**base, "Dockerfile": docker["8.0"]}, {"Dockerfile": docker["9.0"]}, production)) == []
