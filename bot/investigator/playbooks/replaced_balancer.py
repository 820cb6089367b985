"""A load balancer that the deploy replaces, or that the public network reaches no more."""

from collections.abc import Iterator

from bot.investigator.asking import config, quote_changes
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.rollout_shared import MATERIAL, id_of, who
from bot.investigator.facts.already_live import already_live
from bot.investigator.facts.traffic import per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.rule import RuleContext
from heuristics.runtime.balancers import NewBalancer, new_balancers
from heuristics.runtime.declared import shown

INFO = PlaybookInfo(
    id="replaced-balancer", question="Do requests come while the balancer is gone, or from where it is reached no more?"
)

_LEAST_S = 60.0
"""A new balancer of AWS is 'provisioning' for some minutes; a minute is careful."""
_ROUTES = ("scheme", "internal", "dns_name", "type", "state")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a balancer."""
    for found in case.diff.once(_all):
        yield _chain(case, found)


def _all(context: RuleContext) -> tuple[NewBalancer, ...]:
    return tuple(new_balancers(context))


def _chain(case: Case, found: NewBalancer) -> Trajectory:
    resource, name = who(case, found.change)
    lines = quote_changes(case, found.change)
    own = id_of(case, resource)
    said = "clients of the public network reach it no more" if found.is_hidden else "it has another address"
    had = _already(case, found, resource) if resource is not None else None
    claim = f"`{found.change.key}` cannot change in place: the balancer is deleted and another one made, and {said}"
    rate = traffic_of(case, resource.id) if resource is not None else None
    exists = config(case, resource.id, *_ROUTES, *sorted(resource.attributes)) if resource is not None else None
    return Trajectory(
        title=f"{name} is replaced{' by one that the public network does not reach' if found.is_hidden else ''}",
        impact=Impact.HIGH,
        resource=own,
        metric="RequestCount",
        links=(
            trigger(f"`{found.change.key}` of {name} goes from {shown(found.change.old)} to {shown(found.change.new)}", *lines),
            mechanism(claim, *lines) if had is None else mechanism(f"{claim}; but production has that already", *lines, refuting=(had,)),
            exposure(f"{name} gets requests up to {per_second(rate.value)}", rate, exists)
            if rate is not None
            else unknown(Role.EXPOSURE, f"{name} gets requests", f"How many requests does {name} get?", "RequestCount over the last 7 days", exists),
            _harm(case, found, resource, name),
        ),
        make_safe="Make the new balancer beside the old one, move the records when its targets are healthy, and delete the old one later.",
        path=(own,),
        undo="Change it back, which replaces it once more; its old address does not come back.",
    )  # fmt: skip


def _already(case: Case, found: NewBalancer, resource: Resource) -> ConfigEvidence | None:
    """The live setting that is as the manifest says from now on; the scheme and `internal` say the same."""
    if found.change.key not in ("internal", "scheme"):
        return already_live(case, resource, found.change) if found.change.key != "name" else None
    cited = config(case, resource.id, "scheme", "internal")
    if cited is None:
        return None
    is_internal = str(cited.value).lower() in ("internal", "true")
    wanted = str(found.change.new.value if found.change.new is not None else False).lower() in ("internal", "true")
    return cited if is_internal == wanted else None


def _harm(case: Case, found: NewBalancer, resource: Resource | None, name: str) -> Link:
    rate = traffic_of(case, resource.id, "mean") if resource is not None else None
    scheme = config(case, resource.id, "scheme", "internal") if resource is not None else None
    question = f"Who calls {name}, and from where?"
    query = f"aws elbv2 describe-load-balancers --names {name}; access log of {name} by client"
    if rate is None:
        return unknown(Role.HARM, f"requests of {name} fail", question, query, scheme)
    lost = rate.value * _LEAST_S
    gone = f"{name} is gone for at least {_LEAST_S:g} s: {rate.value:.3g} requests a second are {lost:,.0f} that fail"
    if found.is_hidden and scheme is not None and str(scheme.value).lower() in ("internet-facing", "false"):
        said = f"{rate.value:.3g} requests a second come through {name}, which is public today"
        return harm(said, rate, scheme, comparison=compare(rate, ">", 0)) if lost >= MATERIAL else unknown(Role.HARM, said, question, query, rate, scheme)  # fmt: skip
    if lost < MATERIAL or found.is_gap:
        return harm(gone, rate, comparison=compare(round(lost, 3), ">=", MATERIAL))
    return unknown(Role.HARM, f"clients that know the old address of {name} reach nobody", question, query, rate)
