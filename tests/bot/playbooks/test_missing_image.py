"""Images that a manifest names, against the tags and digests that the registry lists."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

KUBERNETES = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, namespace: shop}}\nspec:\n  replicas: 4\n  selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: {{labels: {{app: web}}}}\n    spec:\n      containers:\n        - name: web\n          image: 1.dkr.ecr.eu-west-1.amazonaws.com/shop/web{}\n"
TASK = 'resource "aws_ecs_task_definition" "web" {{\n  family = "web"\n  container_definitions = jsonencode([{{name = "web", image = "1.dkr.ecr.eu-west-1.amazonaws.com/shop/web{}"}}])\n}}\nresource "aws_ecs_service" "web" {{\n  name = "web"\n  task_definition = aws_ecs_task_definition.web.arn\n}}\n'
FUNCTION = 'resource "aws_lambda_function" "web" {{\n  function_name = "web"\n  package_type = "Image"\n  image_uri = "1.dkr.ecr.eu-west-1.amazonaws.com/shop/web{}"\n}}\n'
OLD = "sha256:" + "a" * 64
NEW = "sha256:" + "b" * 64


def production(kind="kubernetes.deployment", name="shop/web", **lists):
    facts = MemoryProduction()
    own = {
        "kubernetes.deployment": "kubernetes:prod/shop/deployment/web",
        "aws.lambda.function": "arn:aws:lambda:eu-west-1:1:function:web",
    }.get(kind, "arn:aws:ecs:eu-west-1:1:service/shop/web")
    web = facts.resource(own, kind, "web", is_deployed=True, replicas=4, namespace="shop")
    registry = facts.resource(f"arn:aws:ecr:eu-west-1:1:repository/{name}", "aws.ecr.repository", name, **lists)
    facts.edge(web, registry, "depends_on")
    return facts


def told(base, head, facts):
    evaluation = evaluation_of(base, head, facts)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "missing-image"]


@pytest.mark.parametrize(
    ("file", "text", "kind"),
    [("k8s/web.yaml", KUBERNETES, "kubernetes.deployment"), ("web.tf", TASK, "aws.ecs.service"), ("web.tf", FUNCTION, "aws.lambda.function")],
)  # fmt: skip
@pytest.mark.parametrize(("tags", "expected"), [(["1.3", "1.4"], ["confirmed"]), (["1.4", "1.5"], ["refuted"]), (None, [])])
def test_a_tag_is_held_against_the_list_of_the_registry(file, text, kind, tags, expected) -> None:
    facts = production(kind, **({"image_tags": tags} if tags is not None else {}))

    assert told({file: text.format(":1.4")}, {file: text.format(":1.5")}, facts) == expected


@pytest.mark.parametrize(("digests", "expected"), [([OLD], ["confirmed"]), ([OLD, NEW], ["refuted"])])
def test_a_digest_is_held_against_digests(digests, expected) -> None:
    facts = production(image_tags=["1.4"], image_digests=digests)

    assert told({"k8s/web.yaml": KUBERNETES.format("@" + OLD)}, {"k8s/web.yaml": KUBERNETES.format("@" + NEW)}, facts) == expected


@pytest.mark.parametrize(
    "more",
    [
        {"Dockerfile": "FROM python:3.12\n"},
        {".github/workflows/release.yml": "jobs:\n  image:\n    steps:\n      - uses: docker/build-push-action@v6\n"},
        {"Makefile": "image:\n\tdocker build -t web .\n"},
    ],
)
def test_a_repository_that_builds_images_may_still_push_it(more) -> None:
    base = {"k8s/web.yaml": KUBERNETES.format(":1.4"), **more}

    assert told(base, {"k8s/web.yaml": KUBERNETES.format(":1.5")}, production(image_tags=["1.4"])) == ["plausible"]


@pytest.mark.parametrize(("name", "tag"), [("shop/api", ":1.5"), ("shop/web", ":latest"), ("shop/web", "")])
def test_another_repository_and_tags_that_move_are_not_spoken_of(name, tag) -> None:
    facts = production(name=name, image_tags=["1.4"])

    assert told({"k8s/web.yaml": KUBERNETES.format(":1.4")}, {"k8s/web.yaml": KUBERNETES.format(tag)}, facts) == []
