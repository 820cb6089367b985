"""Manifests come from strangers: nothing in them may crash the reader, hang it, or make it big."""

import random
import time

import pytest

from context_graph.manifests import Manifests, read_manifests
from context_graph.testing import MemoryTree

OBJECT = "apiVersion: v1\nkind: Deployment\nmetadata: {name: x}\n"
QUEUE = 'resource "aws_sqs_queue" "q" {\n name = NAME\n}\n'
DEEP = 50_000


def doubling(first: str, step: str) -> str:
    lines = "\n".join(f" a{n + 1} = " + step.replace("A", f"local.a{n}") for n in range(40))
    return f"locals {{\n a0 = {first}\n{lines}\n}}\n" + QUEUE.replace("NAME", "local.a40")


HOSTILE = {
    "yaml-flow": {"a.yaml": OBJECT + "spec: " + "[" * DEEP},
    "yaml-block": {"a.yaml": OBJECT + "spec:\n" + "".join(" " * i + "a:\n" for i in range(1, 1200))},
    "yaml-dashes": {"a.yaml": OBJECT + "spec:\n" + "- " * DEEP},
    "yaml-questions": {"a.yaml": OBJECT + "spec:\n  " + "? " * DEEP},
    "yaml-bomb": {"a.yaml": OBJECT + "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{c}: &{c} [{','.join(['*' + p] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True))},
    "yaml-self": {"a.yaml": OBJECT + "spec: &s\n  a: *s\n  <<: *s\n"},
    "json-deep": {"a.json": '{"AWSTemplateFormatVersion": "x", "Resources": ' + '{"a":' * DEEP},
    "json-comment": {"wrangler.jsonc": "/*" + "*" * DEEP},
    "toml-deep": {"wrangler.toml": "a = " + "[" * DEEP},
    "toml-dots": {"wrangler.toml": ".".join("a" * DEEP) + " = 1\n"},
    "toml-quotes": {"wrangler.toml": 'name="x"\n' + '"' * DEEP},
    "hcl-brackets": {"a.tf": QUEUE.replace("NAME", "[" * DEEP + "]" * DEEP)},
    "hcl-operators": {"a.tf": QUEUE.replace("NAME", "1 + " * 5_000 + "1")},
    "hcl-blocks": {"a.tf": 'resource "aws_sqs_queue" "q" {\n' + "a {\n" * 5_000 + "}\n" * 5_000 + "}\n"},
    "hcl-text-doubling": {"a.tf": doubling('"xxxxxxxxxxxx"', '"${A}${A}"')},
    "hcl-list-doubling": {"a.tf": doubling('["x"]', "concat(A, A)")},
    "hcl-tree-doubling": {"a.tf": doubling('["x"]', "[A, A]")},
    "hcl-loops": {"a.tf": QUEUE.replace("NAME", "[for a in L : [for b in L : [for c in L : c]]]".replace("L", "[" + ",".join("1" * 300) + "]"))},
    "hcl-count": {"a.tf": QUEUE.replace("NAME", "1\n count = 2000000")},
    "hcl-module-self": {"a.tf": 'module "m" {\n source = "./x"\n}\n', "x/a.tf": 'module "m" {\n source = "../x"\n}\n' + QUEUE},
    "hcl-module-fan": {f"m{n}/a.tf": "".join(f'module "{c}" {{\n source = "../m{n + 1}"\n}}\n' for c in "ab") + QUEUE for n in range(30)},
    "helm": {"Chart.yaml": "name: x", "values.yaml": "a: 1", "templates/a.yaml": OBJECT + "x: " + '{{ "' * DEEP + "\ny: {{" + " " * DEEP},
    "serverless": {"serverless.yml": "service: x\nprovider: {name: aws}\ncustom:\n a0: xxxxxxxxxx\n" + "".join(f" a{n + 1}: ${{self:custom.a{n}}}${{self:custom.a{n}}}\n" for n in range(40)) + 'functions:\n f: {handler: "${self:custom.a40}"}\n'},
    "template": {"a.json": '{"AWSTemplateFormatVersion":"x","Resources":{"A":{"Type":"AWS::SQS::Queue","Properties":{"QueueName":' + '{"Fn::Sub":["${a}${a}",{"a":' * 25 + '"xxxxxxxxxxxxxxxxxxxx"' + "}]}" * 25 + "}}}}"},
    "blank-lines": {"a.yaml": "\n" * 100_000, "values.yaml": " " * 100_000},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_it_ends_soon_without_a_crash(name: str) -> None:
    started = time.process_time()

    found = read_manifests(MemoryTree(HOSTILE[name]))

    assert isinstance(found, Manifests)
    assert time.process_time() - started < 8
    assert len(found.model_dump_json()) < 5_000_000


@pytest.mark.parametrize("name", ["yaml-flow", "yaml-bomb", "json-deep", "toml-deep"])
def test_what_was_refused_is_said(name: str) -> None:
    assert read_manifests(MemoryTree(HOSTILE[name])).not_read


def test_any_mangled_manifest_is_read_or_refused() -> None:
    chance = random.Random(7)
    whole = {
        "a.tf": doubling('["x"]', "concat(A, A)") + 'data "x" "y" {\n  a = <<-EOT\n  ${b}\n  EOT\n}\n',
        "a.yaml": OBJECT + "spec: {template: {spec: {containers: [{name: a, env: [{name: A, value: b}]}]}}}\n",
        "template.yaml": "Resources:\n  A:\n    Type: AWS::Serverless::Function\n    Properties: {Events: {A: {Type: SQS, Properties: {Queue: !GetAtt [A, Arn]}}}}\n",
        "serverless.yml": "service: a\nprovider: {name: aws}\nfunctions:\n  a: {handler: b, events: [{sqs: c}, {http: GET /}]}\n",
        "wrangler.toml": 'name = "a"\n[[queues.producers]]\nbinding = "A"\nqueue = "b"\n[env.x.vars]\nA = "1"\n',
        "docker-compose.yml": "services:\n  a: {image: b, environment: [A=b], depends_on: [c]}\n",
    }

    for _ in range(150):
        files: dict[str, str] = {}
        for path, text in whole.items():
            at = chance.randrange(len(text))
            files[path] = (
                text[:at]
                + chance.choice(["", "[", "}", "null", "\n", ": ", "*a", "- ", '"', "${"])
                + text[at + chance.randrange(12) :]
            )
        assert isinstance(read_manifests(MemoryTree(files)), Manifests)
