"""A queue, topic, bucket or function lets another service in no more: what that service brings to it today."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, edge, quote_place, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.rates import arrival_rate
from bot.investigator.facts.traffic import per_second, traffic_of
from gonogo.resource import Edge, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.access.resource_policies import CALLERS, RemovedGrant, removed_grants


def refused_services(case: Case) -> Iterator[Trajectory]:
    """One chain for every service that a policy of a resource lets in no more."""
    for removed in case.diff.once(removed_grants)[:30]:
        owner = case.live_of(removed.owner)
        yield _told(case, removed, owner, list(_links(case, removed, owner)))


def _links(case: Case, removed: RemovedGrant, owner: Resource | None) -> Iterator[Link]:
    feeders = list(_feeders(case, removed, owner)) if owner is not None else []
    name = owner.name if owner is not None else removed.owner.name or removed.owner.address
    arriving = arrival_rate(case, owner.id) if owner is not None else None
    rates = [(feeder, _brought(case, feeder)) for feeder in feeders]
    if (arriving is not None and arriving.value == 0) or (rates and all(r is not None and r.value == 0 for _, r in rates)):
        none = arriving if arriving is not None and arriving.value == 0 else rates[0][1]
        if none is not None:
            yield harm(
                f"what {removed.service} brings to {name} would be refused; nothing came", none, comparison=compare(none, ">", 0)
            )
            return
    if removed.tie is not None:
        gone = quote_place(case, removed.tie)
        claim = f"what {removed.service} brings to {name} would be refused; it brings nothing any more, since {removed.tie.file} line {removed.tie.line} goes as well"
        yield harm(claim, refuting=(gone,), refutation=Refutation.NO_LONGER_USED)
        return
    moving = max(((f, r) for f, r in rates if r is not None and r.value > 0), key=lambda one: one[1].value, default=None)
    if moving is not None and owner is not None and len(feeders) == len(rates) and _is_whole(removed):
        feeder, rate = moving
        source = case.production.resource(feeder.source)
        by = source.name if source is not None else removed.service
        yield mechanism(
            f"{by} brings to {name} what it gets, and no statement lets it in any more",
            edge(case, feeder.source, feeder.target, feeder.relation),
        )
        yield exposure(f"{by} brings something {per_second(rate.value)} on average", rate, comparison=compare(rate, ">", 0))
        yield harm(f"{name} refuses it with AccessDenied, {per_second(rate.value)}", rate, comparison=compare(rate, ">", 0))
        return
    question = f"Does {removed.service} still bring anything to {name}, and what else lets it in?"
    yield unknown(Role.HARM, f"what {removed.service} brings to {name} is refused", question, _query(removed, name), arriving)


def _is_whole(removed: RemovedGrant) -> bool:
    """Whether the policy that goes was all there is: a function may have further permissions that no manifest here declares."""
    return removed.policy.kind != "aws.lambda.permission" or removed.source is not None


def _feeders(case: Case, removed: RemovedGrant, owner: Resource) -> Iterator[Edge]:
    kinds = CALLERS.get(removed.service, ())
    live = case.live_of(removed.source)
    for one in case.into(owner.id):
        source = case.production.resource(one.source)
        if source is not None and kinds and source.kind.startswith(kinds) and (live is None or live.id == source.id):
            yield one


def _brought(case: Case, feeder: Edge) -> Reading | None:
    return arrival_rate(case, feeder.source) or traffic_of(case, feeder.source, "mean")


def _query(removed: RemovedGrant, name: str) -> str:
    if removed.policy.kind == "aws.lambda.permission":
        return f"aws lambda get-policy --function-name {name}"
    if removed.policy.kind == "aws.sqs.queue_policy":
        return (
            "aws cloudwatch get-metric-statistics --namespace AWS/SQS --metric-name NumberOfMessagesSent "
            f"--dimensions Name=QueueName,Value={name} --statistics Sum --period 86400"
        )
    return f"the calls of {removed.service} at {name} a day over the last week"


def _told(case: Case, removed: RemovedGrant, owner: Resource | None, links: list[Link]) -> Trajectory:
    name = owner.name if owner is not None else removed.owner.name or removed.owner.address
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    ends = (
        "and nothing comes from there"
        if safe
        else "which may still bring something"
        if any(link.question for link in links)
        else "which still brings something"
    )
    target = owner.id if owner is not None else case.repository
    cited = [e.resource for link in links for e in link.evidence if e.kind == "metric"]
    return Trajectory(
        title=f"{name} lets {removed.service} in no more, {ends}",
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=target,
        metric="NumberOfNotificationsFailed" if removed.service == "sns" else "Errors",
        links=(
            trigger(
                f"{removed.policy.address} allows {removed.service} {removed.action} no more ({removed.place.file} line {removed.place.line} before the change)",
                *quote_removed(case, removed.place.file, removed.place.line),
            ),
            *links,
        ),
        make_safe=f"Take away what brings something to {name} first, and its policy after it.",
        undo=f"Put the statement back and apply it; what {removed.service} could not bring meanwhile is lost or tried again.",
        path=tuple(dict.fromkeys((target, *cited))),
    )
