"""Stores that a program reaches and that a customer's key encrypts: reading or writing them needs the key as well."""

import re
from collections.abc import Sequence

from bot.investigator.asking import Reading, config, edge, metric
from bot.investigator.case import Case
from gonogo.evidence import ConfigEvidence, Evidence, GraphEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Edge, Relation, Resource
from heuristics.access import RemovedAction
from heuristics.access.sdk import allows, uses_of_action
from heuristics.names.removed import has_code

KEY_KEYS = (
    "kms_key_id", "kms_key_arn", "kms_master_key_id", "kms_key", "sse_kms_key_id", "sse_kms_master_key_id", "kms_data_key_id",
    "encryption.kms_key_id", "encryption.kms_key_arn", "encryption.kms_master_key_id", "encryption.key", "sse.kms_key_id", "sse.kms_master_key_id",
    "server_side_encryption.kms_key_id", "server_side_encryption.kms_key_arn", "server_side_encryption.kms_master_key_id", "encryption_key", "key_id",
)  # fmt: skip
_STATES = (
    "sse_algorithm", "sse_type", "encryption_type", "encryption", "server_side_encryption", "sqs_managed_sse_enabled", "sqs_managed_sse", "encrypted",
)  # fmt: skip
_STORES = ("aws.s3.", "aws.sqs.", "aws.sns.", "aws.kinesis.", "aws.secretsmanager.", "aws.ssm.")
_READS = (Relation.READS_FROM, Relation.CONNECTS_TO, Relation.DEPENDS_ON)
_WRITES = (Relation.WRITES_TO, Relation.PUBLISHES_TO)
_CALLS = {
    "s3": ("s3:GetObject", "s3:PutObject"), "sqs": ("sqs:ReceiveMessage", "sqs:SendMessage"), "sns": ("sns:Publish",), "kinesis": ("kinesis:PutRecord",),
    "secretsmanager": ("secretsmanager:GetSecretValue",), "ssm": ("ssm:GetParameter", "ssm:GetParameters"),
}  # fmt: skip
_RATES = {
    ("s3", False): ("GetRequests",), ("s3", True): ("PutRequests",), ("sqs", False): ("NumberOfMessagesReceived",), ("sqs", True): ("NumberOfMessagesSent",),
    ("sns", True): ("NumberOfMessagesPublished",), ("kinesis", True): ("IncomingRecords",), ("kinesis", False): ("GetRecords.Records",),
}  # fmt: skip
_OF_THE_PROVIDER = pattern(r"(?i)(^|/)aws/(s3|sqs|sns|kinesis|secretsmanager|ssm|lambda|dynamodb)$")


class Encrypted(Record):
    """One store that a program reaches, the key that encrypts it, and what says both."""

    program: Resource
    store: Resource
    key: str
    cited: tuple[Evidence, ...]
    is_written: bool

    @property
    def service(self) -> str:
        """The service of the store, as actions spell it."""
        return self.store.kind.split(".")[1]


def encrypted_stores(case: Case, programs: Sequence[Resource], removed: RemovedAction) -> list[Encrypted]:
    """The stores for which the action on the key is needed, and that the removed statement's resources may mean."""
    found: list[Encrypted] = []
    for program, store, joined, is_written in _reached(case, programs, removed.action):
        key, cited = _key_of(case, store)
        if key is None or not _is_meant(removed, key):
            continue
        if has_code(case.diff) and joined.relation is not Relation.TRIGGERS and not _is_called(case, store):
            continue
        at = edge(case, joined.source, joined.target, joined.relation)
        found.append(Encrypted(program, store, key, tuple(e for e in (cited, at) if e is not None), is_written))
    return found


