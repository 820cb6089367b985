"""`gonogo doctor`: is everything there, and what may gonogo be given."""

from typing import Annotated

import typer


def doctor(
    iam_policy: Annotated[bool, typer.Option("--iam-policy", help="Print only the read-only IAM policy, as JSON.")] = False,
    profile: Annotated[str | None, typer.Option(help="AWS profile (default: as boto3 finds credentials).")] = None,
) -> int:
    """Look around: git, extras, database, AWS service by service, model, server, GitHub App; say what is missing and what to do.

    Nothing is written; the model is asked for one token. Prints the IAM policy and the PostgreSQL role that gonogo needs, and no more than it needs.

    Example: gonogo doctor --profile readonly

    Exit status: 0 when nothing that is set up is missing; 3 when something is.
    """
    import os  # noqa: PLC0415
    from datetime import UTC, datetime  # noqa: PLC0415

    from bot.entrypoints.cli.output import say  # noqa: PLC0415  loads when it is needed
    from bot.investigator.claude import check_access  # noqa: PLC0415
    from bot.jobs.checkup import Found, look_around  # noqa: PLC0415
    from bot.jobs.checkup_server import look_at_model, look_at_server  # noqa: PLC0415
    from bot.live import aws_account, has_aws, iam_policy_of_sync  # noqa: PLC0415
    from bot.report.doctor import doctor_text, policy_text  # noqa: PLC0415

    if iam_policy:
        say(policy_text(iam_policy_of_sync()))
        return 0
    account = (lambda: aws_account(profile=profile)) if has_aws() else None
    server = list(look_at_server(os.environ))  # first: its settings may come from a file
    looks = [*look_around(os.environ, account=account, now=datetime.now(UTC)), *look_at_model(os.environ, check_access), *server]
    policy = iam_policy_of_sync() if has_aws() else {}
    say(doctor_text([(look.found.value, look.what, look.said) for look in looks], policy))
    return 3 if any(look.found is Found.MISSING for look in looks) else 0
