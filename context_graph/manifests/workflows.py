"""GitHub Actions workflows: when they run, what they filter on, and whether they deploy."""

from itertools import islice

from context_graph.manifests.deploys import MAX_DEPLOYMENTS, deploys_of
from context_graph.manifests.node import Draft, Node, Reading
from gonogo.pattern import pattern

_DEPLOYS = pattern(
    r"(?:^|[\s/;&|])(?:terraform|tofu) apply|cdk deploy|(?:^|\s)sam deploy|serverless deploy|(?:^|\s)sls deploy|wrangler (?:deploy|publish)"
    r"|kubectl (?:apply|set image|rollout)|helm (?:upgrade|install)|aws (?:ecs update-service|lambda update-function|cloudformation deploy|s3 sync)"
    r"|gcloud (?:run|functions|app) deploy|fly(?:ctl)? deploy|vercel (?:deploy|--prod)|pulumi up|kamal deploy|cap [a-z]+ deploy|argocd app sync"
    r"|git push (?:heroku|dokku)|eb deploy|netlify deploy"
)
_DEPLOY_ACTIONS = pattern(
    r"wrangler-action|amazon-ecs-deploy|aws-cloudformation|deploy-cloudrun|setup-sam|terraform|k8s-deploy|helm|heroku-deploy|flyctl"
    r"|azure/webapps-deploy|serverless|deploy"
)


def is_workflow(root: Node, file: str) -> bool:
    """True for a file of `.github/workflows` that has jobs."""
    return ".github/workflows/" in f"/{file}" and "jobs" in root.entries()


def read_workflow(root: Node, file: str) -> Reading:
    """The workflow as one resource."""
    name = file.rpartition("/")[2]
    draft = Draft("github.workflow", f"workflow/{name}", file, 1, max(1, root.end_line), Node({}, 1), name, scope=file)
    draft.extra = _triggers(root) | _steps(root)
    variables = root.get("env")
    for key, value in (variables.entries() if variables is not None else {}).items():
        draft.extra[f"environment.{key}"] = value
    links = list(islice(deploys_of(root, draft), MAX_DEPLOYMENTS))
    if not links and not _is_deploying(draft):
        draft.part_of = draft.address  # a workflow that only checks or builds is nothing of production
    return Reading(drafts=[draft], links=links)


def _is_deploying(workflow: Draft) -> bool:
    """True when a step runs a command that deploys, or an action that is called so; setting up a tool is no deployment."""
    steps = [(key, node.string() or "") for key, node in workflow.extra.items() if ".step." in key]
    return any(
        _DEPLOYS.search(written[:20_000]) if key.endswith(".run") else "deploy" in written or "wrangler-action" in written
        for key, written in steps
    )


def _triggers(root: Node) -> dict[str, Node]:
    on = root.entries().get("on") or root.entries().get("true")
    if on is None:
        return {}
    names = [*on.entries()] or [name for item in on.items() if (name := item.string()) is not None]
    settings: dict[str, Node] = {
        "triggers": Node([Node(n, on.line) for n in sorted(names)], on.line, text=", ".join(sorted(names)))
    }
    schedule = on.get("schedule")
    crons = [cron for item in (schedule.items() if schedule is not None else []) if (cron := item.get("cron")) is not None]
    if schedule is not None and crons:
        settings["schedule"] = crons[0] if len(crons) == 1 else Node(crons, crons[0].line)
    for event in ("push", "pull_request", "pull_request_target"):
        for key in ("paths", "paths-ignore", "branches", "tags"):
            found = on.get(event, key)
            if found is not None:
                settings[f"{event}.{key.replace('-', '_')}"] = found
    return settings


def _steps(root: Node) -> dict[str, Node]:
    settings: dict[str, Node] = {}
    deploys: list[Node] = []
    jobs = root.get("jobs")
    for name, job in (jobs.entries() if jobs is not None else {}).items():
        for key, ours in (
            ("timeout-minutes", "timeout_minutes"),
            ("environment", "environment"),
            ("runs-on", "runs_on"),
            ("if", "if"),
        ):
            found = job.get(key)
            if found is not None and not isinstance(found.value, dict | list):
                settings[f"job.{name}.{ours}"] = found
        steps = job.get("steps")
        for number, step in enumerate(steps.items() if steps is not None else []):
            for key in ("run", "uses"):
                found = step.get(key)
                written = found.string() if found is not None else None
                if found is None or written is None:
                    continue
                settings[f"job.{name}.step.{number}.{key}"] = found
                pattern = _DEPLOYS if key == "run" else _DEPLOY_ACTIONS
                if pattern.search(written[:20_000]):
                    deploys.append(Node(written[:200], found.line))
    if deploys:
        settings["deploys"] = Node(value=True, line=deploys[0].line, text=str(deploys[0].value))
    return settings
