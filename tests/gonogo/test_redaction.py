"""What counts as a secret in a text that a model, a journal or a report will see. Every secret here is made up, from pieces."""

from time import perf_counter

import pytest

from gonogo.redaction import MARK, SHAPES, redacted

# the secret of a longer text stands between « and »
A = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
HEX = "0123456789abcdef" * 4

NO_MARKS = str.maketrans("", "", "«»")

SECRETS = {
    "AWS access key id": "AKIA" + "ABCDEFGHIJ234567",
    "AWS session key id": "ASIA" + "ABCDEFGHIJ234567",
    "AWS secret key": "aws_secret_access_key = «" + "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzzzzzzzzzz»",
    "GitHub personal": "ghp_" + A[:36],
    "GitHub server": "ghs_" + A[:36],
    "GitHub fine-grained": "github_pat_" + A[:40],
    "GitLab": "glpat-" + A[:20],
    "Slack bot": "xoxb-" + "1234567890-" + A[:20],
    "Slack app": "xapp-1-" + A[:20],
    "Slack webhook": "https://hooks.slack.com/services/«" + "T0AAAAAAA/B0AAAAAAA/" + A[:24] + "»",
    "Discord webhook": "https://discord.com/api/webhooks/123456789/«" + A[:40] + "»",
    "Stripe live": "sk_live_" + A[:24],
    "Stripe restricted": "rk_live_" + A[:24],
    "Stripe webhook": "whsec_" + A[:32],
    "Anthropic": "sk-ant-api03-" + A,
    "OpenAI project": "sk-proj-" + A,
    "Google API": "AIza" + A[:35],
    "Google OAuth": "ya29." + A[:40],
    "Google client": "GOCSPX-" + A[:28],
    "JSON Web Token": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0." + A[:43],
    "npm": "npm_" + A[:36],
    "PyPI": "pypi-" + A,
    "RubyGems": "rubygems_" + HEX[:48],
    "SendGrid": "SG." + A[:22] + "." + A[:43],
    "Twilio": "SK" + HEX[:32],
    "Mailgun": "key-" + HEX[:32],
    "Mailchimp": HEX[:32] + "-us12",
    "DigitalOcean": "dop_v1_" + HEX,
    "Databricks": "dapi" + HEX[:32],
    "Hugging Face": "hf_" + A[:34],
    "Telegram": "123456789:AA" + A[:33],
    "Vault": "hvs." + A[:28],
    "Terraform Cloud": A[:14] + ".atlasv1." + A,
    "Shopify": "shpat_" + HEX[:32],
    "Square": "sq0atp-" + A[:22],
    "Grafana": "glsa_" + A[:32],
    "New Relic": "NRAK-" + A[:27].upper(),
    "Linear": "lin_api_" + A[:40],
    "Doppler": "dp.pt." + A,
    "Postman": "PMAK-" + HEX[:24] + "-" + HEX[:34],
    "Notion": "ntn_" + A + A[:6],
    "Sentry": "sntrys_" + A + A[:20],
    "age": "AGE-SECRET-KEY-1" + "Q" * 58,
    "password of an address": "postgres://app:«" + "hunter2x" + "»@db.internal:5432/app",
    "bearer header": "Authorization: Bearer «" + A[:30] + "1»",
    "basic header": "Authorization: Basic «" + "dXNlcjpwYXNzd29yZDEyMw==»",
    "Azure account": "AccountName=x;AccountKey=«" + A + "==»",
    "signed link": "https://b.s3.amazonaws.com/x?X-Amz-Signature=«" + HEX + "»",
    "password in YAML": "db_password: «" + "hunter2hunter2»",
    "password in code": 'connect(password="«' + "hunter2" + '»")',
    "secret in JSON": '{"client_secret": "«' + "8f7a6b5c4d3e2f1a" + '»"}',
    "token in .env": "DEPLOY_TOKEN=«" + "a8f5f167f44f4964e6c998de»",
    "password on a command line": "mysqldump --password «" + "hunter2x" + "» shop",
    "password in SQL": "ALTER ROLE app WITH LOGIN PASSWORD '«" + "hunter2Zq9" + "»';",
    "password in MySQL": "CREATE USER app IDENTIFIED BY '«" + "hunter2Zq9" + "»';",
    "password in MySQL with a plugin": "IDENTIFIED WITH mysql_native_password BY '«" + "hunter2Zq9" + "»'",
    "password of curl": "curl -sS -u admin:«" + "hunter2Zq9" + "» https://example.org/x",
    "password of curl, long": "curl --user=admin:«" + "hunter2Zq9" + "» https://example.org/x",
    "fallback in Python": 'os.environ.get("DB_PASSWORD", "«' + "hunter2Zq9" + '»")',
    "fallback that is a word": 'os.getenv("DB_PASSWORD", "«' + "correcthorse" + '»")',
    "fallback with its name": 'env("API_TOKEN", default="«' + "8f7a6b5c4d" + '»")',
    "fallback in Ruby": "ENV.fetch('SECRET_KEY_BASE', '«" + "8f7a6b5c4d" + "»')",
    "fallback in JavaScript": 'const p = process.env.DB_PASSWORD || "«' + "hunter2Zq9" + '»";',
    "fallback in TypeScript": 'const p = process.env["API_TOKEN"] ?? "«' + "hunter2Zq9" + '»";',
    "fallback in a shell": 'PGPASSWORD="${DB_PASSWORD:-«' + "hunter2Zq9" + '»}" psql',
    "text whose last quote was cut off": 'it falls back to password: "«' + "hunter2Zq9" + "»",
    "key whose last quote was cut off": 'aws_secret_access_key = "«' + "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzzzzzzzzzz»",
    "private key": "-----BEGIN RSA PRIVATE KEY-----" + "MIIEpAIBAAKCAQEA" * 4,
    "line of a key": "MIIEpAIBAAKCAQEA" * 4,
}

