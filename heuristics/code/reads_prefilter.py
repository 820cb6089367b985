"""Which files can hold a read of the environment at all."""

from gonogo.pattern import pattern
from heuristics.code.prefilter import Look, holds_any

_SECRETS = Look(
    (
        "get_secret", "getSecret", "GetSecret", "SecretId", "secretId", "get_parameter", "getParameter", "GetParameter", "access_secret", "AccessSecret",
        "accessSecret", "read_secret", "readSecret",
    )
)  # fmt: skip
_OWN = Look(
    ("env(", "Env(", "ENV(", "nv_var(", "nvVar(", "etenv(", "nvOr", "nv_or", "nvString(", "nvInt(", "nvBool(", "environment("),
    pattern(r"[nN]v\w{0,40}\(\s*[\"'`][A-Z]|[eE]nvironment\w{0,40}\(\s*[\"'`][A-Z]"),
)

_SCRIPT = (
    Look(
        (
            "process.env",
            "process?.env",
            "import.meta.env",
            "Deno.env",
            "Bun.env",
            "$env/",
            "cloudflare:workers",
            "createEnv",
            "cleanEnv",
            "env-var",
            "convict",
            "plainToInstance",
            "plainToClass",
            "validationSchema",
        )
    ),
    Look((".env",), pattern(r"\.env\b\s*[?!]?\.\s*[A-Z]")),
    Look(("} = ", "}="), pattern(r"\}\s*=\s*(?:\w+\.)*(?:env\b|process\b)")),
    Look(("onfig.get", "onfigService.get"), pattern(r"onfig(?:Service)?\.get\w*(?:<\w+>)?\(\s*[\"'][A-Z]")),
    _SECRETS,
    _OWN,
)
_SCHEMA = (Look(("z.", "Joi.", "joi.", "yup."), pattern(r"[A-Z0-9_]:\s*(?:z|Joi|joi|yup)\.")),)
_LOOKS: dict[str, tuple[Look, ...]] = {
    "python": (Look(("environ", "getenv", "Settings", "envvar", "env_var", "decouple", "starlette.config", "Env(")), _SECRETS, _OWN),
    "go": (Look(("Getenv", "LookupEnv", "viper", "BindEnv", "AutomaticEnv", 'env:"', "envconfig:", 'required:"true', "EnvVar", "env.Get")), _SECRETS, _OWN),
    "java": (Look(("getenv", "@Value", "ConfigProperty", "getProperty", "getRequiredProperty", "dotenv", "@Property", "@ConfigurationProperties")), _SECRETS, _OWN),
    "ruby": (Look(("ENV",)), _SECRETS),
    "php": (Look(("env(", "getenv", "$_ENV", "$_SERVER", "Env::")), _SECRETS, _OWN),
    "rust": (Look(("env::var", "env!", 'env = "', "dotenvy", "envy::")), _SECRETS, _OWN),
    "csharp": (Look(("GetEnvironmentVariable", "onfiguration[", "onfig[", ".GetValue", "GetRequiredSection", "GetConnectionString")), _SECRETS, _OWN),
    "elixir": (Look(("get_env", "fetch_env")),),
    "bash": (Look(("${",), pattern(r"\$\{[A-Z_0-9]+:?[?=+-]")), Look(("nounset", "set -"), pattern(r"set -\w*u|nounset"))),
    "yaml": (Look(("${", "%env(", "ENV")),),
}  # fmt: skip
_SAME_AS = {"kotlin": "java", "properties": "yaml", "conf": "yaml"}
_BARE_ENV = pattern(r"env\??\s*[.\[]\s*[\"']?[A-Z]")
_IMPORTED_ENV = pattern(r"import\s[^;]{0,300}?\benv\b[^;]{0,300}?from")


def may_read(path: str, language: str, text: str) -> bool:
    """Whether anything in the file could be a read; false is certain."""
    if language not in ("typescript", "tsx", "javascript"):
        return holds_any(text, _LOOKS.get(_SAME_AS.get(language, language), ()))
    if holds_any(text, _SCRIPT):
        return True
    if "env" in text and _BARE_ENV.search(text) is not None and _IMPORTED_ENV.search(text) is None:
        return True  # `env.NAME`, unless `env` is a module of this repository that has done the reading
    return "env" in path.lower() and holds_any(text, _SCHEMA)
