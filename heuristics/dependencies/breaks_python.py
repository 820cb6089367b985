"""What Python and its libraries took away."""

from heuristics.dependencies.breaks import Break, gone
from heuristics.dependencies.pins import Version

_MODULES: dict[Version, str] = {
    (3, 10): "parser symbol formatter",
    (3, 11): "binhex",
    (3, 12): "distutils asyncore asynchat imp smtpd",
    (3, 13): "cgi cgitb crypt telnetlib imghdr sndhdr nntplib pipes uu xdrlib audioop chunk mailcap msilib nis ossaudiodev spwd aifc sunau lib2to3",
}  # fmt: skip
_PROVIDED = {"distutils": ("setuptools",), "imp": (), "cgi": ("legacy-cgi",), "telnetlib": ("telnetlib3", "standard-telnetlib"), "crypt": ("legacycrypt", "crypt-r"), "asyncore": ("pyasyncore",), "asynchat": ("pyasynchat",), "audioop": ("audioop-lts",), "imghdr": ("standard-imghdr",)}  # fmt: skip


def _module(name: str, since: Version) -> Break:
    return Break(
        "python", "python", since, (name,), rf"^\s*(?:import\s+(?:[\w., ]+,\s*)?{name}\b|from\s+{name}(?:\.\w+)*\s+import\b)",
        f"the module `{name}`", "what its documentation names as the replacement", provided_by=_PROVIDED.get(name, ()),
    )  # fmt: skip


def _python(since: Version, words: str, pattern: str, what: str, instead: str) -> Break:
    return gone("python", "python", since, words, pattern, what, instead)


def _library(
    package: str, since: Version, words: str, pattern: str, what: str, instead: str, *, needs: str = "", unless: str = ""
) -> Break:
    return gone("python", package, since, words, pattern, what, instead, needs=needs, unless=unless)


_ABC = "Mapping|MutableMapping|Sequence|MutableSequence|Set|MutableSet|Iterable|Iterator|Callable|Hashable|Sized|Container|Generator|Awaitable|Coroutine"

