"""Actions that a role loses in a program of infrastructure: CDK in every language, Pulumi, and `grant…` calls."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

ROLE = "arn:aws:iam::1:role/scans"


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "removed-permission"]


def a_role(*, deletes=None, is_own=False):
    production = MemoryProduction("github:acme/access")
    role = production.resource(ROLE, "aws.iam.role", "scans", is_deployed=True, actions=["s3:GetObject", "s3:DeleteObject"])
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/scans", "aws.ecs.service", "scans", is_deployed=is_own)
    bucket = production.resource("arn:aws:s3:::scans", "aws.s3.bucket", "scans")
    production.edge(service, role, "connects_to")
    production.edge(service, bucket, "writes_to")
    if deletes is not None:
        production.metric(bucket, "DeleteRequests", "Count", deletes)
    return production


CDK_TS = """import { Stack, aws_iam as iam } from "aws-cdk-lib";
export class Access extends Stack {
  make() {
    const role = new iam.Role(this, "Scans", { roleName: "scans", assumedBy: by });
    role.addToPolicy(new iam.PolicyStatement({
      actions: ["s3:GetObject"{extra}],
      resources: ["arn:aws:s3:::scans/*"],
    }));
  }
}
"""
CDK_GRANT = """import { Stack, aws_iam as iam, aws_s3 as s3 } from "aws-cdk-lib";
export class Access extends Stack {
  make() {
    const bucket = s3.Bucket.fromBucketName(this, "B", "scans");
    const role = new iam.Role(this, "Scans", { roleName: "scans", assumedBy: by });
    bucket.grantRead(role);
    {extra}
  }
}
"""
CDK_PYTHON = """from aws_cdk import aws_iam as iam

class Access:
    def make(self):
        self.role = iam.Role(self, "Scans", role_name="scans", assumed_by=by)
        self.role.add_to_policy(
            iam.PolicyStatement(
                actions=[
                    "s3:GetObject",
{extra}
                ],
                resources=["arn:aws:s3:::scans/*"],
            )
        )
"""
CDK_JAVA = """import software.amazon.awscdk.services.iam.*;
class Access {
  void make() {
    Role role = Role.Builder.create(this, "Scans").roleName("scans").assumedBy(by).build();
    role.addToPolicy(PolicyStatement.Builder.create()
        .actions(List.of("s3:GetObject"{extra}))
        .resources(List.of("arn:aws:s3:::scans/*"))
        .build());
  }
}
"""
CDK_GO = """package main

import "github.com/aws/aws-cdk-go/awscdk/v2/awsiam"

func access() {
	role := awsiam.NewRole(stack, jsii.String("Scans"), &awsiam.RoleProps{RoleName: jsii.String("scans")})
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions: jsii.Strings("s3:GetObject"{extra}),
		Resources: jsii.Strings("arn:aws:s3:::scans/*"),
	}))
}
"""
PULUMI_TS = """import * as aws from "@pulumi/aws";
const role = new aws.iam.Role("scans", { name: "scans", assumeRolePolicy: trust });
new aws.iam.RolePolicy("objects", {
  role: role.id,
  policy: JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: ["s3:GetObject"{extra}], Resource: "arn:aws:s3:::scans/*" }],
  }),
});
"""
PULUMI_PYTHON = """import json
import pulumi_aws as aws

role = aws.iam.Role("scans", name="scans", assume_role_policy=trust)
aws.iam.RolePolicy(
    "objects",
    role=role.id,
    policy=json.dumps({"Statement": [{"Effect": "Allow", "Action": ["s3:GetObject"{extra}], "Resource": "*"}]}),
)
"""
PROGRAMS = {
    "lib/access.ts": (CDK_TS, ', "s3:DeleteObject"'),
    "lib/grants.ts": (CDK_GRANT, "bucket.grantDelete(role);"),
    "access/stack.py": (CDK_PYTHON, '                    "s3:DeleteObject",'),
    "src/main/java/Access.java": (CDK_JAVA, ', "s3:DeleteObject"'),
    "access.go": (CDK_GO, ', "s3:DeleteObject"'),
    "index.ts": (PULUMI_TS, ', "s3:DeleteObject"'),
    "__main__.py": (PULUMI_PYTHON, ', "s3:DeleteObject"'),
}
PATHS = sorted(PROGRAMS)


def change(path, production, more=None):
    text, extra = PROGRAMS[path]
    base = {path: text.replace("{extra}", extra), **(more or {})}
    return evaluation_of(base, {path: text.replace("{extra}", "")}, production)


@pytest.mark.parametrize("path", PATHS)
def test_an_action_of_a_role_in_use_whose_code_is_elsewhere_is_a_question(path) -> None:
    (chain,) = [e for e in change(path, a_role()).ledger if e.trajectory.playbook == "removed-permission"]

    assert (chain.status.value, chain.trajectory.resource) == ("plausible", ROLE)
    assert chain.trajectory.links[-1].question == "Did scans use s3:DeleteObject in the last 90 days?"


@pytest.mark.parametrize("path", PATHS)
def test_an_action_that_was_not_done_once_is_refuted(path) -> None:
    assert told(change(path, a_role(deletes=0.0, is_own=True))) == ["refuted"]


@pytest.mark.parametrize("path", PATHS)
def test_an_action_that_code_of_the_repository_does_is_confirmed(path) -> None:
    code = {
        "worker/clean.py": 'import boto3\ns3 = boto3.client("s3")\n\ndef clean(k):\n    s3.delete_object(Bucket="scans", Key=k)\n'
    }

    assert told(change(path, a_role(deletes=30.0, is_own=True), code)) == ["confirmed"]


@pytest.mark.parametrize("path", PATHS)
def test_an_action_that_is_added_says_nothing(path) -> None:
    text, extra = PROGRAMS[path]

    assert told(evaluation_of({path: text.replace("{extra}", "")}, {path: text.replace("{extra}", extra)}, a_role())) == []


def test_an_action_that_moves_to_a_statement_of_its_own_says_nothing() -> None:
    own = '    role.addToPolicy(new iam.PolicyStatement({ actions: ["s3:Delete*"], resources: ["*"] }));\n  }\n}'
    head = CDK_TS.replace("{extra}", "").replace("  }\n}", own, 1)

    assert told(evaluation_of({"lib/a.ts": CDK_TS.replace("{extra}", ', "s3:DeleteObject"')}, {"lib/a.ts": head}, a_role())) == []


def test_a_denial_that_goes_says_nothing() -> None:
    denied = CDK_TS.replace("actions:", "effect: iam.Effect.DENY,\n      actions:")

    assert told(evaluation_of({"lib/a.ts": denied.replace("{extra}", ', "s3:DeleteObject"')}, {"lib/a.ts": denied.replace("{extra}", "")}, a_role())) == []  # fmt: skip


def test_strings_of_other_programs_are_no_permissions() -> None:
    assert (
        told(evaluation_of({"app.ts": 'export const a = ["s3:DeleteObject"];\n'}, {"app.ts": "export const a = [];\n"}, a_role()))
        == []
    )