PLAIN = [
    'password = os.getenv("DB_PASSWORD")',
    "api_key = settings.API_KEY",
    "token: str",
    "max_tokens = 4096",
    'secret_name: "orders-db"',
    "DATABASE_PASSWORD: ${DATABASE_PASSWORD}",
    "password: {{ vault_password }}",
    'secret_arn = "arn:aws:secretsmanager:eu-west-1:1:secret:orders"',
    "secretKeyRef: {name: orders, key: password}",
    "CREATE TABLE tokens (id bigint PRIMARY KEY, token text NOT NULL)",
    "https://example.org/a:b@c",
    "process.env.STRIPE_SECRET_KEY",
    "sha 0f343b0931126a20f133d67c2b018a3b",
    "commit 8d2c1b0a9f8e7d6c5b4a39281706f5e4d3c2b1a0",
    "basic understanding of tokens",
    'NAMES = ["DB_PASSWORD", "API_TOKEN", "SIGNING_KEY"]',
    'os.environ.get("DB_PASSWORD", "")',
    'os.environ.get("DB_PASSWORD", None)',
    'password = "' + "' + name",
    "docker run -u 1000:1000 image",
    "curl -u $USER:$PASSWORD https://example.org",
    "COMMENT ON COLUMN users.password IS 'the hash of it'",
    "ALTER TABLE users ALTER COLUMN password SET NOT NULL",
    'if token is None or name == "orders":',
    "${DB_PASSWORD:?set it}",
]


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_a_secret_does_not_pass(text):
    secret = text.partition("«")[2].partition("»")[0] or text

    shown = redacted(f"before\n{text.translate(NO_MARKS)}\nafter")

    assert MARK in shown
    assert secret not in shown
    assert shown.split("\n")[0] == "before"
    assert shown.split("\n")[-1] == "after"


@pytest.mark.parametrize("text", PLAIN)
def test_a_name_or_a_reference_stays(text):
    assert redacted(text) == text


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_twice_is_as_once_and_lines_stay(text):
    plain = text.translate(NO_MARKS)

    once = redacted(f"{plain}\n{plain}")

    assert redacted(once) == once
    assert once.count("\n") == 1


def test_thirty_shapes_and_more_are_known():
    assert len(SHAPES) >= 30


@pytest.mark.parametrize("run", ["x", "a_", "a.", "key", "eyJ", "9", "://x", "pass="])
def test_a_long_run_of_characters_takes_no_time_to_speak_of(run):
    began = perf_counter()

    redacted(f"key {run * 50_000}")

    assert perf_counter() - began < 10, "it took minutes when a pattern began with such a run"
