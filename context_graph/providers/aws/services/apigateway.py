"""Amazon API Gateway, REST and HTTP and WebSocket: APIs, and where their routes lead. A method may have no integration."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, dig, part
from gonogo.pattern import pattern
from gonogo.resource import Relation

SERVICE = "apigateway"
PERMISSIONS = ("apigateway:GET",)

_REST, _HTTP = "apigateway", "apigatewayv2"
_FUNCTION = pattern(r"functions/(arn:aws[^/]*)/invocations")
_SERVICE_CALL = pattern(r"arn:aws[a-z-]*:apigateway:([a-z0-9-]+):([a-z0-9.-]+):(path|action)/(.*)")
_STAGE_VARIABLE = pattern(r"\$\{stageVariables\.([A-Za-z0-9_]{1,256})\}")
_MOST_INTEGRATIONS = 5000


def collect(ask: Asking) -> None:
    """APIs of both generations, with a way to everything that a route leads to; then the domain names in front of them."""
    for api in ask.pages(_REST, "get_rest_apis", "items", limit=500):
        with ask.detail(f"API {api.get('name')}"):
            _rest_api(ask, api)
    for api in ask.pages(_HTTP, "get_apis", "Items", MaxResults="100"):
        with ask.detail(f"API {api.get('Name')}"):
            _http_api(ask, api)
    for domain in ask.pages(_HTTP, "get_domain_names", "Items", MaxResults="100"):
        with ask.detail(f"domain name {domain.get('DomainName')}"):
            _domain_name(ask, domain)


def _rest_api(ask: Asking, api: Mapping[str, Any]) -> None:
    at = _id(ask, f"restapis/{api['id']}")
    host = f"{api['id']}.execute-api.{ask.scope.region}.{_suffix(ask)}"
    attributes = {
        "protocol_type": "REST",
        **chosen(api, "description minimumCompressionSize apiKeySource disableExecuteApiEndpoint"),
    }
    ask.resource(at, "aws.apigateway.api", api["name"], attributes, aliases=[host])
    stages: list[Mapping[str, Any]] = []
    with ask.detail(f"stages of API {api['name']}"):
        stages = list(ask.pages(_REST, "get_stages", "item", restApiId=api["id"]))
        for stage in stages:
            _stage(ask, at, stage["stageName"], chosen(stage, "methodSettings cacheClusterEnabled tracingEnabled deploymentId"))
    variables = [part(stage, "variables") for stage in stages]
    with ask.detail(f"routes of API {api['name']}"):
        found = ask.pages(_REST, "get_resources", "items", restApiId=api["id"], limit=500, embed=["methods"])
        for route, integration in _methods(found):
            uri, connection = integration.get("uri") or "", integration.get("integrationTarget")
            for target in (connection, *_settled(uri, variables)):
                _leads_to(ask, at, target, route)
    with ask.detail(f"authorizers of API {api['name']}"):
        for authorizer in ask.pages(_REST, "get_authorizers", "items", restApiId=api["id"], limit=500):
            _authorizer(ask, at, authorizer.get("name"), _settled(authorizer.get("authorizerUri") or "", variables))


def _methods(resources: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    count = 0
    for resource in resources:
        methods: Mapping[str, Any] = resource.get("resourceMethods") or {}
        for verb, method in methods.items():
            integration = dig(method, "methodIntegration")  # a method that was never finished has none
            if integration and count < _MOST_INTEGRATIONS:
                count += 1
                yield f"route {verb} {resource.get('path', '')}", integration


def _http_api(ask: Asking, api: Mapping[str, Any]) -> None:
    at = _id(ask, f"apis/{api['ApiId']}")
    host = (api.get("ApiEndpoint") or "").partition("://")[2]
    attributes = chosen(api, "ProtocolType Description DisableExecuteApiEndpoint RouteSelectionExpression")
    ask.resource(at, "aws.apigateway.api", api["Name"], attributes, aliases=[host])
    stages: list[Mapping[str, Any]] = []
    with ask.detail(f"stages of API {api['Name']}"):
        stages = list(ask.pages(_HTTP, "get_stages", "Items", ApiId=api["ApiId"], MaxResults="100"))
        for stage in stages:
            _stage(ask, at, stage["StageName"], chosen(stage, "DefaultRouteSettings RouteSettings AutoDeploy"))
    variables = [part(stage, "StageVariables") for stage in stages]
    routes: dict[str, list[str]] = {}
    with ask.detail(f"routes of API {api['Name']}"):
        for route in ask.pages(_HTTP, "get_routes", "Items", ApiId=api["ApiId"], MaxResults="100"):
            integration = (route.get("Target") or "").removeprefix("integrations/")  # a route may have none
            routes.setdefault(integration, []).append(route["RouteKey"])
    with ask.detail(f"integrations of API {api['Name']}"):
        for integration in ask.pages(_HTTP, "get_integrations", "Items", ApiId=api["ApiId"], MaxResults="100"):
            keys = routes.get(integration["IntegrationId"])
            evidence = f"route {', '.join(keys[:3])}" if keys else f"integration {integration['IntegrationId']}, no route"
            for target in _settled(integration.get("IntegrationUri") or "", variables):
                _leads_to(ask, at, target, evidence)
            for name in ("QueueUrl", "StateMachineArn", "StreamName", "EventBusName"):
                if value := dig(integration, f"RequestParameters.{name}"):
                    ask.mention(at, value, evidence, Relation.ROUTES_TO)
    with ask.detail(f"authorizers of API {api['Name']}"):
        for authorizer in ask.pages(_HTTP, "get_authorizers", "Items", ApiId=api["ApiId"], MaxResults="100"):
            _authorizer(ask, at, authorizer.get("Name"), _settled(authorizer.get("AuthorizerUri") or "", variables))


def _stage(ask: Asking, api: str, name: str, settings: Mapping[str, Any]) -> None:
    at = f"{api}/stages/{name}"
    ask.resource(at, "aws.apigateway.stage", name, settings)
    ask.edge(at, api, Relation.DEPENDS_ON, "stage of the API")


def _settled(uri: str, stages: Sequence[Mapping[str, str]]) -> Sequence[str]:
    """The address with each stage's variables put in; one without variables stands for itself."""
    if not _STAGE_VARIABLE.search(uri):
        return [uri]
    return [_STAGE_VARIABLE.sub(lambda m, of=of: of.get(m.group(1), m.group(0)), uri) for of in stages]


