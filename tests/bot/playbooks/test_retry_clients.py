"""Pauses, limits and callees of client libraries that try again."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "retries"]


def a_service(*, cpu=None, errors=None, **limits):
    production = MemoryProduction("github:acme/basket")
    basket = production.resource("kubernetes:prod/shop/deployment/basket", "kubernetes.deployment", "basket", is_deployed=True)
    stock = production.resource("kubernetes:prod/shop/deployment/stock", "kubernetes.deployment", "stock", **limits)
    production.edge(basket, stock, "invokes")
    production.metric(basket, "http_requests_per_second", "Count/Second", 100.0)
    if cpu is not None:
        production.metric(stock, "cpu_utilization", "Percent", cpu)
    if errors is not None:
        production.metric(stock, "http_error_ratio", "Percent", errors)
    return production


_GO_CLIENT = "package stock\n\nfunc New() *retryablehttp.Client {\n\tc := retryablehttp.NewClient()\n\tc.RetryMax = {}\n\tc.RetryWaitMin = {}\n\tc.RetryWaitMax = {}\n\treturn c\n}\n"
_SHORT = {
    "stock/client.go": _GO_CLIENT.replace("{}", "{N}", 1).replace("{}", "time.Millisecond", 1).replace("{}", "5 * time.Millisecond"),
    "stock/retry.go": "package stock\n\nfunc Get(id string) error {\n\treturn retry.Do(func() error { return call(id) },\n\t\tretry.Attempts({N}),\n\t\tretry.Delay(2*time.Millisecond),\n\t\tretry.MaxDelay(20*time.Millisecond))\n}\n",
    "stock/back.go": "package stock\n\nfunc Get(id string) error {\n\tb := backoff.NewExponentialBackOff()\n\tb.InitialInterval = time.Millisecond\n\tb.MaxInterval = 4 * time.Millisecond\n\treturn backoff.Retry(func() error { return call(id) }, backoff.WithMaxRetries(b, {N}))\n}\n",
    "stock/resty.go": "package stock\n\nfunc New() *resty.Client {\n\treturn resty.New().\n\t\tSetRetryCount({N}).\n\t\tSetRetryWaitTime(time.Millisecond).\n\t\tSetRetryMaxWaitTime(5 * time.Millisecond)\n}\n",
    "src/main/java/x/StockClient.java": "class StockClient {\n  RetryConfig c = RetryConfig.custom()\n      .maxAttempts({N})\n      .waitDuration(Duration.ofMillis(5))\n      .build();\n}\n",
    "src/main/java/y/StockClient.java": "class StockClient {\n  @Retryable(maxAttempts = {N}, backoff = @Backoff(delay = 10))\n  String get(String id) { return http.get(id); }\n}\n",
    "src/main/java/z/StockClient.java": "class StockClient {\n  RetryPolicy<Object> p = RetryPolicy.builder()\n      .withMaxRetries({N})\n      .withDelay(Duration.ofMillis(3))\n      .build();\n}\n",
    "src/main/java/w/StockClient.java": "class StockClient implements Interceptor {\n  static final int MAX_TRIES = {N};\n  public Response intercept(Chain chain) throws IOException {\n    Response response = chain.proceed(chain.request());\n    int tryCount = 0;\n    while (!response.isSuccessful() && tryCount < MAX_TRIES) {\n      tryCount++;\n      Thread.sleep(10);\n      response = chain.proceed(chain.request());\n    }\n    return response;\n  }\n}\n",
    "src/main/java/v/StockClient.java": "class StockClient {\n  static final int MAX_ATTEMPTS = {N};\n  static final Duration PAUSE = Duration.ofMillis(50);\n  String get() throws Exception {\n    for (int attempt = 1; ; attempt++) {\n      HttpResponse<String> r = http.send(request, BodyHandlers.ofString());\n      if (r.statusCode() < 500 || attempt == MAX_ATTEMPTS) {\n        return r.body();\n      }\n      Thread.sleep(PAUSE.toMillis());\n    }\n  }\n}\n",
    "src/StockClient.kt": "class StockClient {\n  suspend fun get(id: String): String {\n    repeat({N}) {\n      try { return http.get(id) } catch (e: IOException) { delay(10) }\n    }\n    error(id)\n  }\n}\n",
    "stock/tenacity.py": "@retry(stop=stop_after_attempt({N}), wait=wait_exponential(multiplier=0.01, max=0.05))\ndef get(sku):\n    return requests.get(sku)\n",
    "stock/fixed.py": "@retry(stop=stop_after_attempt({N}), wait=wait_fixed(0.01))\ndef get(sku):\n    return requests.get(sku)\n",
    "stock/expo.py": "@backoff.on_exception(backoff.expo, OSError, max_tries={N}, max_value=0.05)\ndef get(sku):\n    return requests.get(sku)\n",
    "stock/adapter.py": "session = requests.Session()\nsession.mount('http://', HTTPAdapter(max_retries=Retry(total={N}, backoff_factor=0.001)))\n",
    "stock/axios.ts": "axiosRetry(client, { retries: {N}, retryDelay: () => 10 });\n",
    "stock/p.ts": "export const get = (id: string) => pRetry(() => call(id), { retries: {N}, minTimeout: 5, maxTimeout: 20 });\n",
    "stock/got.ts": "export const client = got.extend({ retry: { limit: {N}, calculateDelay: () => 1 } });\n",
    "stock/own.ts": "const MAX = {N};\nexport async function get(id: string) {\n  for (let attempt = 0; attempt < MAX; attempt++) {\n    const r = await fetch(id);\n    if (r.ok) return r;\n    await sleep(5);\n  }\n  throw new Error(id);\n}\n",
    "app/stock_client.rb": "class StockClient\n  def connection\n    Faraday.new(ENV['STOCK_URL']) do |f|\n      f.request :retry, max: {N}, interval: 0.01\n    end\n  end\nend\n",
    "Stock/StockClient.cs": "class StockClient {\n  IAsyncPolicy P = Policy.Handle<HttpRequestException>().WaitAndRetryAsync({N}, i => TimeSpan.FromMilliseconds(5));\n}\n",
    "Stock/V8.cs": "class StockV8 {\n  RetryStrategyOptions O = new RetryStrategyOptions {\n    MaxRetryAttempts = {N},\n    Delay = TimeSpan.FromMilliseconds(5)\n  };\n}\n",
}  # fmt: skip


@pytest.mark.parametrize("path", sorted(_SHORT))
def test_a_pause_of_milliseconds_relieves_nobody(path) -> None:
    before, after = (_SHORT[path].replace("{N}", n) for n in ("1", "6"))

    assert told(evaluation_of({path: before}, {path: after}, a_service(cpu=95.0, errors=6.0))) == ["confirmed"]
    assert told(evaluation_of({path: before}, {path: after}, a_service())) == ["plausible"]
    assert told(evaluation_of({path: before}, {path: after}, a_service(cpu=5.0, errors=0.01))) == ["refuted"]


def test_a_pause_of_seconds_that_grows_keeps_the_question_open() -> None:
    text = _GO_CLIENT.replace("{}", "{N}", 1).replace("{}", "250 * time.Millisecond", 1).replace("{}", "4 * time.Second")
    before, after = (text.replace("{N}", n) for n in ("1", "6"))

    assert told(evaluation_of({"stock/client.go": before}, {"stock/client.go": after}, a_service(cpu=95.0, errors=6.0))) == [
        "plausible"
    ]


def test_the_limit_of_a_service_counts_however_it_is_called() -> None:
    path = "stock/client.go"
    before, after = (_SHORT[path].replace("{N}", n) for n in ("1", "6"))
    for name, limit in (("max_requests_per_second", 120), ("rateLimitRps", 120), ("quota_per_minute", 7_200)):
        production = a_service(errors=6.0, **{name: limit})
        production.metric("kubernetes:prod/shop/deployment/stock", "http_requests_per_second", "Count/Second", 100.0)

        assert told(evaluation_of({path: before}, {path: after}, production)) == ["confirmed"]


@pytest.mark.parametrize("path", ["stock/client.go", "src/main/java/x/StockClient.java", "app/stock_client.rb"])
def test_the_name_of_the_client_says_which_of_several_services_it_calls(path) -> None:
    production = a_service(cpu=95.0, errors=6.0)
    other = production.resource("external:mailer", "external.service", "mailer")
    production.edge("kubernetes:prod/shop/deployment/basket", other, "connects_to")
    before, after = (_SHORT[path].replace("{N}", n) for n in ("1", "6"))

    assert told(evaluation_of({path: before}, {path: after}, production)) == ["confirmed"]


def test_a_partner_without_telemetry_is_named_with_its_question() -> None:
    production = MemoryProduction("github:acme/basket")
    basket = production.resource("kubernetes:prod/shop/deployment/basket", "kubernetes.deployment", "basket", is_deployed=True)
    production.edge(basket, production.resource("external:stock-api", "external.service", "stock-api"), "connects_to")
    path = "src/main/java/v/StockClient.java"
    before, after = (_SHORT[path].replace("{N}", n) for n in ("2", "8"))
    (chain,) = [e for e in evaluation_of({path: before}, {path: after}, production).ledger if e.trajectory.playbook == "retries"]

    assert (chain.status.value, chain.trajectory.resource) == ("plausible", "external:stock-api")
    assert "rate limit" in (chain.trajectory.links[-1].question or "")
