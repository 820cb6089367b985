"""`gonogo doctor`: is everything there, and what may gonogo be given."""

from typing import Annotated

import typer


def doctor(
    iam_policy: Annotated[bool, typer.Option("--iam-policy", help="Print only the read-only IAM policy, as JSON.")] = False,
    cluster_role: Annotated[bool, typer.Option("--cluster-role", help="Print only the Kubernetes role, as YAML.")] = False,
    cloudflare_token: Annotated[
        bool, typer.Option("--cloudflare-token", help="Print only the Cloudflare permissions, as JSON.")
    ] = False,
    profile: Annotated[str | None, typer.Option(help="AWS profile (default: as boto3 finds credentials).")] = None,
    context: Annotated[str | None, typer.Option(help="Context of the kubeconfig (default: the current one).")] = None,
    cluster: Annotated[str | None, typer.Option(help="What the cluster is called (default: its name in the kubeconfig).")] = None,
    namespaces: Annotated[str, typer.Option(help="Namespaces of the cluster, by comma (default: all of it).")] = "",
) -> int:
    """Look around: git, extras, database, AWS service by service, model, server, GitHub App; say what is missing and what to do.

    Nothing is written; the model is asked for one token. Prints what to allow: AWS, Kubernetes, Cloudflare and PostgreSQL, and no more than gonogo needs.

    Example: gonogo doctor --profile readonly

    Exit status: 0 when nothing that is set up is missing; 3 when something is.
    """
    import os  # noqa: PLC0415
    from datetime import UTC, datetime  # noqa: PLC0415

    from bot.entrypoints.cli.output import say  # noqa: PLC0415  loads when it is needed
    from bot.graph_sources import has_cluster  # noqa: PLC0415
    from bot.investigator.claude import check_access  # noqa: PLC0415
    from bot.jobs.checkup import Found, look_around  # noqa: PLC0415
    from bot.jobs.checkup_cloudflare import look_at_cloudflare  # noqa: PLC0415
    from bot.jobs.checkup_kubernetes import look_at_kubernetes  # noqa: PLC0415
    from bot.jobs.checkup_server import look_at_model, look_at_server  # noqa: PLC0415
    from bot.live import (  # noqa: PLC0415
        aws_account,
        cloudflare_collectors,
        cloudflare_token_of_sync,
        cluster_role_of_sync,
        has_aws,
        has_cloudflare,
        iam_policy_of_sync,
        kubernetes_access,
        kubernetes_namespaces,
    )
    from bot.report.doctor import doctor_text, policy_text  # noqa: PLC0415

    if iam_policy:
        say(policy_text(iam_policy_of_sync()))
        return 0
    spaces = [part.strip() for part in namespaces.split(",") if part.strip()] or kubernetes_namespaces(os.environ)
    if cluster_role:
        say(cluster_role_of_sync(spaces))
        return 0
    if cloudflare_token:
        say(policy_text(cloudflare_token_of_sync()))
        return 0
    account = (lambda: aws_account(profile=profile)) if has_aws() else None
    server = list(look_at_server(os.environ))  # first: its settings may come from a file
    access = (lambda: kubernetes_access(os.environ, context=context, cluster=cluster)) if context or has_cluster() else None
    looks = [*look_around(os.environ, account=account, now=datetime.now(UTC))]
    sampling = (lambda: cloudflare_collectors(os.environ, is_sample=True)) if has_cloudflare(os.environ) else None
    looks += [
        *look_at_kubernetes(access, namespaces=spaces),
        *look_at_cloudflare(sampling),
        *look_at_model(os.environ, check_access),
        *server,
    ]
    allowed = [
        ("AWS policy (exactly the calls that a sync makes)", policy_text(iam_policy_of_sync() if has_aws() else {})),
        ("Kubernetes role (exactly the lists that a sync reads; no Secret is among them)", cluster_role_of_sync(spaces)),
        ("Cloudflare token (exactly the calls that a sync makes)", policy_text(cloudflare_token_of_sync())),
    ]
    say(doctor_text([(look.found.value, look.what, look.said) for look in looks], allowed))
    return 3 if any(look.found is Found.MISSING for look in looks) else 0
