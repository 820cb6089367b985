"""What Apps and people may do: permissions and their levels, roles, and the events that need them."""

from collections.abc import Mapping
from typing import Literal

Role = Literal["admin", "maintain", "write", "triage", "read", "none"]

ROLES: tuple[Role, ...] = ("none", "read", "triage", "write", "maintain", "admin")
PERMISSIONS = {
    "metadata": "read", "contents": "read", "pull_requests": "write", "checks": "write", "issues": "read",
    "merge_queues": "read", "deployments": "read", "actions": "read", "environments": "read", "secrets": "read",
}  # fmt: skip
EVENTS = (
    "pull_request", "merge_group", "check_run", "check_suite", "issue_comment", "push", "deployment",
    "deployment_status", "repository",
)  # fmt: skip
EVENT_NEEDS = {
    "pull_request": "pull_requests", "merge_group": "merge_queues", "check_run": "checks", "check_suite": "checks", "issue_comment": "issues",
    "push": "contents", "deployment": "deployments", "deployment_status": "deployments", "repository": "metadata",
}  # fmt: skip
"""The permission, at least to read, without which an App can neither subscribe to an event nor get it."""
UNSUBSCRIBED = ("installation", "installation_repositories", "installation_target", "github_app_authorization", "ping")
"""Events that an App gets without asking for them."""


def allows(permissions: Mapping[str, str], name: str, level: str) -> bool:
    """Whether a grant is enough: admin includes write, write includes read."""
    levels = ("", "read", "write", "admin")
    granted = "read" if name == "metadata" else permissions.get(name, "")
    return levels.index(granted) >= levels.index(level)
