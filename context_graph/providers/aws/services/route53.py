"""Amazon Route 53: zones, and where the names in them lead."""

from collections.abc import Mapping, Sequence
from typing import Any

from context_graph.providers.aws.asking import Asking, dig
from gonogo.resource import Relation

SERVICE = "route53"
PERMISSIONS = ("route53:ListHostedZones", "route53:ListResourceRecordSets")

_LEADS = ("A", "AAAA", "CNAME")
_MOST_IN_A_ZONE = 1000
"""Records that the zone itself lists; each has its own node whatever their number."""


def collect(ask: Asking) -> None:
    """Every zone, and every name of it that leads to an address; texts and mail are not read further."""
    for zone in ask.pages(SERVICE, "list_hosted_zones", "HostedZones", MaxItems="100"):
        with ask.detail(f"zone {zone.get('Name')}"):
            _zone(ask, zone)


def _zone(ask: Asking, zone: Mapping[str, Any]) -> None:
    number, name = zone["Id"].rpartition("/")[2], zone["Name"].rstrip(".")
    at = f"arn:{ask.partition}:route53:::hostedzone/{number}"
    names: dict[str, list[Mapping[str, Any]]] = {}
    with ask.detail(f"records of {name}"):
        records = ask.pages(SERVICE, "list_resource_record_sets", "ResourceRecordSets", HostedZoneId=zone["Id"], MaxItems="300")
        for record in records:
            if record["Type"] in _LEADS:
                names.setdefault(_readable(record["Name"]), []).append(record)
    listed = {_short(of, name): _described(records) for of, records in list(names.items())[:_MOST_IN_A_ZONE]}
    is_private = bool(dig(zone, "Config.PrivateZone"))
    ask.resource(at, "aws.route53.zone", name, {"records": listed, "private": is_private}, region="global")
    for of, records in names.items():
        with ask.detail(f"record {of}"):
            _record(ask, at, of, records)


def _record(ask: Asking, zone: str, name: str, records: Sequence[Mapping[str, Any]]) -> None:
    at = f"{zone}/recordset/{name}"
    ask.resource(at, "aws.route53.record", name, _described(records), aliases=[name], region="global")
    ask.edge(at, zone, Relation.DEPENDS_ON, "hosted zone")
    for record in records:
        evidence = f"record {name} {record['Type']}"
        if "SetIdentifier" in record:
            evidence += f" {record['SetIdentifier']}" + (f", weight {record['Weight']}" if "Weight" in record else "")
        for target in _targets(record):
            for source in (at, zone):
                ask.mention(source, target, evidence, Relation.ROUTES_TO)


def _described(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    lives = [record["TTL"] for record in records if "TTL" in record]
    return {
        "type": records[0]["Type"],
        "ttl": max(lives) if lives else 60,  # an alias has that of its target; those of AWS answer for 60 s
        "records": [target for record in records for target in _targets(record)][:20],
    }


def _targets(record: Mapping[str, Any]) -> list[str]:
    alias = dig(record, "AliasTarget.DNSName")
    values = [alias] if alias else [value["Value"] for value in record.get("ResourceRecords") or ()]
    return [value.rstrip(".") for value in values]


def _readable(name: str) -> str:
    return name.rstrip(".").replace("\\052", "*")


def _short(name: str, zone: str) -> str:
    """The name inside its zone, `@` for the zone's own."""
    return name.removesuffix(zone).rstrip(".") or "@"