def unencrypted(case: Case, programs: Sequence[Resource], removed: RemovedAction) -> list[ConfigEvidence]:
    """Proof that nothing the programs reach needs a key: the state of every store; empty when one was not read or there is none."""
    proofs: list[ConfigEvidence] = []
    for _, store, _, _ in _reached(case, programs, removed.action):
        key, _ = _key_of(case, store)
        state = config(case, store.id, *KEY_KEYS, *_STATES)
        says_key = (
            state is not None and re.search(r"(?i)kms", str(state.value)) is not None and not _is_of_provider(str(state.value))
        )
        if key is not None or state is None or (says_key and _own_key(case, store) is None):
            return []
        proofs.append(state)
    return proofs


def granted_by_key(case: Case, key: str, role: Resource | None) -> ConfigEvidence | None:
    """The key's own policy or grant that names the role, so that its policies do not matter."""
    found = next((r for r in case.production.resources if r.kind == "aws.kms.key" and _same_key(r.id, key)), None)
    if found is None or role is None:
        return None
    for name in ("key_policy", "policy", "grants", "grantees", "key_users", "users"):
        said = config(case, found.id, name)
        if said is not None and re.search(rf"(?<![\w-]){re.escape(role.name)}(?![\w-])", str(said.value)):
            return said
    return None


def store_rate(case: Case, one: Encrypted) -> Reading | None:
    """The store's own count of what needs the key."""
    found = metric(case, one.store.id, _RATES.get((one.service, one.is_written), ()), "mean")
    return found if found is not None and found.unit == "1/s" else None


def _reached(case: Case, programs: Sequence[Resource], action: str) -> list[tuple[Resource, Resource, Edge, bool]]:
    is_for_reading = allows(action, "kms:Decrypt")
    is_for_writing = any(allows(action, f"kms:{verb}") for verb in ("GenerateDataKey", "Encrypt", "ReEncryptTo"))
    found: list[tuple[Resource, Resource, Edge, bool]] = []
    for program in programs:
        for joined in (*case.out_of(program.id), *case.into(program.id, Relation.TRIGGERS)):
            store = case.production.resource(joined.target if joined.source == program.id else joined.source)
            if store is None or not store.kind.startswith(_STORES):
                continue
            is_written = joined.relation in _WRITES
            is_read = joined.relation in (*_READS, Relation.TRIGGERS)
            if (is_for_reading and (is_read or (is_written and store.kind.startswith("aws.sqs.")))) or (
                is_for_writing and is_written
            ):
                found.append((program, store, joined, is_written))
    return found


def _key_of(case: Case, store: Resource) -> tuple[str | None, Evidence | None]:
    """The customer's key of a store: its configuration, else its edge to a key."""
    said = config(case, store.id, *KEY_KEYS)
    if said is not None and isinstance(said.value, str) and said.value and not _is_of_provider(said.value):
        is_off = config(case, store.id, "sse_algorithm", "sse_type", "encryption_type")
        if is_off is None or re.search(r"(?i)kms", str(is_off.value)):
            return said.value, said
        return None, None
    own = _own_key(case, store)
    return (own.target, own) if own is not None else (None, None)


def _own_key(case: Case, store: Resource) -> GraphEvidence | None:
    for joined in case.out_of(store.id):
        target = case.production.resource(joined.target)
        if target is not None and target.kind == "aws.kms.key" and not _is_of_provider(target.name):
            return edge(case, joined.source, joined.target, joined.relation)
    return None


def _is_called(case: Case, store: Resource) -> bool:
    return any(uses_of_action(case.diff.head, action) for action in _CALLS.get(store.kind.split(".")[1], ()))


def _is_meant(removed: RemovedAction, key: str) -> bool:
    """Whether the statement may be about the key: only another key's full name says that it is not."""
    named = [text for text in removed.resources if re.match(r"arn:aws[\w-]*:kms:.*:key/[\w-]+$", text)]
    return not named or len(named) < len(removed.resources) or any(_same_key(text, key) for text in named)


def _same_key(one: str, other: str) -> bool:
    return one.rpartition("/")[2] == other.rpartition("/")[2]


def _is_of_provider(key: str) -> bool:
    return _OF_THE_PROVIDER.search(key) is not None