BREAKS: tuple[Break, ...] = (
    *(_module(name, since) for since, names in _MODULES.items() for name in names.split()),
    _python((3, 10), "collections", rf"\bcollections\.(?:{_ABC})\b|from\s+collections\s+import\s+(?:[\w\s]+,\s*)*(?:{_ABC})\b", "the abstract classes in `collections`", "`collections.abc`"),
    _python((3, 10), "loop", r"asyncio\.(?:Queue|Lock|Semaphore|Event|sleep|gather|wait_for|wait)\([^)]*\bloop\s*=", "the `loop` argument of asyncio", "no `loop` argument"),
    _python((3, 11), "getargspec", r"\binspect\.getargspec\b|import\s+getargspec\b", "`inspect.getargspec`", "`inspect.getfullargspec`"),
    _python((3, 11), "coroutine", r"@asyncio\.coroutine\b", "`asyncio.coroutine`", "`async def`"),
    _python((3, 12), "SafeConfigParser", r"\bSafeConfigParser\b", "`configparser.SafeConfigParser`", "`ConfigParser`"),
    _python((3, 12), "wrap_socket", r"\bssl\.wrap_socket\b", "`ssl.wrap_socket`", "`SSLContext.wrap_socket`"),
    _python((3, 12), "find_module ImpImporter", r"\bpkgutil\.Imp(?:Importer|Loader)\b", "`pkgutil.ImpImporter`", "`importlib`"),
    _python((3, 13), "get_event_loop_policy getdefaultlocale", r"\blocale\.resetlocale\b", "`locale.resetlocale`", "`locale.setlocale`"),
    _library("sqlalchemy", (2,), "execute", r"\b(?:engine|db\.engine|self\.engine|_engine)\.execute\(", "`Engine.execute`", "`with engine.connect() as c: c.execute(text(…))`"),
    _library("sqlalchemy", (2,), "execute", r"\b(?:session|conn|connection|db\.session)\.execute\(\s*f?[\"']", "execution of plain text", "`text(…)` around the statement", needs=r"sqlalchemy"),
    _library("sqlalchemy", (2,), "select", r"\bselect\(\s*\[", "`select([...])`", "`select(a, b)`"),
    _library("sqlalchemy", (2,), "autocommit", r"\bautocommit\s*=\s*True", "`autocommit`", "explicit transactions", needs=r"sessionmaker|create_engine"),
    _library("sqlalchemy", (2,), "mapper", r"from\s+sqlalchemy\.orm\s+import\s+(?:[\w\s]+,\s*)*mapper\b", "`orm.mapper`", "`registry.map_imperatively`"),
    _library("pydantic", (2,), "BaseSettings", r"from\s+pydantic\s+import\s+[^#\n]*\bBaseSettings\b|\bpydantic\.BaseSettings\b", "`pydantic.BaseSettings`", "`pydantic_settings.BaseSettings`"),
    _library("pydantic", (2,), "regex", r"\b(?:Field|constr|Query|Path)\([^\n]*\bregex\s*=", "the `regex` argument", "`pattern`", needs=r"pydantic"),
    _library("pydantic", (2,), "__root__", r"\b__root__\s*:", "`__root__` models", "`RootModel`"),
    _library("pydantic", (2,), "error_wrappers class_validators", r"from\s+pydantic\.(?:error_wrappers|class_validators|main|fields)\s+import\s+[^\n]*(?:ErrorWrapper|ModelField|validator_group)", "internals of pydantic 1", "the pydantic 2 API"),
    _library("pydantic", (2,), "const", r"\bField\([^\n]*\bconst\s*=\s*True", "`Field(const=True)`", "`Literal[...]`", needs=r"pydantic"),
    _library("flask", (2, 3), "before_first_request", r"\.before_first_request\b", "`before_first_request`", "calling it when the app is made"),
    _library("flask", (2, 3), "escape Markup", r"from\s+flask\s+import\s+[^\n]*\b(?:escape|Markup)\b", "`flask.escape` and `flask.Markup`", "`markupsafe`"),
    _library("flask", (2, 3), "JSONEncoder", r"from\s+flask\.json\s+import\s+[^\n]*\bJSON(?:En|De)coder\b|\bapp\.json_encoder\b", "`flask.json.JSONEncoder`", "a `JSONProvider`"),
    _library("flask", (2, 3), "_request_ctx_stack _app_ctx_stack", r"\b_(?:request|app)_ctx_stack\b", "the context stacks of Flask", "`flask.g`"),
    _library("werkzeug", (3,), "url_quote url_encode url_decode url_parse url_unquote", r"from\s+werkzeug\.urls\s+import\s+[^\n]*\burl_(?:quote|encode|decode|parse|unquote|join)\b|werkzeug\.urls\.url_", "`werkzeug.urls.url_*`", "`urllib.parse`"),
    _library("werkzeug", (2, 1), "safe_str_cmp", r"\bsafe_str_cmp\b", "`safe_str_cmp`", "`hmac.compare_digest`", needs=r"werkzeug"),
    _library("werkzeug", (2, 1), "BaseResponse BaseRequest", r"from\s+werkzeug\.wrappers\s+import\s+[^\n]*\bBase(?:Response|Request)\b", "`BaseResponse`", "`Response`"),
    _library("jinja2", (3, 1), "contextfilter environmentfilter evalcontextfilter contextfunction Markup escape", r"from\s+jinja2\s+import\s+[^\n]*\b(?:contextfilter|environmentfilter|evalcontextfilter|contextfunction|Markup|escape)\b|jinja2\.(?:contextfilter|Markup|escape)\b", "filters and `Markup` of Jinja 2", "`pass_context` and `markupsafe`"),
    _library("markupsafe", (2, 1), "soft_unicode", r"\bsoft_unicode\b", "`soft_unicode`", "`soft_str`"),
    _library("itsdangerous", (2, 1), "JSONWebSignatureSerializer TimedJSONWebSignatureSerializer", r"JSONWebSignatureSerializer", "JWS of itsdangerous", "a JWT library"),
    _library("urllib3", (2,), "method_whitelist", r"\bmethod_whitelist\s*=", "`Retry(method_whitelist=…)`", "`allowed_methods`"),
    _library("urllib3", (2,), "appengine ntlmpool pyopenssl", r"urllib3\.contrib(?:\.|\s+import\s+[^\n]*)(?:appengine|ntlmpool)", "`urllib3.contrib.appengine`", "plain urllib3"),
    _library("pyjwt", (2,), "encode", r"\bjwt\.encode\([^\n]*\)\.decode\(", "the bytes that `jwt.encode` gave", "no `.decode()`: it gives text"),
    _library("pyjwt", (2,), "decode", r"\bjwt\.decode\((?![^\n]*algorithms)[^\n]*\)", "`jwt.decode` without `algorithms`", "`algorithms=[…]`"),
    _library("celery", (5,), "task decorators", r"from\s+celery\.(?:task|decorators)\b|import\s+celery\.(?:task|decorators)\b", "`celery.task` and `celery.decorators`", "`from celery import shared_task`"),
    _library("django", (4,), "ugettext ugettext_lazy ungettext force_text smart_text", r"\b(?:ugettext(?:_lazy|_noop)?|ungettext(?:_lazy)?|force_text|smart_text)\b", "`ugettext` and `force_text`", "`gettext` and `force_str`", needs=r"django"),
    _library("django", (4,), "url", r"from\s+django\.conf\.urls\s+import\s+[^\n]*\burl\b", "`django.conf.urls.url`", "`re_path`"),
    _library("django", (4,), "is_ajax", r"\brequest\.is_ajax\(", "`request.is_ajax`", "a look at the header"),
    _library("django", (4,), "NullBooleanField", r"\bmodels\.NullBooleanField\b", "`NullBooleanField`", "`BooleanField(null=True)`"),
    _library("django", (4,), "urlquote urlunquote is_safe_url", r"django\.utils\.http\s+import\s+[^\n]*\b(?:urlquote|urlunquote|is_safe_url|urlencode_)\b", "`django.utils.http.urlquote`", "`urllib.parse.quote`"),
    _library("django", (4,), "providing_args", r"\bSignal\(\s*providing_args", "`Signal(providing_args=…)`", "`Signal()`"),
    _library("django", (5,), "utc", r"\btimezone\.utc\b|from\s+django\.utils\.timezone\s+import\s+[^\n]*\butc\b", "`django.utils.timezone.utc`", "`datetime.timezone.utc`", needs=r"from\s+django\.utils(?:\.timezone)?\s+import[^\n]*\b(?:timezone|utc)\b"),
    _library("django", (5, 1), "index_together", r"\bindex_together\s*=", "`Meta.index_together`", "`Meta.indexes`"),
    _library("django", (5, 1), "make_random_password", r"\.make_random_password\(", "`make_random_password`", "`secrets.token_urlsafe`"),
    _library("numpy", (1, 24), "np numpy", r"\b(?:np|numpy)\.(?:float|int|bool|object|str|complex|long|unicode)\b(?!_|\d)", "`np.float`, `np.int` and their kin", "`float`, `int`"),
    _library("numpy", (2,), "np numpy", r"\b(?:np|numpy)\.(?:float_|complex_|unicode_|string_|NaN|Inf|NAN|PINF|NINF|infty|in1d_|row_stack_|product|cumproduct|sometrue|alltrue|trapz_)\b", "`np.float_`, `np.NaN` and their kin", "`np.float64`, `np.nan`"),
    _library("pandas", (2,), "append iteritems", r"\b(?:df|dataframe)\.append\(|\.iteritems\(\)", "`DataFrame.append` and `iteritems`", "`pd.concat` and `items`", needs=r"\bpandas\b"),
    _library("httpx", (0, 28), "proxies", r"\b(?:httpx\.)?(?:Async)?Client\([^\n]*\bproxies\s*=", "the `proxies` argument", "`proxy` or `mounts`", needs=r"\bhttpx\b"),
    _library("openai", (1,), "openai", r"\bopenai\.(?:ChatCompletion|Completion|Embedding|Image|Audio|Moderation|FineTune)\b", "`openai.ChatCompletion` and its kin", "`OpenAI().chat.completions`"),
    _library("pymongo", (4,), "insert update save remove ensure_index count", r"\.(?:insert|remove|ensure_index)\(\s*[{\[]|\.(?:save)\(\s*\{|\.find\([^\n]*\)\.count\(", "`insert`, `save`, `remove` and `count`", "`insert_one`, `replace_one`, `delete_one`, `count_documents`", needs=r"pymongo|MongoClient"),
    _library("elasticsearch", (8,), "doc_type", r"\bdoc_type\s*=", "`doc_type`", "no type", needs=r"elasticsearch"),
    _library("pillow", (10,), "ANTIALIAS", r"\bImage\.(?:ANTIALIAS|LINEAR|CUBIC)\b", "`Image.ANTIALIAS`", "`Image.Resampling.LANCZOS`"),
    _library("pillow", (10,), "getsize textsize", r"(?<!path)\.(?:textsize|getsize)\(", "`textsize` and `getsize`", "`textbbox` and `getbbox`", needs=r"\bPIL\b"),
    _library("pyyaml", (6,), "load", r"\byaml\.load\((?![^\n]*Loader)[^\n,]*\)", "`yaml.load` without a loader", "`yaml.safe_load`"),
    _library("marshmallow", (3,), "data", r"\.(?:load|dump)s?\([^\n]*\)\.data\b", "`.data` of a load", "the value itself", needs=r"marshmallow"),
    _library("aioredis", (2,), "create_redis_pool create_redis", r"\baioredis\.create_redis(?:_pool)?\(", "`create_redis_pool`", "`aioredis.from_url`"),
    _library("websockets", (14,), "path", r"async\s+def\s+\w+\(\s*(?:ws|websocket|socket)\s*,\s*path\s*\)", "the `path` argument of a handler", "`websocket.request.path`", needs=r"\bwebsockets\b"),
    _library("setuptools", (82,), "pkg_resources", r"^\s*(?:import\s+pkg_resources|from\s+pkg_resources\s+import)", "`pkg_resources`", "`importlib.metadata`"),
    _library("tensorflow", (2,), "Session placeholder", r"\btf\.(?:Session|placeholder|get_variable)\(", "`tf.Session`", "eager execution"),
    _library("scikit-learn", (0, 23), "joblib", r"from\s+sklearn\.externals\s+import\s+joblib", "`sklearn.externals.joblib`", "`import joblib`"),
)  # fmt: skip
