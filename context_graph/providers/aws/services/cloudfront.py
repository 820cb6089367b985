"""Amazon CloudFront: distributions, their names, and the origins behind them."""

from collections.abc import Iterator, Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, listed, part
from gonogo.resource import Relation

SERVICE = "cloudfront"
PERMISSIONS = ("cloudfront:ListDistributions",)

_CACHE = "MinTTL DefaultTTL MaxTTL CachePolicyId ViewerProtocolPolicy Compress"


def collect(ask: Asking) -> None:
    """Every distribution. An origin's own headers may hold a secret and are not read."""
    for distribution in ask.pages(SERVICE, "list_distributions", "DistributionList.Items"):
        with ask.detail(f"distribution {distribution.get('Id')}"):
            _distribution(ask, distribution)


def _distribution(ask: Asking, distribution: Mapping[str, Any]) -> None:
    arn, names = distribution["ARN"], list(listed(distribution, "Aliases.Items"))
    attributes = chosen(distribution, "Id Status Enabled DomainName PriceClass HttpVersion")
    attributes["aliases"] = names
    attributes["DefaultCacheBehavior"] = chosen(part(distribution, "DefaultCacheBehavior"), _CACHE)
    origins = listed(distribution, "Origins.Items")
    attributes["origins"] = [origin["DomainName"] for origin in origins]
    name = names[0] if names else distribution["Id"]
    ask.resource(arn, "aws.cloudfront.distribution", name, attributes, aliases=[distribution["DomainName"], *names])
    for origin in origins:
        evidence = f"origin {origin.get('Id')}{origin.get('OriginPath') or ''}"
        ask.mention(arn, origin["DomainName"], evidence, Relation.ROUTES_TO)
    for behaviour, where in _behaviours(distribution):
        for function in listed(behaviour, "LambdaFunctionAssociations.Items"):
            evidence = f"{function.get('EventType')} of {where}"
            ask.edge(arn, function["LambdaFunctionARN"], Relation.INVOKES, evidence)


def _behaviours(distribution: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
    yield part(distribution, "DefaultCacheBehavior"), "the default behaviour"
    for behaviour in listed(distribution, "CacheBehaviors.Items"):
        yield behaviour, behaviour.get("PathPattern", "")
