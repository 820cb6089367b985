"""Actions that no line of code names: the key of an encrypted store, and what the platform does to feed a function."""

from collections.abc import Sequence

from bot.investigator.asking import Reading, edge, metric, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, unknown
from bot.investigator.facts.encryption import Encrypted, encrypted_stores, granted_by_key, store_rate, unencrypted
from bot.investigator.facts.traffic import per_second, traffic_of
from gonogo.evidence import Evidence
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Link, Refutation, Role
from heuristics.access import RemovedAction
from heuristics.access.sdk import uses_of_action

_FEEDS = {"sqs": "aws.sqs.", "kinesis": "aws.kinesis.", "dynamodb": "aws.dynamodb."}
_TAKEN = ("NumberOfMessagesReceived", "NumberOfMessagesSent", "GetRecords.Records", "IncomingRecords", "ReturnedRecordsCount")
_VERB = {"s3": ("GetObject", "PutObject"), "sqs": ("ReceiveMessage", "SendMessage"), "sns": ("Publish", "Publish")}


def implied(case: Case, removed: RemovedAction, role: Resource | None, programs: Sequence[Resource]) -> list[Link] | None:
    """The links that settle such an action, or None when production does not say whether it is needed."""
    service = removed.action.partition(":")[0].lower()
    if service == "kms":
        return _of_key(case, removed, role, programs)
    return _of_feed(case, removed, programs, _FEEDS[service]) if service in _FEEDS else None


# -- keys ------------------------------------------------------------------------------------------------


def _of_key(case: Case, removed: RemovedAction, role: Resource | None, programs: Sequence[Resource]) -> list[Link] | None:
    action = removed.action
    stores = encrypted_stores(case, programs, removed)
    if not stores:
        proofs = unencrypted(case, programs, removed)
        if not proofs:
            return None
        claim = f"{action} would be denied; nothing that {programs[0].name} reaches is encrypted with a key of this account"
        return [harm(claim, refuting=proofs[:3], refutation=Refutation.NO_LONGER_USED)]
    for one in stores:
        granted = granted_by_key(case, one.key, role)
        if granted is not None:
            return [
                harm(
                    f"{action} would be denied; the key itself allows it to the role",
                    refuting=(granted,),
                    refutation=Refutation.GUARDED,
                )
            ]
    rated = [
        (rate, one) for one in stores if (rate := store_rate(case, one) or traffic_of(case, one.program.id, "mean")) is not None
    ]
    rate, one = max(rated, key=lambda r: r[0].value, default=(None, stores[0]))
    verb = _VERB.get(one.service, ("read", "write"))[one.is_written]
    at = [quote(case, u.file, u.line) for u in uses_of_action(case.diff.head, f"{one.service}:{verb}")[:2]]
    how = mechanism(
        f"{one.store.name} is encrypted with {one.key.rpartition(':')[2]}, so each {verb} of {one.program.name} needs {action} too, and no other statement allows it",
        *one.cited, *at,
    )  # fmt: skip
    if rate is None:
        question = f"How often does {one.program.name} {'write to' if one.is_written else 'read'} {one.store.name}?"
        query = (
            f"aws cloudtrail lookup-events --lookup-attributes AttributeKey=EventName,AttributeValue={action.partition(':')[2]}"
        )
        return [how, unknown(Role.HARM, f"each {verb} is denied with AccessDenied by the key", question, query, *one.cited)]
    return [how, *_met(case, one, rate, verb, at)]


def _met(case: Case, one: Encrypted, rate: Reading, verb: str, at: Sequence[Evidence]) -> list[Link]:
    shown = edge(case, case.repository, one.program.id, Relation.DEPLOYS_TO)
    claim = f"{one.program.name} works {per_second(rate.value)} on average; each {verb} at {one.store.name} is refused with AccessDenied (KMS)"
    return [
        exposure(f"{one.program.name} runs with the role and uses {one.store.name}", rate, shown),
        harm(claim, rate, *one.cited, *at, comparison=compare(rate, ">", 0)),
    ]


# -- what feeds a function --------------------------------------------------------------------------------


def _of_feed(case: Case, removed: RemovedAction, programs: Sequence[Resource], kind: str) -> list[Link] | None:
    """A queue or stream that triggers the function: the platform polls it with the role of the function."""
    action = removed.action
    if _feed_changes(case):
        return None  # the trigger goes or moves in the same change: the playbook of consumers tells that
    for program in programs:
        for joined in case.into(program.id, Relation.TRIGGERS):
            source = case.production.resource(joined.source)
            if source is None or not source.kind.startswith(kind):
                continue
            shown = edge(case, joined.source, joined.target, joined.relation)
            how = mechanism(
                f"{source.name} triggers {program.name}, and the platform polls it with this role: it needs {action}", shown
            )
            taken = metric(case, source.id, _TAKEN, "mean")
            rate = taken if taken is not None and taken.unit == "1/s" else traffic_of(case, program.id, "mean")
            if rate is None:
                return None
            claim = f"messages of {source.name} come {per_second(rate.value)} on average and reach {program.name} no more"
            return [
                how,
                exposure(f"{program.name} works off {source.name}", rate, shown),
                harm(claim, rate, shown, comparison=compare(rate, ">", 0)),
            ]
    return None


def _feed_changes(case: Case) -> bool:
    return any(
        "event_source" in c.declared.kind or "event_source" in c.key or c.key.startswith(("events.", "trigger"))
        for c in case.diff.settings
        if c.new is None or c.key == ""
    )
