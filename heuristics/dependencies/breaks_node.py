"""What Node.js and its libraries took away."""

from heuristics.dependencies.breaks import Break, gone
from heuristics.dependencies.pins import Version

_COMMANDS = "get set setex setnx incr incrby decr expire del hget hset hgetall hmset exists ttl lpush rpush lrange smembers sadd srem zadd mget keys"
_COMMAND = "(?:" + "|".join(_COMMANDS.split()) + ")"
_CALLBACK = r"(?:\(\s*(?:err|error|e)\b[^()]*\)\s*=>|(?:err|error)\s*=>|function\s*\w*\(\s*(?:err|error)\b|,\s*(?:cb|callback|done|next)\s*\))"

_MODULES_ONLY: dict[str, Version] = {
    "node-fetch": (3,), "chalk": (5,), "nanoid": (4,), "got": (12,), "p-limit": (4,), "p-queue": (7,), "p-retry": (5,), "p-map": (5,), "execa": (6,),
    "file-type": (17,), "strip-ansi": (7,), "ora": (6,), "globby": (12,), "camelcase": (7,), "query-string": (8,), "serialize-error": (9,), "delay": (6,),
    "normalize-url": (7,), "is-stream": (3,), "escape-string-regexp": (5,), "mime": (4,), "ky": (1,), "inquirer": (9,), "del": (7,),
    "@octokit/rest": (21,), "find-up": (6,), "pretty-bytes": (6,), "url-join": (5,), "into-stream": (7,), "lowdb": (3,),
}  # fmt: skip


def _library(
    package: str, since: Version, words: str, pattern: str, what: str, instead: str, *, needs: str = "", unless: str = ""
) -> Break:
    return gone("node", package, since, words, pattern, what, instead, needs=needs or _imported(package), unless=unless)


def _imported(package: str) -> str:
    name = package.replace(".", r"\.")
    return rf"(?:require\(\s*[\"']{name}[\"'/]|from\s+[\"']{name}[\"'/])"


def _only_modules(package: str, since: Version) -> Break:
    name = package.replace(".", r"\.")
    return Break(
        "node", package, since, ("require",), rf"(?<!create)\brequire\(\s*[\"']{name}[\"']\s*\)", f'`require("{package}")` (it is an ES module only)',
        f"`import` of {package}, or the last version with CommonJS", until_runtime=(22, 12),
    )  # fmt: skip


