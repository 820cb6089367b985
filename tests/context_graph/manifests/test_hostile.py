"""Manifests come from strangers: nothing in them may crash the reader, hang it, or make it big."""

import random
import time

import pytest

from context_graph.manifests import Manifests, declared_graph, read_manifests
from context_graph.testing import MemoryTree

OBJECT = "apiVersion: v1\nkind: Deployment\nmetadata: {name: x}\n"
QUEUE = 'resource "aws_sqs_queue" "q" {\n name = NAME\n}\n'
DEEP = 50_000


def doubling(first: str, step: str) -> str:
    lines = "\n".join(f" a{n + 1} = " + step.replace("A", f"local.a{n}") for n in range(40))
    return f"locals {{\n a0 = {first}\n{lines}\n}}\n" + QUEUE.replace("NAME", "local.a40")


LABELLED = """apiVersion: apps/v1
kind: Deployment
metadata: {name: x}
spec: {template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, env: [{name: A, value: "x:1"}]}]}}}
"""


def stack_of(names: str, own: str) -> str:
    """A template that nests every one of these, and hands its own parameters on."""
    nested = "".join(
        f"  N{other}{n}:\n    Type: AWS::CloudFormation::Stack\n    Properties: {{TemplateURL: ../{other}/t.yaml, "
        f"Parameters: {{P: !Ref P, Q: !GetAtt N{other}{n}.Outputs.O}}}}\n"
        for other in names
        for n in range(4)
    )
    outputs = f"Outputs: {{O: {{Value: !GetAtt N{names[0]}0.Outputs.O}}}}\n"
    queue = f"  Queue{own}: {{Type: AWS::SQS::Queue, Properties: {{QueueName: !Ref P, Tags: !Ref Q}}}}\n"
    return "Parameters: {P: {Type: String}, Q: {Type: String}}\nResources:\n" + nested + queue + outputs


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
    "compose-extends-itself": {"compose.yaml": "services:\n  a: {image: x, extends: {service: b}}\n  b: {image: x, extends: {service: a}}\n"},
    "compose-hosts": {"compose.yaml": "services:\n" + "".join(f"  s{n}: {{image: x, environment: {{A: '{','.join(f's{m}:1' for m in range(300))}'}}}}\n" for n in range(600))},
    "compose-variables": {"compose.yaml": "services:\n  a: {image: x, environment: {A: '$A'}}\n  b: {image: y}\n", ".env": "A=$B$B$B$B\nB=$A$A$A$A\n" * 3_000},
    "bindings": {"wrangler.jsonc": '{"name": "x", "kv_namespaces": [' + ",".join(f'{{"binding": "B{n}", "id": "{n}"}}' for n in range(5_000)) + "]}"},
    "copies": {"a.yaml": "---\n".join(["apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {selector: {a: b}}\n---\n" + LABELLED] * 600)},
    "stacks-nest-each-other": {f"{c}/t.yaml": stack_of("ab", c) for c in "ab"},
    "stacks-fan": {f"{c}/t.yaml": stack_of("abcdefgh", c) for c in "abcdefgh"},
    "workflow": {".github/workflows/a.yml": "on: push\njobs:\n a:\n  steps:\n" + ("   - run: '" + "cd x; wrangler deploy; " * 800 + "'\n") * 60},
    "owners-stars": {"CODEOWNERS": f"/{'*a' * 120}b @x/y\n{'**/a/' * 90}b @x/y\n", "/".join("a" * 100) + "/main.tf": QUEUE.replace("NAME", "1"), "a" * 200 + ".tf": QUEUE},
    "owners-many": {"CODEOWNERS": "x*y*z @x/y\n" * 5_000} | {f"m{n}/main.tf": QUEUE.replace("NAME", "1") for n in range(300)},
    "duplicate-keys": {"t.yaml": "Resources:\n  A: {Type: AWS::SQS::Queue}\n  A: {Type: AWS::SNS::Topic}\n", "a.tf": QUEUE + QUEUE, "wrangler.json": '{"name": "a", "name": "b"}'},
    "odd-tags": {"t.yaml": "Resources:\n  A:\n    Type: AWS::SQS::Queue\n    Properties: !!python/object/apply:os.system [x]\n  B: !Weird {Type: x}\n"},
    "tabs": {"compose.yaml": "services:\n\ta:\n\t\timage: x\n"},
    "hcl-wide": {"a.tf": "".join(f'resource "aws_sqs_queue" "q{n}" {{\n count = 1000000\n}}\n' for n in range(2_000))},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_it_ends_soon_without_a_crash(name: str) -> None:
    started = time.process_time()

    found = declared_graph(MemoryTree(HOSTILE[name])) if "owners" in name else read_manifests(MemoryTree(HOSTILE[name]))

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


class WatchedTree(MemoryTree):
    """Remembers every path that is asked for."""

    def __init__(self, files: dict[str, str | None]) -> None:
        super().__init__(files)
        self.asked: set[str] = set()

    def text(self, path: str) -> str | None:
        self.asked.add(path)
        return super().text(path)


def test_nothing_outside_the_tree_is_ever_asked_for() -> None:
    tree = WatchedTree({
        "main.tf": QUEUE.replace("NAME", 'file("/etc/passwd")') + 'module "m" {\n source = "../../../etc"\n}\nlocals {\n a = templatefile("../x.tpl", {})\n b = fileset("/etc", "*")\n}\n',
        "t.yaml": "Resources:\n  A: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ../../etc/passwd}}\n",
        "compose.yaml": "services:\n  a: {image: x, env_file: [../../.env, /etc/environment], extends: {file: ../../b.yaml, service: b}}\n",
        "wrangler.toml": 'name = "a"\nmain = "../../x.ts"\n',
        "kustomization.yaml": "resources: [../../k8s]\npatches: [{path: ../../../etc/p.yaml}]\n",
        "Chart.yaml": "name: x\ndependencies: [{name: y, repository: 'file://../../y'}]\n",
        "values.yaml": "a: 1\n",
        ".github/workflows/a.yml": "on: push\njobs: {a: {steps: [{run: 'kubectl apply -f ../../x'}]}}\n",
    })  # fmt: skip

    graph = declared_graph(tree)

    assert {path for path in tree.asked if path.startswith(("/", "..")) or "/../" in path} == set()
    assert "root:" not in graph.model_dump_json()
    queue = next(d for d in read_manifests(tree).resources if d.address == "aws_sqs_queue.q")
    assert queue.name is None
    assert queue.settings["name"].value is None


def test_what_is_not_text_or_too_large_is_said_and_the_rest_is_read() -> None:
    files = {"a.tf": None, "wrangler.toml": None, "big.tf": " " * 2_000_001, "ok.tf": QUEUE.replace("NAME", '"q"')}

    graph = declared_graph(MemoryTree(files))

    assert [d.address for d in graph.resources] == ["aws_sqs_queue.q"]
    assert {n.file for n in graph.not_read} == {"a.tf", "wrangler.toml", "big.tf"}


def test_too_many_bindings_are_said() -> None:
    graph = declared_graph(MemoryTree(HOSTILE["bindings"]))

    assert len(graph.resources) <= 2_001
    assert [n.file for n in graph.not_read] == ["wrangler.jsonc"]