def _leads_to(ask: Asking, api: str, target: str | None, evidence: str) -> None:
    if not target:
        return
    if function := _FUNCTION.search(target):
        ask.edge(api, function.group(1), Relation.ROUTES_TO, evidence)
    elif call := _SERVICE_CALL.fullmatch(target):
        region, service, how, rest = call.groups()
        account, _, name = rest.partition("/")
        if service.rpartition(".")[2] == "sqs" and how == "path" and name:  # …:sqs:path/111122223333/orders
            ask.edge(api, f"arn:{ask.partition}:sqs:{region}:{account}:{name}", Relation.ROUTES_TO, evidence)
        elif service.rpartition(".")[2] == "s3" and how == "path":
            ask.mention(api, account, evidence, Relation.ROUTES_TO)
    elif target.startswith("arn:"):
        ask.edge(api, target, Relation.ROUTES_TO, evidence)
    else:
        ask.mention(api, target.partition("{")[0], evidence, Relation.ROUTES_TO)


def _authorizer(ask: Asking, api: str, name: object, uris: Sequence[str]) -> None:
    for uri in uris:
        if function := _FUNCTION.search(uri):
            ask.edge(api, function.group(1), Relation.INVOKES, f"authorizer {name}")


def _domain_name(ask: Asking, domain: Mapping[str, Any]) -> None:
    name = domain["DomainName"]
    at = _id(ask, f"domainnames/{name}")
    configurations: Sequence[Mapping[str, Any]] = domain.get("DomainNameConfigurations") or ()
    hosts = [configuration.get("ApiGatewayDomainName") for configuration in configurations]
    ask.resource(at, "aws.apigateway.domain_name", name, {"endpoint": hosts[0] if hosts else None}, aliases=[name, *hosts])
    for mapping in ask.pages(_HTTP, "get_api_mappings", "Items", DomainName=name):
        key = mapping.get("ApiMappingKey") or "/"
        for which in ("apis", "restapis"):  # the answer does not say which generation the API is of: the one that is known counts
            ask.mention(at, _id(ask, f"{which}/{mapping['ApiId']}"), f"mapping {key} to {mapping['Stage']}", Relation.ROUTES_TO)


def _id(ask: Asking, path: str) -> str:
    return f"arn:{ask.partition}:apigateway:{ask.scope.region}::/{path}"


def _suffix(ask: Asking) -> str:
    return "amazonaws.com.cn" if ask.partition == "aws-cn" else "amazonaws.com"