BREAKS: tuple[Break, ...] = (
    Break(
        "node", "node", (18,), ("aws-sdk",), r"(?:require\(\s*[\"']aws-sdk(?:/[\w/-]+)?[\"']|from\s+[\"']aws-sdk(?:/[\w/-]+)?[\"'])",
        "the `aws-sdk` of version 2, which the runtime of the function no longer brings along", "`@aws-sdk/client-*`, or `aws-sdk` among the dependencies",
        provided_by=("aws-sdk",), only_functions=True,
    ),
    gone("node", "node", (22,), "assert", r"^\s*import\b[^\n]*\bassert\s*\{\s*type\s*:", "`import … assert {type}`", "`with {type}`"),
    gone("node", "node", (22,), "createCipher createDecipher", r"\bcrypto\.create(?:C|Dec)ipher\(", "`crypto.createCipher`", "`createCipheriv`"),
    gone("node", "node", (23,), "util", r"\butil\.is(?:Array|Boolean|Buffer|Date|Error|Function|Null|NullOrUndefined|Number|Object|Primitive|RegExp|String|Symbol|Undefined)\(", "`util.isArray` and its kin", "`Array.isArray` and its kin"),
    gone("node", "node", (17,), "md4", r"createHash\(\s*[\"']md4[\"']", "the hash `md4` (OpenSSL 3)", "another hash"),
    _library("redis", (4,), "createClient", r"\bcreateClient\(", "a client that connects by itself", "`await client.connect()` before the first command", unless=r"\.connect\(|legacyMode\s*:\s*true"),
    _library("redis", (4,), _COMMANDS, rf"(?i)\b(?:client|redis\w*|cache|store)\.{_COMMAND}\([^\n]*{_CALLBACK}", "callbacks of commands", "`await client.get(…)`", unless=r"legacyMode\s*:\s*true"),
    _library("redis", (4,), "hmset setex", r"(?i)\b(?:client|redis\w*)\.(?:hmset|setex|setnx|hgetall_)\(", "lower-case compound commands (`setex`)", "`setEx`, `hSet`", unless=r"legacyMode\s*:\s*true"),
    _library("express", (5,), "get use all post route", r"\b(?:app|router|api)\.(?:get|use|all|post|put|delete|route)\(\s*[\"'](?:\*|/\*|[^\"']*/\*)[\"']", "the path `*`", "`/{*splat}`"),
    _library("express", (5,), "del", r"\b(?:app|router)\.del\(", "`app.del`", "`app.delete`"),
    _library("express", (5,), "param sendfile", r"\breq\.param\(|\bres\.sendfile\(", "`req.param` and `res.sendfile`", "`req.params` and `res.sendFile`"),
    _library("express", (5,), "redirect", r"\bres\.redirect\(\s*[\"']back[\"']", "`res.redirect('back')`", "`req.get('Referrer') || '/'`"),
    _library("mongoose", (7,), "save find findOne findById update remove exec create updateOne deleteOne", rf"\.(?:save|find|findOne|findById|exec|create|updateOne|deleteOne|findOneAndUpdate|countDocuments|aggregate)\([^\n]*{_CALLBACK}", "callbacks", "`await`"),
    _library("mongoose", (7,), "remove update", r"\b[A-Z]\w*\.(?:remove|update)\(", "`remove` and `update`", "`deleteOne` and `updateOne`"),
    _library("mongoose", (8,), "findOneAndRemove findByIdAndRemove count", r"\.(?:findOneAndRemove|findByIdAndRemove)\(|\b[A-Z]\w*\.count\(", "`findOneAndRemove` and `count`", "`findOneAndDelete` and `countDocuments`"),
    _library("mongodb", (5,), "find findOne insertOne updateOne deleteOne connect toArray", rf"\.(?:findOne|insertOne|insertMany|updateOne|deleteOne|toArray|connect)\([^\n]*{_CALLBACK}", "callbacks", "`await`"),
    _library("uuid", (7,), "require import", r"[\"']uuid/v[1345][\"']", "`uuid/v4`", "`{ v4 } = require('uuid')`", needs=r"uuid/v"),
    _library("joi", (17,), "validate", r"\bJoi\.validate\(", "`Joi.validate`", "`schema.validate`"),
    _library("@hapi/joi", (16,), "validate", r"\bJoi\.validate\(", "`Joi.validate`", "`schema.validate`"),
    _library("fastify", (5,), "listen", r"\.listen\(\s*(?:\d|process\.env|port\b|PORT\b|Number\()", "`listen(port)`", "`listen({ port })`", needs=r"fastify"),
    _library("lru-cache", (10,), "LRU require", r"\b(?:const|let|var|import)\s+(?!\{)\w+\s*(?:=\s*require\(\s*|from\s+)[\"']lru-cache[\"']", "the default export of `lru-cache`", "`{ LRUCache }`"),
    _library("glob", (9,), "glob", rf"\bglob\([^\n]*{_CALLBACK}", "callbacks", "`await glob(…)`"),
    _library("rimraf", (4,), "rimraf", rf"\brimraf\([^\n]*{_CALLBACK}", "callbacks", "`await rimraf(…)`"),
    _library("socket.io", (3,), "origins", r"\borigins\s*:|io\.origins\(", "`origins`", "`cors: { origin }`"),
    _library("sequelize", (5,), "findById findByPrimary", r"\.findById\(", "`findById`", "`findByPk`"),
    _library("react-dom", (19,), "render hydrate", r"\bReactDOM\.(?:render|hydrate)\(", "`ReactDOM.render`", "`createRoot`", needs=r"react-dom"),
    _library("graphql-upload", (14,), "require", r"require\(\s*[\"']graphql-upload[\"']\)", "the index of `graphql-upload`", "its single modules"),
    _library("apollo-server-express", (3,), "applyMiddleware", r"\.applyMiddleware\(", "`applyMiddleware` before `start`", "`await server.start()` first", unless=r"await\s+\w+\.start\("),
    _library("openai", (4,), "Configuration OpenAIApi", r"\bnew\s+(?:Configuration|OpenAIApi)\(", "`OpenAIApi`", "`new OpenAI()`"),
    *(_only_modules(package, since) for package, since in _MODULES_ONLY.items()),
)  # fmt: skip
