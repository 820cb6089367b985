"""What Ruby, the JVM, PHP and their libraries took away."""

from heuristics.dependencies.breaks import Break, gone
from heuristics.dependencies.pins import Version

_GEMS = "base64 csv bigdecimal mutex_m drb nkf getoptlong observer abbrev rinda syslog"


def _ruby(
    package: str, since: Version, words: str, pattern: str, what: str, instead: str, *, needs: str = "", unless: str = ""
) -> Break:
    return gone("ruby", package, since, words, pattern, what, instead, needs=needs, unless=unless)


def _gem(name: str) -> Break:
    return Break(
        "ruby", "ruby", (3, 4), (name,), rf"^\s*require\s+[\"']{name}[\"']", f"the standard library `{name}`", f'`gem "{name}"`', provided_by=(name.replace("_", "-"),)
    )  # fmt: skip


BREAKS: tuple[Break, ...] = (
    _ruby("ruby", (3, 2), "exists", r"\b(?:File|Dir)\.exists\?", "`File.exists?`", "`File.exist?`"),
    _ruby("ruby", (3, 2), "Fixnum Bignum", r"\b(?:Fixnum|Bignum)\b", "`Fixnum` and `Bignum`", "`Integer`"),
    _ruby("ruby", (3, 2), "taint untaint trust", r"\.(?:un)?taint\b|\.(?:un)?trust\b", "`taint`", "nothing"),
    _ruby("ruby", (3,), "escape encode", r"\bURI\.(?:escape|unescape|encode|decode)\(", "`URI.escape`", "`URI::DEFAULT_PARSER.escape`"),
    *(_gem(name) for name in _GEMS.split()),
    _ruby("rails", (6, 1), "update_attributes", r"\.update_attributes!?\(", "`update_attributes`", "`update`"),
    _ruby("rails", (8,), "enum", r"^\s*enum\s+\w+:\s*[\[{]", "`enum` with keyword arguments", "`enum :status, [...]`"),
    _ruby("rails", (5, 1), "before_filter after_filter", r"^\s*(?:before|after|around|skip_before)_filter\b", "`before_filter`", "`before_action`"),
    _ruby("rails", (7, 2), "secrets", r"\bRails\.application\.secrets\b", "`Rails.application.secrets`", "`Rails.application.credentials`"),
    _ruby("redis", (5,), "current", r"\bRedis\.current\b", "`Redis.current`", "a client of your own"),
    _ruby("sidekiq", (7,), "delay perform_in", r"\.delay\.\w+|\bSidekiq::Extensions\b", "delayed extensions", "a job class", needs=r"(?i)sidekiq"),
    _ruby("faraday", (2,), "faraday_middleware", r"require\s+[\"']faraday_middleware[\"']", "`faraday_middleware`", "the single middleware gems"),
    gone("java", "java", (11,), "javax", r"^\s*import\s+javax\.(?:xml\.bind|xml\.ws|activation|jws)\b", "`javax.xml.bind` and its kin", "the `jakarta` libraries as dependencies"),
    gone("java", "java", (15,), "nashorn getEngineByName", r"getEngineByName\(\s*\"(?:nashorn|javascript|JavaScript|js)\"", "the Nashorn engine", "`nashorn-core` or GraalJS"),
    gone("java", "java", (14,), "UseConcMarkSweepGC", r"-XX:\+UseConcMarkSweepGC", "the CMS collector", "`-XX:+UseG1GC`"),
    gone("java", "java", (17,), "AggressiveOpts UseParNewGC", r"-XX:\+(?:UseParNewGC|AggressiveOpts)\b", "old flags of the JVM", "none"),
    gone("php", "php", (8,), "create_function", r"\bcreate_function\s*\(\s*[\"'$]", "`create_function`", "closures"),
    gone("php", "php", (8,), "get_magic_quotes_gpc mbstring money_format", r"\b(?:get_magic_quotes_gpc|money_format)\s*\(", "`get_magic_quotes_gpc`", "nothing"),
    gone("php", "php", (8,), "real", r"\(real\)\s*\$", "the cast `(real)`", "`(float)`"),
    gone("php", "php", (7,), "mysql_connect mysql_query", r"\bmysql_(?:connect|query|fetch_\w+)\s*\(", "`mysql_*`", "`PDO`"),
)  # fmt: skip
