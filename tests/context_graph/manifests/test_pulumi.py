"""Programs of Pulumi as manifests."""

from context_graph.manifests import read_manifests, touches_manifests
from context_graph.testing import MemoryTree

PROJECT = {"infra/Pulumi.yaml": "name: shop\nruntime: nodejs\n"}


def _declared(path: str, text: str, **more: str):
    found = read_manifests(MemoryTree({**PROJECT, path: text, **more}, side="head"))
    assert not found.not_read
    return found


def test_a_class_is_read_under_the_kind_that_terraform_has() -> None:
    text = 'import * as aws from "@pulumi/aws";\nconst q = new aws.sqs.Queue("orders", {\n  // what it is called\n  name: "orders",\n  visibilityTimeoutSeconds: 120,\n  tags: { ...common, team: "x" },\n}, { protect: true });\n'

    (queue,) = _declared("infra/index.ts", text).resources

    assert (queue.kind, queue.address, queue.name, queue.line, queue.end_line) == (
        "aws.sqs.queue", "aws_sqs_queue.orders", "orders", 2, 7,
    )  # fmt: skip
    assert (queue.settings["visibility_timeout_s"].value, queue.settings["visibility_timeout_s"].line) == (120, 5)
    assert queue.settings["prevent_destroy"].value is True


def test_python_and_go_read_alike() -> None:
    python = 'import pulumi_aws as aws\nfrom pulumi_aws import sqs\n\ndb = aws.rds.Instance("db", identifier="orders", multi_az=True)\nsqs.Queue("q", name="q")\n'
    go = 'package main\n\nimport (\n\t"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/rds"\n)\n\nfunc main() {\n\tdb, err := rds.NewInstance(ctx, "db", &rds.InstanceArgs{\n\t\tIdentifier: pulumi.String("orders"),\n\t\tMultiAz: pulumi.Bool(true),\n\t})\n}\n'

    in_python, in_go = _declared("infra/__main__.py", python).resources, _declared("infra/main.go", go).resources

    assert [d.kind for d in in_python] == ["aws.rds.instance", "aws.sqs.queue"]
    assert [(d.kind, d.name, d.settings["multi_az"].value) for d in (in_python[0], in_go[0])] == [
        ("aws.rds.instance", "orders", True)
    ] * 2


def test_a_constant_of_another_file_is_cited_where_it_stands() -> None:
    text = 'import * as aws from "@pulumi/aws";\nimport { size } from "./sizes";\nnew aws.rds.Instance("db", { instanceClass: size });\n'

    (database,) = _declared("infra/index.ts", text, **{"infra/sizes.ts": '\nexport const size = "db.t3.large";\n'}).resources

    assert (database.settings["instance_class"].value, database.settings["instance_class"].file) == (
        "db.t3.large",
        "infra/sizes.ts",
    )
    assert database.settings["instance_class"].line == 2


def test_what_is_computed_is_not_guessed() -> None:
    text = 'import * as aws from "@pulumi/aws";\nfor (const n of names) {\n  new aws.sqs.Queue(`q-${n}`, { name: `q-${n}`, delaySeconds: base * 2, ...rest });\n}\n'

    (queue,) = _declared("infra/index.ts", text).resources

    assert queue.is_conditional
    assert queue.name is None
    assert all(setting.value is None for setting in queue.settings.values())


def test_a_mention_of_another_resource_is_an_edge() -> None:
    text = 'import * as aws from "@pulumi/aws";\nconst dead = new aws.sqs.Queue("dead", {});\nnew aws.ec2.SecurityGroupRule("r", { securityGroupId: sg.id, cidrBlocks: [] });\nnew aws.sns.TopicSubscription("s", { endpoint: dead.arn, protocol: "sqs", topic: "t" });\n'

    assert ("aws_sns_topic_subscription.s", "aws_sqs_queue.dead") in {
        (e.source, e.target) for e in _declared("infra/index.ts", text).edges
    }


def test_code_outside_of_a_project_declares_nothing() -> None:
    text = 'import * as aws from "@pulumi/aws";\nnew aws.sqs.Queue("orders", {});\n'
    tree = MemoryTree({**PROJECT, "src/index.ts": text}, side="head")

    assert read_manifests(tree).resources == ()
    assert not touches_manifests(tree, ["src/index.ts"])
    assert touches_manifests(tree, ["infra/index.ts"])


def test_a_program_that_never_closes_its_brackets_ends() -> None:
    text = 'import * as aws from "@pulumi/aws";\nnew aws.sqs.Queue("orders", {{{[[[((("' + "{[(" * 3_000

    assert len(_declared("infra/index.ts", text).resources) <= 1
