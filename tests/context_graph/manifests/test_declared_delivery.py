"""Who deploys and who owns: workflows led to what they name, and teams from CODEOWNERS."""

import pytest

from context_graph.testing_manifests import edges_of, graph_of

WORKER = {"edge/wrangler.toml": 'name = "edge"\ncompatibility_date = "2025-01-01"\n[env.prod]\nname = "edge-prod"\n'}
TEMPLATE = {
    "api/template.yaml": "Transform: AWS::Serverless-2016-10-31\nResources:\n  F: {Type: AWS::Serverless::Function}\n  T: {Type: AWS::SNS::Topic}\n"
}
OBJECTS = {"k8s/app.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\n"}
TERRAFORM = {"infra/main.tf": 'resource "aws_ecs_service" "app" {}\nresource "aws_sqs_queue" "q" {}\n'}


def workflow(step: str) -> dict[str, str]:
    return {".github/workflows/deploy.yml": f"on: push\njobs:\n  d:\n    steps:\n      - {step}\n"}


@pytest.mark.parametrize(
    ("step", "target"),
    [
        ("{run: npx wrangler deploy --env prod, working-directory: edge}", "env.prod.worker"),
        ("{run: 'cd edge && wrangler deploy'}", "worker"),
        ("{uses: cloudflare/wrangler-action@v3, with: {workingDirectory: edge, environment: prod}}", "env.prod.worker"),
        ("{run: sam deploy --template-file api/template.yaml --stack-name x}", "F"),
        ("{run: kubectl apply -f k8s/}", "deployment/default/app"),
        ("{run: terraform -chdir=infra apply -auto-approve}", "aws_ecs_service.app"),
    ],
)
def test_a_workflow_deploys_the_workloads_that_its_step_names(step: str, target: str) -> None:
    edges = edges_of(WORKER | TEMPLATE | OBJECTS | TERRAFORM | workflow(step))

    assert {edge for edge in edges if edge[1] == "deploys_to"} == {("workflow/deploy.yml", "deploys_to", target)}


def test_a_workflow_that_only_checks_is_no_resource() -> None:
    assert graph_of(workflow("{uses: hashicorp/setup-terraform@v3}") | workflow("{run: terraform validate}")).resources == ()


def test_the_last_rule_that_matches_says_which_team_owns_a_resource() -> None:
    owners = "* @acme/everyone\n/api/ @acme/api @someone\n*.tf @acme/platform # for now\n/infra/legacy/ @nobody\n"

    edges = edges_of(
        TEMPLATE
        | TERRAFORM
        | OBJECTS
        | {".github/CODEOWNERS": owners, "infra/legacy/main.tf": 'resource "aws_sns_topic" "old" {}\n'}
    )

    assert edges == {
        ("F", "owned_by", "team:acme/api"), ("T", "owned_by", "team:acme/api"),
        ("aws_ecs_service.app", "owned_by", "team:acme/platform"), ("aws_sqs_queue.q", "owned_by", "team:acme/platform"),
    }  # fmt: skip


def test_a_team_stands_where_it_is_first_named() -> None:
    graph = graph_of(TEMPLATE | {"CODEOWNERS": "# who\n\n/api/ @acme/api\n"})

    assert [(d.address, d.kind, d.file, d.line) for d in graph.resources if d.kind == "team"] == [
        ("team:acme/api", "team", "CODEOWNERS", 3)
    ]


@pytest.mark.parametrize(
    ("pattern", "file", "is_owned"),
    [
        ("api/*", "api/t.yaml", True), ("api/*", "api/deep/t.yaml", False), ("api/**", "api/deep/t.yaml", True),
        ("t.yaml", "api/deep/t.yaml", True), ("/t.yaml", "api/t.yaml", False), ("api", "x/api/t.yaml", True),
        ("/api/**/t.yaml", "api/a/b/t.yaml", True), ("(((", "api/t.yaml", False), ("[", "api/t.yaml", False),
    ],
)  # fmt: skip
def test_patterns_are_those_of_gitignore(pattern: str, file: str, is_owned: bool) -> None:
    files = {file: TEMPLATE["api/template.yaml"], "CODEOWNERS": f"{pattern} @acme/api\n"}

    assert bool(graph_of(files).edges) is is_owned
