"""Run-time cases: time-outs, retries, capacity, probes, caches, schedules, stateful infrastructure, permissions, code paths."""
from datetime import timedelta

import numpy as np
from corpuslib import END, START, case, diurnal, flat, nightly, sparse, times, zeros  # noqa: F401

PAIRS = {
    "rt-go-client-timeout": ("quotes-rate-client-800ms", "parcels-address-client-800ms"),
    "rt-lambda-timeout": ("ledger-export-timeout-30", "thumbs-timeout-30"),
    "rt-resilience4j-attempts": ("fx-quotes-six-attempts", "geocoder-six-attempts"),
    "rt-hikari-pool": ("payouts-hikari-40", "menus-hikari-40"),
    "rt-k8s-memory": ("receipt-renderer-1gi", "tariff-catalog-1gi"),
    "rt-ecs-count": ("search-front-three-tasks", "partner-docs-three-tasks"),
    "rt-hpa-max": ("ticketing-hpa-max-8", "lostfound-hpa-max-8"),
    "rt-liveness-delay": ("ledger-liveness-15s", "billing-liveness-15s"),
    "rt-cache-ttl": ("fares-cache-five-seconds", "banners-cache-five-seconds"),
    "rt-cron-interval": ("rollup-every-five-minutes", "sitemap-every-five-minutes"),
    "rt-sqs-retention": ("crm-sync-retention-one-day", "webhooks-retention-one-day"),
    "rt-iam-s3-action": ("scans-put-object-removed", "scans-delete-object-removed"),
    "rt-sg-rule": ("warehouse-sg-5432-removed", "search-sg-9200-removed"),
    "rt-wrangler-env": ("media-r2-top-level-only", "avatars-r2-both-environments"),
    "rt-worker-route": ("playlists-legacy-route-removed", "lyrics-legacy-route-removed"),
    "rt-debug-log": ("tracker-debug-level", "depot-admin-debug-level"),
    "rt-python-runtime": ("invoice-mailer-python312", "badge-printer-python312"),
    "rt-redis-major": ("basket-sessions-redis-4", "login-limits-redis-4"),
    "rt-consumer-replicas": ("shipment-events-two-workers", "review-digest-two-workers"),
}

CI = {
    "go": ("actions/setup-go@v5", "go test ./..."),
    "py": ("actions/setup-python@v5", "pip install -r requirements.txt && pytest -q"),
    "node": ("actions/setup-node@v4", "npm ci && npm test"),
    "jvm": ("actions/setup-java@v4", "./gradlew test"),
    "ruby": ("ruby/setup-ruby@v1", "bundle exec rspec"),
    "tf": ("hashicorp/setup-terraform@v3", "terraform fmt -check && terraform validate"),
}
IMAGES = {"go": "gcr.io/distroless/static:nonroot", "py": "python:3.12-slim", "node": "node:20-alpine",
          "jvm": "eclipse-temurin:21-jre", "ruby": "ruby:3.3-slim"}


def extras(c, name, lang, about, docker=True):
    """The files that every small repository has and that no review looks at."""
    c.f("README.md", f"""
        # {name}

        {about}
        """)
    setup, run = CI[lang]
    c.f(".github/workflows/ci.yml", f"""
        name: ci
        on: [pull_request]
        jobs:
          test:
            runs-on: ubuntu-22.04
            steps:
              - uses: actions/checkout@v4
              - uses: {setup}
              - run: {run}
        """)
    if docker and lang in IMAGES:
        c.f("Dockerfile", f"""
            FROM {IMAGES[lang]}
            WORKDIR /app
            COPY . .
            """)


def deploys(p, repo, *targets):
    g = p.github(repo)
    for t in targets:
        p.edge(g, t, "deploys_to")
    return g


def alarming(p, what, name):
    """Something unrelated in the same account that looks bad."""
    if what == "queue":
        q, f = p.sqs(name + "-inbox", visibility_timeout_s=60), p.lam(name + "-worker", runtime="nodejs20.x", timeout_s=30)
        p.edge(q, f, "triggers")
        p.metric(q, "ApproximateNumberOfMessagesVisible", "Count", flat, 41000, noise=.1, trend=.9, ints=True)
    elif what == "db":
        s, d = p.ecs("shared", name, desired_count=3), p.rds(name + "-pg", engine="postgres", engine_version="14.9", instance_class="db.t3.medium")
        p.edge(s, d, "connects_to")
        p.metric(d, "CPUUtilization", "Percent", diurnal, 91, amp=.1, noise=.03, hi=100)
    elif what == "lambda":
        f, t = p.lam(name, runtime="python3.11", timeout_s=15, memory_mb=256), p.ddb(name + "-state", billing_mode="PAY_PER_REQUEST", hash_key="pk")
        p.edge(f, t, "writes_to")
        p.metric(f, "Errors", "Count", diurnal, 210, amp=.4, noise=.2, ints=True)
        p.logs_from(f, 80, lambda r, at, i: ("ERROR", f"[ERROR] Task timed out after 15.0{r.integers(1, 9)} seconds"), days=2)
    elif what == "k8s":
        d, r = p.k8s("prod", "batch", "deployment", name, replicas=2), p.redis(name + "-redis", engine="redis", node_type="cache.t4g.micro")
        p.edge(d, r, "connects_to")
        p.metric(d, "container_memory_working_set_bytes", "Bytes", flat, 1.01e9, noise=.02, hi=1.07e9)
        p.logs_from(d, 60, lambda r, at, i: ("ERROR", "OOMKilled: container exceeded its memory limit of 1Gi") if r.random() < .4 else "restarting", days=3)
    else:
        w, o = p.worker(name, routes=[f"{name}.example/*"], bindings={}), p.res(f"external:{name}-origin", "external.http", f"{name}-origin", region="global")
        p.edge(w, o, "connects_to")
        p.metric(w, "ErrorsPerSecond", "Count/Second", diurnal, 14, amp=.4, noise=.2)


def dbtest(c, path, text):
    c.f(path, text)


# ---------------------------------------------------------------------------------------- time-outs

def _go_client(c, org, svc, client, ns, thing):
    extras(c, svc, "go", f"Serves {thing}s to the web shop.")
    c.f("go.mod", f"""
        module example.net/{org}/{svc}

        go 1.22
        """)
    c.f(f"internal/{client}/client.go", f"""
        package {client}

        import (
        	"context"
        	"encoding/json"
        	"fmt"
        	"net/http"
        	"time"
        )

        const requestTimeout = 5 * time.Second

        type Client struct {{
        	base string
        	http *http.Client
        }}

        func New(base string) *Client {{
        	return &Client{{base: base, http: &http.Client{{Timeout: requestTimeout}}}}
        }}

        func (c *Client) Lookup(ctx context.Context, key string) (map[string]any, error) {{
        	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/v1/{thing}/"+key, nil)
        	if err != nil {{
        		return nil, err
        	}}
        	res, err := c.http.Do(req)
        	if err != nil {{
        		return nil, fmt.Errorf("{client}: %w", err)
        	}}
        	defer res.Body.Close()
        	var out map[string]any
        	return out, json.NewDecoder(res.Body).Decode(&out)
        }}
        """)
    c.f("internal/web/handler.go", f"""
        package web

        import (
        	"encoding/json"
        	"net/http"

        	"example.net/{org}/{svc}/internal/{client}"
        )

        func Handler(c *{client}.Client) http.HandlerFunc {{
        	return func(w http.ResponseWriter, r *http.Request) {{
        		out, err := c.Lookup(r.Context(), r.PathValue("key"))
        		if err != nil {{
        			http.Error(w, err.Error(), http.StatusBadGateway)
        			return
        		}}
        		json.NewEncoder(w).Encode(out)
        	}}
        }}
        """)
    c.f(f"deploy/{svc}.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata: {{name: {svc}, namespace: {ns}}}
        spec:
          replicas: 4
          selector: {{matchLabels: {{app: {svc}}}}}
          template:
            metadata: {{labels: {{app: {svc}}}}}
            spec:
              containers:
                - name: {svc}
                  image: registry.{org}.example/{svc}:51
                  env: [{{name: UPSTREAM_URL, value: "http://{client}.{ns}.svc:8080"}}]
        """)
    c.patch(f"internal/{client}/client.go", ("const requestTimeout = 5 * time.Second", "const requestTimeout = 800 * time.Millisecond"))


@case("quotes-rate-client-800ms")
def _(c):
    c.meta("HTTP client time-out set below the p95 of the service it calls", "timeouts", "no-go", "confirmed",
           "The rates client gets 800 ms instead of 5 s while the rates service answers at 0.6-1.7 s p95 and 1.2-3.3 s p99, so more than one quote in twenty ends as 502.",
           "Keep the time-out above the measured p99 (4 s) or make the rates service faster first.",
           "common mechanism, no external source (client timeout below p99)", False)
    c.pr("Fail fast when rates is slow", """
         Nobody waits five seconds for a quote. Most calls are quick anyway and failing early frees the goroutine.
         """, ["rates client: fail fast"], "dev-juniper", "tidepool/quotes", 518)
    _go_client(c, "tidepool", "quotes", "rates", "freight", "lane")
    p = c.prod("210987600011", "eu-central-1")
    a = p.k8s("prod", "freight", "deployment", "quotes", replicas=4)
    b = p.k8s("prod", "freight", "deployment", "rates", replicas=6)
    deploys(p, "tidepool/quotes", a)
    p.edge(a, b, "invokes")
    p.metric(a, "http_requests_per_second", "Count/Second", diurnal, 46, amp=.45)
    p.metric(b, "http_request_duration_seconds.p95", "Seconds", diurnal, 1.1, amp=.4, noise=.05, weekend=1)
    p.metric(b, "http_request_duration_seconds.p99", "Seconds", diurnal, 2.2, amp=.4, noise=.05, weekend=1)
    alarming(p, "k8s", "manifest-ocr")
    c.culprit("internal/rates/client.go", "const requestTimeout", a, alt=[("internal/rates/client.go", "Timeout: requestTimeout")], alt_resources=[b])


@case("parcels-address-client-800ms")
def _(c):
    c.meta("HTTP client time-out lowered far above the measured latency", "timeouts", "go", "refuted",
           "The addresses client gets 800 ms instead of 5 s, but that service answers at 45-60 ms p99 and never took longer than 210 ms in the week.",
           "None needed.", "common mechanism, no external source (client timeout below p99)", False)
    c.pr("Fail fast when addresses is slow", """
         Five seconds is a copy of the default. The lookup is a cache hit nearly always.
         """, ["addresses client: fail fast"], "dev-alder", "brightmail/parcels", 77)
    _go_client(c, "brightmail", "parcels", "addresses", "mail", "address")
    p = c.prod("210987600022", "eu-central-1")
    a = p.k8s("prod", "mail", "deployment", "parcels", replicas=4)
    b = p.k8s("prod", "mail", "deployment", "addresses", replicas=3)
    deploys(p, "brightmail/parcels", a)
    p.edge(a, b, "invokes")
    p.metric(a, "http_requests_per_second", "Count/Second", diurnal, 61, amp=.45)
    p.metric(b, "http_request_duration_seconds.p99", "Seconds", diurnal, .052, amp=.15, noise=.05)
    p.metric(b, "http_request_duration_seconds.max", "Seconds", diurnal, .14, amp=.2, noise=.1, hi=.21)
    alarming(p, "k8s", "label-cutter")


@case("ledger-export-timeout-30")
def _(c):
    c.meta("Lambda time-out set below its measured duration", "timeouts", "no-go", "confirmed",
           "timeout goes from 120 to 30 s while the export takes 47-60 s at p99 and up to 85 s, so the large exports are killed and never complete.",
           "Keep 120 s, or split the export before lowering the limit.", "common mechanism, no external source (lambda timeout)", False)
    c.pr("Tighten function limits", """
         The security baseline asks for sane time-outs on every function. 30 s is plenty for a CSV.
         """, ["lambda: timeout 30", "fmt"], "dev-sorrel", "pennywise/ledger-export", 41)
    extras(c, "ledger-export", "tf", "Writes one CSV per account and month to S3.")
    c.f("infra/lambda.tf", """
        resource "aws_lambda_function" "ledger_export" {
          function_name = "ledger-export"
          role          = aws_iam_role.ledger_export.arn
          handler       = "export.handler"
          runtime       = "python3.12"
          filename      = "build/export.zip"
          memory_size   = 1024
          timeout       = 120

          environment {
            variables = {
              BUCKET = "pennywise-ledger-exports"
            }
          }
        }
        """)
    c.f("infra/role.tf", """
        resource "aws_iam_role" "ledger_export" {
          name               = "ledger-export"
          assume_role_policy = file("${path.module}/assume-lambda.json")
        }
        """)
    c.f("infra/assume-lambda.json", """
        {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]}
        """)
    c.f("src/export.py", """
        import csv
        import io
        import os

        import boto3

        from .ledger import entries

        s3 = boto3.client("s3")


        def handler(event, _context):
            out = io.StringIO()
            w = csv.writer(out)
            for entry in entries(event["account"], event["month"]):
                w.writerow(entry)
            s3.put_object(Bucket=os.environ["BUCKET"], Key=f"{event['account']}/{event['month']}.csv", Body=out.getvalue())
        """)
    c.f("src/ledger.py", """
        import boto3

        table = boto3.resource("dynamodb").Table("ledger")


        def entries(account: str, month: str):
            start = None
            while True:
                extra = {"ExclusiveStartKey": start} if start else {}
                page = table.query(KeyConditionExpression="pk = :a AND begins_with(sk, :m)",
                                   ExpressionAttributeValues={":a": account, ":m": month}, **extra)
                yield from page["Items"]
                start = page.get("LastEvaluatedKey")
                if not start:
                    return
        """)
    c.patch("infra/lambda.tf", ("timeout       = 120", "timeout       = 30"))
    p = c.prod("310200450066", "eu-west-1")
    f = p.lam("ledger-export", runtime="python3.12", timeout_s=120, memory_mb=1024)
    t = p.ddb("ledger", billing_mode="PAY_PER_REQUEST", hash_key="pk")
    b = p.s3("pennywise-ledger-exports", versioning=True)
    deploys(p, "pennywise/ledger-export", f)
    p.edge(f, t, "reads_from"); p.edge(f, b, "writes_to")
    p.metric(f, "Invocations", "Count", diurnal, 38, amp=.4, ints=True)
    p.metric(f, "Duration.p99", "Milliseconds", diurnal, 53000, amp=.1, noise=.03, weekend=1)
    p.metric(f, "Duration.max", "Milliseconds", flat, 71000, noise=.08, hi=85000)
    alarming(p, "lambda", "kyc-poller")
    c.culprit("infra/lambda.tf", "timeout       = 30", f)


@case("thumbs-timeout-30")
def _(c):
    c.meta("Lambda time-out lowered with seconds of headroom", "timeouts", "go", "refuted",
           "timeout goes from 120 to 30 s; the slowest run of the week took 6.4 s and p99 is under 2.5 s.",
           "None needed.", "common mechanism, no external source (lambda timeout)", False)
    c.pr("Tighten function limits", """
         The security baseline asks for sane time-outs on every function.
         """, ["lambda: timeout 30"], "dev-sorrel", "snapfold/thumbs", 12)
    extras(c, "thumbs", "tf", "Three sizes of every uploaded picture.")
    c.f("infra/lambda.tf", """
        resource "aws_lambda_function" "thumbs" {
          function_name = "thumbs"
          role          = aws_iam_role.thumbs.arn
          handler       = "index.handler"
          runtime       = "nodejs20.x"
          filename      = "build/thumbs.zip"
          memory_size   = 1536
          timeout       = 120
        }
        """)
    c.f("infra/trigger.tf", """
        resource "aws_s3_bucket_notification" "uploads" {
          bucket = "snapfold-uploads"

          lambda_function {
            lambda_function_arn = aws_lambda_function.thumbs.arn
            events              = ["s3:ObjectCreated:*"]
          }
        }
        """)
    c.f("infra/role.tf", """
        resource "aws_iam_role" "thumbs" {
          name               = "thumbs"
          assume_role_policy = file("${path.module}/assume-lambda.json")
        }
        """)
    c.f("src/index.js", """
        const sharp = require("sharp");
        const { get, put } = require("./store");

        exports.handler = async (event) => {
          for (const r of event.Records) {
            const body = await get(r.s3.object.key);
            for (const w of [160, 480, 1200]) await put(`${w}/${r.s3.object.key}`, await sharp(body).resize(w).toBuffer());
          }
        };
        """)
    c.f("src/store.js", """
        const { S3 } = require("@aws-sdk/client-s3");
        const s3 = new S3({});

        exports.get = async (Key) => (await s3.getObject({ Bucket: "snapfold-uploads", Key })).Body.transformToByteArray();
        exports.put = (Key, Body) => s3.putObject({ Bucket: "snapfold-thumbs", Key, Body });
        """)
    c.patch("infra/lambda.tf", ("timeout       = 120", "timeout       = 30"))
    p = c.prod("310200450077", "eu-west-1")
    f = p.lam("thumbs", runtime="nodejs20.x", timeout_s=120, memory_mb=1536)
    b, b2 = p.s3("snapfold-uploads"), p.s3("snapfold-thumbs")
    deploys(p, "snapfold/thumbs", f)
    p.edge(b, f, "triggers"); p.edge(f, b2, "writes_to")
    p.metric(f, "Invocations", "Count", diurnal, 420, amp=.5, ints=True)
    p.metric(f, "Duration.p99", "Milliseconds", flat, 2100, noise=.05, hi=2500)
    p.metric(f, "Duration.max", "Milliseconds", flat, 4400, noise=.15, hi=6400)
    alarming(p, "lambda", "story-expirer")


@case("reports-alb-idle-30")
def _(c):
    c.meta("Load balancer idle time-out below the response time of its slowest requests", "timeouts", "no-go", "confirmed",
           "idle_timeout goes from 180 to 30 s, but the report endpoint sends its first byte after 33-50 s at p95 and up to 140 s; the balancer closes those connections with 504.",
           "Keep the idle time-out above the slowest response, or make the reports asynchronous first.",
           "common mechanism, no external source (ALB idle timeout)", False)
    c.pr("Align the load balancers with the platform default", """
         Every other load balancer has 30 s. Idle connections cost memory.
         """, ["lb: idle_timeout 30"], "dev-cedar", "gridwell/reports", 233)
    extras(c, "reports", "tf", "Energy reports as spreadsheets.")
    c.f("infra/lb.tf", """
        resource "aws_lb" "reports" {
          name               = "reports"
          load_balancer_type = "application"
          internal           = false
          subnets            = var.public_subnets
          idle_timeout       = 180
          enable_http2       = true
        }

        resource "aws_lb_target_group" "reports" {
          name        = "reports"
          port        = 8080
          protocol    = "HTTP"
          target_type = "ip"
          vpc_id      = var.vpc_id
        }
        """)
    c.f("infra/variables.tf", """
        variable "public_subnets" {
          type = list(string)
        }

        variable "vpc_id" {
          type = string
        }
        """)
    c.f("app/main.py", """
        from flask import Flask, request, send_file

        from .workbook import build

        app = Flask(__name__)


        @app.get("/reports/<site>.xlsx")
        def report(site: str):
            return send_file(build(site, request.args["from"], request.args["to"]), download_name=f"{site}.xlsx")
        """)
    c.f("app/workbook.py", """
        import io

        from openpyxl import Workbook

        from .readings import readings


        def build(site: str, start: str, end: str) -> io.BytesIO:
            book = Workbook(write_only=True)
            sheet = book.create_sheet(site)
            for row in readings(site, start, end):
                sheet.append(row)
            out = io.BytesIO()
            book.save(out)
            out.seek(0)
            return out
        """)
    c.f("app/readings.py", """
        from .db import cursor


        def readings(site, start, end):
            with cursor() as cur:
                cur.execute("SELECT at, kwh FROM readings WHERE site = %s AND at BETWEEN %s AND %s ORDER BY at", (site, start, end))
                yield from cur
        """)
    c.f("app/db.py", """
        import os

        import psycopg


        def cursor():
            return psycopg.connect(os.environ["DATABASE_URL"]).cursor(name="readings")
        """)
    c.patch("infra/lb.tf", ("idle_timeout       = 180", "idle_timeout       = 30"))
    p = c.prod("310200450088", "eu-west-1")
    lb = p.alb("reports", "7f1e22aa", idle_timeout_s=180)
    s = p.ecs("data", "reports", desired_count=4)
    deploys(p, "gridwell/reports", lb, s)
    p.edge(lb, s, "routes_to")
    p.metric(lb, "RequestCount", "Count", diurnal, 540, amp=.5, ints=True)
    p.metric(lb, "TargetResponseTime.p95", "Seconds", diurnal, 41, amp=.12, noise=.03, weekend=1)
    p.metric(lb, "TargetResponseTime.max", "Seconds", diurnal, 104, amp=.15, noise=.08, hi=140)
    alarming(p, "db", "meter-import")
    c.culprit("infra/lb.tf", "idle_timeout       = 30", lb, alt_resources=[s])


@case("settlement-statement-timeout")
def _(c):
    c.meta("statement_timeout below the duration of the nightly settlement query", "timeouts", "no-go", "confirmed",
           "statement_timeout goes from 60 s to 5 s for every connection of the app, but the settlement query takes 9-24 s each night, so it is cancelled (57014) and merchants are not paid out.",
           "Set the short limit for the web role only, or SET LOCAL a longer one in the settlement job.",
           "common mechanism, no external source (statement_timeout)", False)
    c.pr("Protect the database from runaway queries", """
         Last week's incident was one analyst query that ran for 40 minutes. The web requests all finish within 300 ms, so 5 s is generous.
         """, ["database.yml: statement_timeout 5s"], "dev-rowan", "paloma/merchants", 902)
    extras(c, "merchants", "ruby", "Merchant back office and nightly settlement.")
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "pg", "~> 1.5"
        gem "sidekiq", "~> 7.2"
        gem "sidekiq-cron"
        """)
    c.f("config/database.yml", """
        default: &default
          adapter: postgresql
          pool: 15
          url: <%= ENV["DATABASE_URL"] %>
          variables:
            statement_timeout: 60000
            lock_timeout: 4000

        development:
          <<: *default

        production:
          <<: *default
        """)
    c.f("config/schedule.yml", """
        settlement:
          cron: "20 2 * * *"
          class: SettlementJob
        """)
    c.f("app/jobs/settlement_job.rb", """
        class SettlementJob
          include Sidekiq::Job
          sidekiq_options retry: 2

          def perform
            day = Date.yesterday
            rows = Charge.settlement_totals(day)
            rows.each { |r| Payout.create!(merchant_id: r["merchant_id"], cents: r["cents"], day: day) }
          end
        end
        """)
    c.f("app/models/charge.rb", """
        class Charge < ApplicationRecord
          def self.settlement_totals(day)
            connection.select_all(sanitize_sql([<<~SQL, { day: day }]))
              SELECT merchant_id, sum(cents - fee_cents) AS cents
              FROM charges JOIN charge_events USING (charge_id)
              WHERE captured_on = :day AND charge_events.kind = 'captured'
              GROUP BY merchant_id
            SQL
          end
        end
        """)
    c.patch("config/database.yml", ("statement_timeout: 60000", "statement_timeout: 5000"))
    p = c.prod("400100200311", "us-east-1")
    db = p.rds("merchants-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.xlarge")
    web, job = p.ecs("core", "merchants-web", desired_count=5), p.ecs("core", "merchants-sidekiq", desired_count=2)
    deploys(p, "paloma/merchants", web, job)
    p.edge(web, db, "reads_from"); p.edge(job, db, "writes_to")
    p.metric(web, "TargetResponseTime.p99", "Seconds", flat, .24, noise=.05)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 24, amp=.3)
    p.metric(job, "settlement_query_duration_seconds.max", "Seconds", nightly, 2.25, 30, 17, noise=.2)
    r = p.rng("slow")
    for day in range(7):
        for k in range(3):
            p.log(START + timedelta(days=day, hours=2, minutes=20 + k, seconds=int(r.integers(0, 50))), db, "INFO",
                  f"duration: {r.integers(9100, 23800)}.{r.integers(100, 999)} ms  execute <unnamed>: SELECT merchant_id, sum(cents - fee_cents) AS cents FROM charges JOIN charge_events USING (charge_id) WHERE captured_on = $1")
    p.logs_from(web, 120, lambda r, at, i: f"method=GET path=/payouts status=200 duration={r.integers(20, 260)}", days=2)
    alarming(p, "queue", "receipt-mails")
    c.culprit("config/database.yml", "statement_timeout: 5000", db, alt=[("app/models/charge.rb", "FROM charges JOIN charge_events")], alt_resources=[job])


@case("sms-gateway-timeout")
def _(c):
    c.meta("Vendor time-out cut to a second and a half, no latency recorded", "timeouts", "go", "plausible",
           "The SMS gateway gets 1.5 s instead of 10 s and a time-out is reported to the user as failed while the message may have gone out; nothing in the snapshot says how long the gateway takes.",
           "Record the gateway's latency first, then choose a limit above its p99.9; send with an idempotency key.",
           "common mechanism, no external source (vendor timeout)", False)
    c.pr("Login codes: don't hang on the SMS vendor", """
         The login button spins when the vendor is slow. Better show an error and let people press again.
         """, ["sms: 1.5 s"], "dev-heron", "latchkey/login", 64)
    extras(c, "login", "node", "One-time codes by SMS and e-mail.")
    c.f("package.json", """
        {"name": "login", "scripts": {"test": "vitest run"}, "dependencies": {"axios": "1.6.8", "fastify": "4.26.2", "ioredis": "5.3.2"}}
        """)
    c.f("src/sms.ts", """
        import axios from "axios";

        const gateway = axios.create({ baseURL: process.env.SMS_URL, timeout: 10_000 });

        export async function sendCode(phone: string, code: string): Promise<void> {
          await gateway.post("/messages", { to: phone, text: `Your code is ${code}` });
        }
        """)
    c.f("src/codes.ts", """
        import { randomInt } from "node:crypto";
        import Redis from "ioredis";
        import { sendCode } from "./sms";

        const redis = new Redis(process.env.REDIS_URL!);

        export async function start(phone: string) {
          const code = String(randomInt(100000, 999999));
          await redis.set(`code:${phone}`, code, "EX", 300);
          await sendCode(phone, code);
        }
        """)
    c.f("src/server.ts", """
        import Fastify from "fastify";
        import { start } from "./codes";

        const app = Fastify({ logger: true });
        app.post("/login/start", async (req, reply) => {
          await start((req.body as { phone: string }).phone);
          return reply.code(204).send();
        });
        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    c.f("deploy/login.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: login, namespace: identity}
        spec:
          replicas: 3
          selector: {matchLabels: {app: login}}
          template:
            metadata: {labels: {app: login}}
            spec:
              containers: [{name: login, image: "registry.latchkey.example/login:7.2", envFrom: [{secretRef: {name: login}}]}]
        """)
    c.patch("src/sms.ts", ("timeout: 10_000", "timeout: 1_500"))
    p = c.prod("400100200322", "us-east-1")
    d = p.k8s("prod", "identity", "deployment", "login", replicas=3)
    r = p.redis("login-codes", engine="redis", node_type="cache.t4g.small")
    v = p.res("external:sms-gateway", "external.http", "sms-gateway", region="global")
    deploys(p, "latchkey/login", d)
    p.edge(d, r, "connects_to"); p.edge(d, v, "connects_to")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 7, amp=.5)
    p.metric(r, "EngineCPUUtilization", "Percent", diurnal, 4, amp=.3)
    alarming(p, "k8s", "device-scorer")
    c.culprit("src/sms.ts", "timeout: 1_500", d, alt_resources=[v])


@case("tax-vendor-timeout-5s")
def _(c):
    c.meta("Vendor time-out lowered well above its slowest answer", "timeouts", "go", "refuted",
           "The tax vendor gets 5 s instead of 60 s; its p99 is below 0.7 s and its slowest call of the week took 2.4 s, and a failure falls back to the cached rate.",
           "None needed.", "common mechanism, no external source (vendor timeout)", False)
    c.pr("Tax lookups: 5 s", """
         Puma threads were stuck for a minute when the vendor was down in March.
         """, ["tax: timeout 5"], "dev-wisp", "quillpay/checkout", 340)
    extras(c, "checkout", "ruby", "Checkout API.")
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "faraday", "~> 2.9"
        """)
    c.f("app/services/tax_client.rb", """
        class TaxClient
          def initialize
            @http = Faraday.new(url: ENV.fetch("TAX_URL")) do |f|
              f.options.open_timeout = 2
              f.options.timeout = 60
              f.response :json
              f.response :raise_error
            end
          end

          def rate(country, category)
            @http.get("/rates/#{country}/#{category}").body.fetch("rate")
          end
        end
        """)
    c.f("app/services/tax.rb", """
        class Tax
          def self.rate(country, category)
            rate = TaxClient.new.rate(country, category)
            Rails.cache.write(["tax", country, category], rate)
            rate
          rescue Faraday::Error
            Rails.cache.read(["tax", country, category]) || TaxTable.default(country)
          end
        end
        """)
    c.f("app/models/tax_table.rb", """
        class TaxTable < ApplicationRecord
          def self.default(country)
            find_by!(country: country).rate
          end
        end
        """)
    c.f("config/puma.rb", """
        workers 4
        threads 8, 8
        """)
    c.patch("app/services/tax_client.rb", ("f.options.timeout = 60", "f.options.timeout = 5"))
    p = c.prod("400100200333", "us-east-1")
    s = p.ecs("core", "checkout", desired_count=6)
    v = p.res("external:tax-vendor", "external.http", "tax-vendor", region="global")
    deploys(p, "quillpay/checkout", s)
    p.edge(s, v, "connects_to")
    p.metric(s, "RequestCountPerSecond", "Count/Second", diurnal, 33, amp=.5)
    p.metric(v, "http_client_request_duration_seconds.p99", "Seconds", diurnal, .52, amp=.15, noise=.05, hi=.7)
    p.metric(v, "http_client_request_duration_seconds.max", "Seconds", diurnal, 1.4, amp=.2, noise=.15, hi=2.4)
    alarming(p, "queue", "refund-mails")


# ---------------------------------------------------------------------------------------- retries

def _resilience(c, org, svc, dep, pkg, backoff):
    extras(c, svc, "jvm", f"Calls {dep} for every request.")
    c.f("build.gradle", """
        plugins {
          id 'org.springframework.boot' version '3.2.5'
          id 'org.jetbrains.kotlin.jvm' version '1.9.23'
        }

        dependencies {
          implementation 'org.springframework.boot:spring-boot-starter-web'
          implementation 'io.github.resilience4j:resilience4j-spring-boot3:2.2.0'
        }
        """)
    c.f("src/main/resources/application.yml", f"""
        server:
          port: 8080
        resilience4j:
          retry:
            instances:
              {dep}:
                max-attempts: 2
                {backoff}
        {dep}:
          url: http://{dep}:8080
        """)
    c.f(f"src/main/kotlin/{pkg}/Client.kt", f"""
        package {pkg}

        import io.github.resilience4j.retry.annotation.Retry
        import org.springframework.stereotype.Component
        import org.springframework.web.client.RestClient

        @Component
        class Client(private val http: RestClient) {{
            @Retry(name = "{dep}")
            fun fetch(key: String): Answer? =
                http.get().uri("/v2/{{key}}", key).retrieve().body(Answer::class.java)
        }}

        data class Answer(val key: String, val value: String)
        """)
    c.f(f"src/main/kotlin/{pkg}/Api.kt", f"""
        package {pkg}

        import org.springframework.web.bind.annotation.GetMapping
        import org.springframework.web.bind.annotation.PathVariable
        import org.springframework.web.bind.annotation.RestController

        @RestController
        class Api(private val client: Client) {{
            @GetMapping("/{svc}/{{key}}")
            fun get(@PathVariable key: String) = client.fetch(key)
        }}
        """)
    c.f(f"k8s/{svc}.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          replicas: 8
          selector: {{matchLabels: {{app: {svc}}}}}
          template:
            metadata: {{labels: {{app: {svc}}}}}
            spec:
              containers: [{{name: {svc}, image: "registry.{org}.example/{svc}:2.19"}}]
        """)
    c.patch("src/main/resources/application.yml", ("max-attempts: 2", "max-attempts: 6"))


@case("fx-quotes-six-attempts")
def _(c):
    c.meta("Six attempts ten milliseconds apart against a saturated service", "retries", "no-go", "confirmed",
           "max-attempts goes from 2 to 6 with a fixed wait of 10 ms; fx-rates already runs at 80-95 % CPU at peak with 4-7 % errors, so each slow spell turns 310 requests/s into up to three times the calls and keeps it down.",
           "Exponential backoff with jitter, a retry budget or circuit breaker, and more capacity for fx-rates first.",
           "common mechanism, no external source (retry storm)", False)
    c.pr("Hide the fx-rates blips", """
         About one call in twenty fails at noon. With six attempts the user never sees it.
         """, ["retry: 6 attempts"], "dev-tamarind", "coinlane/fx-quotes", 129)
    _resilience(c, "coinlane", "fx-quotes", "fx-rates", "fx", "wait-duration: 10ms")
    p = c.prod("500300100417", "eu-west-2")
    a = p.k8s("prod", "coinlane", "deployment", "fx-quotes", replicas=8)
    b = p.k8s("prod", "coinlane", "deployment", "fx-rates", replicas=4)
    deploys(p, "coinlane/fx-quotes", a)
    p.edge(a, b, "invokes")
    p.metric(a, "http_requests_per_second", "Count/Second", diurnal, 310, amp=.4)
    p.metric(b, "cpu_utilization", "Percent", diurnal, 68, amp=.32, weekend=.9, hi=96)
    p.metric(b, "http_error_ratio", "Percent", diurnal, 3.6, amp=.7, noise=.12)
    p.logs_from(b, 150, lambda r, at, i: ("WARN", f"queue full, rejected after {r.integers(900, 2400)} ms") if r.random() < .35 else f"GET /v2/EURUSD 200 {r.integers(40, 800)} ms", days=2)
    alarming(p, "k8s", "kyc-embedder")
    c.culprit("src/main/resources/application.yml", "max-attempts: 6", b, alt=[("src/main/resources/application.yml", "wait-duration: 10ms")], alt_resources=[a])


@case("geocoder-six-attempts")
def _(c):
    c.meta("More attempts with exponential backoff against an idle service", "retries", "go", "refuted",
           "max-attempts goes from 2 to 6, but with exponential backoff and jitter; the geocoder peaks at 24 % CPU and fails 0.02 % of its calls, so the extra load is a handful of calls an hour.",
           "None needed.", "common mechanism, no external source (retry storm)", False)
    c.pr("Ride out geocoder restarts", """
         Its pods restart on every map update and a few of our calls fail then.
         """, ["retry: 6 attempts"], "dev-osier", "mapletop/places", 58)
    _resilience(c, "mapletop", "places", "geocoder", "places",
                "wait-duration: 400ms\n                enable-exponential-backoff: true\n                exponential-backoff-multiplier: 2\n                enable-randomized-wait: true\n                randomized-wait-factor: 0.5")
    p = c.prod("500300100428", "eu-west-2")
    a = p.k8s("prod", "mapletop", "deployment", "places", replicas=8)
    b = p.k8s("prod", "mapletop", "deployment", "geocoder", replicas=5)
    deploys(p, "mapletop/places", a)
    p.edge(a, b, "invokes")
    p.metric(a, "http_requests_per_second", "Count/Second", diurnal, 290, amp=.4)
    p.metric(b, "cpu_utilization", "Percent", diurnal, 17, amp=.3, hi=24)
    p.metric(b, "http_error_ratio", "Percent", flat, .02, noise=.2, hi=.05)
    alarming(p, "k8s", "tile-baker")


@case("importer-concurrency-400")
def _(c):
    c.meta("Reserved concurrency raised past the connections of the database", "concurrency", "no-go", "confirmed",
           "ReservedConcurrentExecutions goes from 40 to 400 on a function that holds one connection per container and is at its cap with 60,000 messages waiting; 400 plus the API's 160 exceed max_connections 420.",
           "RDS Proxy or a cap that leaves room for the API (about 200), raised in steps.",
           "common mechanism, no external source (lambda concurrency against max_connections)", False)
    c.pr("Clear the import backlog", """
         We are throttled at 40 and the backlog doesn't shrink. Ten times the concurrency clears it in an hour.
         """, ["sam: concurrency 400"], "dev-basil", "stockroom/importer", 86)
    extras(c, "importer", "py", "Supplier feeds into PostgreSQL.", docker=False)
    c.f("template.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Transform: AWS::Serverless-2016-10-31
        Globals:
          Function:
            Runtime: python3.12
            Timeout: 60
            MemorySize: 512
        Resources:
          Feed:
            Type: AWS::SQS::Queue
            Properties:
              QueueName: supplier-feed
              VisibilityTimeout: 360
          Importer:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: feed-importer
              CodeUri: importer/
              Handler: app.handler
              ReservedConcurrentExecutions: 40
              Environment:
                Variables:
                  DSN_PARAMETER: /stockroom/importer/dsn
              Events:
                Feed:
                  Type: SQS
                  Properties:
                    Queue: !GetAtt Feed.Arn
                    BatchSize: 10
        """)
    c.f("importer/app.py", """
        import json

        from db import connection


        def handler(event, _context):
            with connection() as conn, conn.cursor() as cur:
                for record in event["Records"]:
                    item = json.loads(record["body"])
                    cur.execute(
                        "INSERT INTO items (sku, price, stock) VALUES (%s, %s, %s) "
                        "ON CONFLICT (sku) DO UPDATE SET price = excluded.price, stock = excluded.stock",
                        (item["sku"], item["price"], item["stock"]),
                    )
                conn.commit()
        """)
    c.f("importer/db.py", """
        import os

        import boto3
        import psycopg

        _conn = None


        def connection():
            global _conn
            if _conn is None or _conn.closed:
                dsn = boto3.client("ssm").get_parameter(Name=os.environ["DSN_PARAMETER"], WithDecryption=True)["Parameter"]["Value"]
                _conn = psycopg.connect(dsn)
            return _conn
        """)
    c.f("requirements.txt", """
        psycopg[binary]==3.1.18
        boto3==1.34.90
        """)
    c.patch("template.yaml", ("ReservedConcurrentExecutions: 40", "ReservedConcurrentExecutions: 400"))
    p = c.prod("500300100439", "eu-west-1")
    q = p.sqs("supplier-feed", visibility_timeout_s=360)
    f = p.lam("feed-importer", runtime="python3.12", timeout_s=60, memory_mb=512, reserved_concurrency=40)
    db = p.rds("stockroom-pg", engine="postgres", engine_version="15.5", instance_class="db.m6g.large", max_connections=420)
    api = p.ecs("shop", "stock-api", desired_count=8, db_pool_per_task=20)
    deploys(p, "stockroom/importer", f)
    p.edge(q, f, "triggers"); p.edge(f, db, "writes_to"); p.edge(api, db, "reads_from")
    p.metric(f, "ConcurrentExecutions.max", "Count", flat, 40, noise=.004, hi=40, ints=True)
    p.metric(f, "Throttles", "Count", flat, 320, noise=.2, ints=True)
    p.metric(q, "ApproximateNumberOfMessagesVisible", "Count", flat, 61000, noise=.08, ints=True)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 188, amp=.08, noise=.02, ints=True)
    alarming(p, "lambda", "price-watch")
    c.culprit("template.yaml", "ReservedConcurrentExecutions: 400", db, alt=[("importer/db.py", "psycopg.connect(dsn)")], alt_resources=[f])


def _hikari(c, org, svc, replicas):
    extras(c, svc, "jvm", f"{svc} service of {org}.")
    c.f("build.gradle", """
        plugins {
          id 'java'
          id 'org.springframework.boot' version '3.2.5'
        }

        dependencies {
          implementation 'org.springframework.boot:spring-boot-starter-web'
          implementation 'org.springframework.boot:spring-boot-starter-data-jpa'
          runtimeOnly 'org.postgresql:postgresql'
        }
        """)
    c.f("src/main/resources/application.yml", f"""
        spring:
          datasource:
            url: jdbc:postgresql://{svc}-pg.internal:5432/{svc}
            username: {svc}
            hikari:
              maximum-pool-size: 10
              connection-timeout: 3000
          jpa:
            open-in-view: false
        """)
    c.f(f"src/main/java/{org}/{svc}/App.java", f"""
        package {org}.{svc};

        import org.springframework.boot.SpringApplication;
        import org.springframework.boot.autoconfigure.SpringBootApplication;

        @SpringBootApplication
        public class App {{
            public static void main(String[] args) {{
                SpringApplication.run(App.class, args);
            }}
        }}
        """)
    c.f(f"k8s/{svc}.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          replicas: {replicas}
          selector: {{matchLabels: {{app: {svc}}}}}
          template:
            metadata: {{labels: {{app: {svc}}}}}
            spec:
              containers:
                - name: {svc}
                  image: registry.{org}.example/{svc}:3.8.0
                  env:
                    - name: SPRING_DATASOURCE_PASSWORD
                      valueFrom: {{secretKeyRef: {{name: {svc}-db, key: password}}}}
        """)
    c.patch("src/main/resources/application.yml", ("maximum-pool-size: 10", "maximum-pool-size: 40"))


@case("payouts-hikari-40")
def _(c):
    c.meta("Pool size times replicas exceeds max_connections", "concurrency", "no-go", "confirmed",
           "maximum-pool-size goes from 10 to 40 and Hikari fills the pool at start; 14 replicas x 40 = 560 connections against max_connections 300, so new pods can't connect and others are locked out.",
           "Stay below 300 in total (14 x 18), or put PgBouncer in front.",
           "common mechanism, no external source (connection pool times replicas)", False)
    c.pr("Fix 'Connection is not available' in payouts", """
         Threads wait for a connection at peak. A pool of 40 removes the wait.
         """, ["hikari: pool 40"], "dev-yarrow", "tallyworks/payouts", 611)
    _hikari(c, "tallyworks", "payouts", 14)
    p = c.prod("600440500101", "eu-north-1")
    d = p.k8s("prod", "tallyworks", "deployment", "payouts", replicas=14)
    db = p.rds("payouts-pg", engine="postgres", engine_version="15.5", instance_class="db.m6g.large", max_connections=300)
    deploys(p, "tallyworks/payouts", d)
    p.edge(d, db, "writes_to")
    p.metric(db, "DatabaseConnections", "Count", flat, 146, noise=.02, ints=True)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 38, amp=.3)
    p.metric(d, "hikaricp_connections_pending", "Count", diurnal, 6, amp=.8, noise=.3, ints=True)
    p.db(db, "postgres", "15.5", [("public", "payouts", 8_100_000, 2_100_000_000, 21.0, 160.0)], [], {"max_connections": "300", "superuser_reserved_connections": "3"})
    alarming(p, "k8s", "iban-checker")
    c.culprit("src/main/resources/application.yml", "maximum-pool-size: 40", db, alt_resources=[d])


@case("menus-hikari-40")
def _(c):
    c.meta("Bigger pool with plenty of connections left", "concurrency", "go", "refuted",
           "maximum-pool-size goes from 10 to 40 on 3 replicas: 120 connections (240 while rolling) plus 55 of others against max_connections 1700.",
           "None needed.", "common mechanism, no external source (connection pool times replicas)", False)
    c.pr("Fix 'Connection is not available' in menus", """
         The lunch peak runs out of pooled connections while the database is bored.
         """, ["hikari: pool 40"], "dev-fennel", "platefull/menus", 205)
    _hikari(c, "platefull", "menus", 3)
    p = c.prod("600440500112", "eu-north-1")
    d = p.k8s("prod", "platefull", "deployment", "menus", replicas=3)
    db = p.rds("menus-pg", engine="postgres", engine_version="15.5", instance_class="db.r6g.xlarge", max_connections=1700)
    deploys(p, "platefull/menus", d)
    p.edge(d, db, "reads_from")
    p.metric(db, "DatabaseConnections", "Count", flat, 85, noise=.03, ints=True)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 9, amp=.4)
    p.db(db, "postgres", "15.5", [("public", "menus", 410_000, 160_000_000, 1.2, 480.0)], [], {"max_connections": "1700"})
    alarming(p, "k8s", "tip-splitter")


@case("claims-consumer-max-poll-2000")
def _(c):
    c.meta("Kafka poll of 2,000 records can't finish inside max.poll.interval", "concurrency", "no-go", "confirmed",
           "max-poll-records goes from 100 to 2000 while a record takes 0.19-0.25 s and lag keeps every poll full: about 430 s a poll against max.poll.interval.ms 300000, so the consumer is expelled, rebalances and repeats the batch forever.",
           "Keep records x seconds below the interval (at most 1000), or raise max.poll.interval.ms with it.",
           "common mechanism, no external source (kafka max.poll.records)", False)
    c.pr("Bigger polls for claims", """
         Fewer round trips to the broker. The lag chart shows we are behind all day.
         """, ["kafka: poll 2000"], "dev-ivy", "harborlife/claims", 47)
    extras(c, "claims", "jvm", "Reads claim events and asks the assessor for a score.")
    c.f("build.gradle", """
        plugins {
          id 'java'
          id 'org.springframework.boot' version '3.2.5'
        }

        dependencies {
          implementation 'org.springframework.boot:spring-boot-starter'
          implementation 'org.springframework.kafka:spring-kafka'
        }
        """)
    c.f("src/main/resources/application.properties", """
        spring.kafka.bootstrap-servers=kafka.internal:9092
        spring.kafka.consumer.group-id=claims-scoring
        spring.kafka.consumer.enable-auto-commit=false
        spring.kafka.consumer.max-poll-records=100
        spring.kafka.consumer.properties.max.poll.interval.ms=300000
        spring.kafka.listener.ack-mode=batch
        """)
    c.f("src/main/java/harborlife/claims/ClaimListener.java", """
        package harborlife.claims;

        import org.springframework.kafka.annotation.KafkaListener;
        import org.springframework.stereotype.Component;

        @Component
        public class ClaimListener {
            private final Assessor assessor;

            public ClaimListener(Assessor assessor) {
                this.assessor = assessor;
            }

            @KafkaListener(topics = "claims")
            public void on(String claim) {
                assessor.score(claim);
            }
        }
        """)
    c.f("src/main/java/harborlife/claims/Assessor.java", """
        package harborlife.claims;

        import java.net.URI;
        import java.net.http.HttpClient;
        import java.net.http.HttpRequest;
        import java.net.http.HttpResponse;
        import org.springframework.stereotype.Component;

        @Component
        public class Assessor {
            private final HttpClient http = HttpClient.newHttpClient();

            public void score(String claim) {
                HttpRequest req = HttpRequest.newBuilder(URI.create("http://assessor:8080/score"))
                    .POST(HttpRequest.BodyPublishers.ofString(claim)).build();
                try {
                    http.send(req, HttpResponse.BodyHandlers.discarding());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        """)
    c.patch("src/main/resources/application.properties", ("max-poll-records=100", "max-poll-records=2000"))
    p = c.prod("600440500123", "eu-north-1")
    d = p.k8s("prod", "claims", "deployment", "claims-scoring", replicas=3)
    k = p.res("kafka:prod:topic/claims", "kafka.topic", "claims", partitions=12)
    a = p.k8s("prod", "claims", "deployment", "assessor", replicas=5)
    deploys(p, "harborlife/claims", d)
    p.edge(k, d, "triggers"); p.edge(d, a, "invokes")
    p.metric(k, "kafka_consumergroup_lag{group=claims-scoring}", "Count", diurnal, 64000, amp=.3, weekend=1, lo=22000, ints=True)
    p.metric(d, "spring_kafka_listener_seconds.mean", "Seconds", flat, .215, noise=.05, lo=.19, hi=.25)
    p.metric(a, "cpu_utilization", "Percent", diurnal, 31, amp=.3)
    p.logs_from(d, 160, lambda r, at, i: f"scored claim={r.integers(10**6, 10**7)} took={r.integers(170, 290)}ms", days=1)
    c.culprit("src/main/resources/application.properties", "max-poll-records=2000", d, alt=[("src/main/resources/application.properties", "max.poll.interval.ms")], alt_resources=[k, a])


@case("letters-sidekiq-20")
def _(c):
    c.meta("More Sidekiq threads within pool and database limits", "concurrency", "go", "refuted",
           "Concurrency goes from 10 to 20 in 4 processes; the pool of 25 covers it, the database sees at most 40 more connections on top of 130 with max_connections 680, and its CPU is at 15 %.",
           "None needed.", "common mechanism, no external source (worker concurrency)", False)
    c.pr("Sidekiq: 20 threads", """
         The jobs wait for the letter printer most of the time.
         """, ["sidekiq: concurrency 20"], "dev-teasel", "postbox/letters", 118)
    extras(c, "letters", "ruby", "Letters on paper, by API.")
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "pg", "~> 1.5"
        gem "sidekiq", "~> 7.2"
        """)
    c.f("config/sidekiq.yml", """
        :concurrency: 10
        :queues:
          - [urgent, 4]
          - [default, 2]
          - [low, 1]
        """)
    c.f("config/database.yml", """
        production:
          adapter: postgresql
          url: <%= ENV["DATABASE_URL"] %>
          pool: 25
        """)
    c.f("app/jobs/print_job.rb", """
        class PrintJob
          include Sidekiq::Job

          def perform(letter_id)
            letter = Letter.find(letter_id)
            reference = Printer.submit(letter.pdf)
            letter.update!(state: "printed", reference: reference)
          end
        end
        """)
    c.f("app/models/letter.rb", """
        class Letter < ApplicationRecord
          has_one_attached :pdf
        end
        """)
    c.patch("config/sidekiq.yml", (":concurrency: 10", ":concurrency: 20"))
    p = c.prod("600440500134", "eu-west-3")
    s, w = p.ecs("core", "letters-sidekiq", desired_count=4), p.ecs("core", "letters-web", desired_count=6)
    db = p.rds("letters-pg", engine="postgres", engine_version="16.1", instance_class="db.m6g.large", max_connections=680)
    v = p.res("external:printer", "external.http", "printer", region="global", rate_limit_rps=200)
    deploys(p, "postbox/letters", s, w)
    p.edge(s, db, "writes_to"); p.edge(w, db, "reads_from"); p.edge(s, v, "connects_to")
    p.metric(db, "DatabaseConnections", "Count", flat, 122, noise=.03, hi=130, ints=True)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 12, amp=.25, hi=17)
    p.metric(v, "http_client_requests_per_second", "Count/Second", diurnal, 9, amp=.5)
    p.metric(s, "sidekiq_queue_latency_seconds", "Seconds", diurnal, 21, amp=.5)
    alarming(p, "lambda", "stamp-ocr")


@case("catalog-backfill-64-writers")
def _(c):
    c.meta("Parallel writers against provisioned write capacity", "concurrency", "no-go", "confirmed",
           "The nightly backfill writes with 64 instead of 4 parallel workers to a table with 900 provisioned WCU; 4 workers already consume about 330 WCU/s, so 64 ask for about 5,000 and throttle the orders written to the same table.",
           "Stay at 8 workers, or use on-demand capacity and a rate limiter.",
           "common mechanism, no external source (DynamoDB throttling)", False)
    c.pr("Backfill in ten minutes instead of two hours", """
         It is embarrassingly parallel.
         """, ["backfill: 64 workers"], "dev-clove", "kitandkin/catalog", 290)
    extras(c, "catalog", "node", "Product catalog and its nightly backfill.")
    c.f("package.json", """
        {"name": "catalog", "dependencies": {"@aws-sdk/client-dynamodb": "3.565.0", "p-limit": "5.0.0"}}
        """)
    c.f("src/backfill.ts", """
        import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
        import pLimit from "p-limit";
        import { products } from "./source";

        const WRITERS = 4;
        const ddb = new DynamoDBClient({ maxAttempts: 1 });

        export async function main() {
          const limit = pLimit(WRITERS);
          const jobs: Promise<unknown>[] = [];
          for await (const p of products()) {
            jobs.push(limit(() => ddb.send(new PutItemCommand({ TableName: "shop", Item: p }))));
          }
          await Promise.all(jobs);
        }
        """)
    c.f("src/source.ts", """
        import { createReadStream } from "node:fs";
        import { createInterface } from "node:readline";

        export async function* products() {
          for await (const line of createInterface({ input: createReadStream("/data/products.ndjson") })) {
            yield JSON.parse(line);
          }
        }
        """)
    c.f("src/orders.ts", """
        import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";

        const ddb = new DynamoDBClient({});

        export const place = (order: Record<string, any>) => ddb.send(new PutItemCommand({ TableName: "shop", Item: order }));
        """)
    c.f("infra/table.tf", """
        resource "aws_dynamodb_table" "shop" {
          name           = "shop"
          billing_mode   = "PROVISIONED"
          hash_key       = "pk"
          range_key      = "sk"
          read_capacity  = 1200
          write_capacity = 900

          attribute {
            name = "pk"
            type = "S"
          }

          attribute {
            name = "sk"
            type = "S"
          }
        }
        """)
    c.patch("src/backfill.ts", ("const WRITERS = 4;", "const WRITERS = 64;"))
    p = c.prod("700120300451", "us-west-2")
    t = p.ddb("shop", billing_mode="PROVISIONED", read_capacity_units=1200, write_capacity_units=900, hash_key="pk")
    b, o = p.ecs("jobs", "catalog-backfill", schedule="cron(0 1 * * ? *)"), p.ecs("shop", "orders", desired_count=6)
    deploys(p, "kitandkin/catalog", b, o)
    p.edge(b, t, "writes_to"); p.edge(o, t, "writes_to")
    p.metric(t, "ConsumedWriteCapacityUnits{operation=backfill}", "Count", nightly, 1, 115, 99000, noise=.04, ints=True)
    p.metric(t, "ConsumedWriteCapacityUnits", "Count", lambda r: nightly(r, 1, 115, 99000, noise=.04) + diurnal(r, 36000, amp=.35), )
    p.metric(t, "WriteThrottleEvents", "Count", zeros)
    p.metric(o, "OrdersPerSecond", "Count/Second", diurnal, 18, amp=.5)
    c.culprit("src/backfill.ts", "const WRITERS = 64;", t, alt=[("infra/table.tf", "write_capacity = 900"), ("src/backfill.ts", "pLimit(WRITERS)")], alt_resources=[b, o])


# ---------------------------------------------------------------------------------------- capacity

def _k8s_memory(c, org, svc, lang):
    extras(c, svc, lang, f"{svc} of {org}.")
    c.f(f"k8s/base/{svc}.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          replicas: 5
          selector:
            matchLabels: {{app: {svc}}}
          template:
            metadata:
              labels: {{app: {svc}}}
            spec:
              containers:
                - name: {svc}
                  image: registry.{org}.example/{svc}:0.44.1
                  ports: [{{containerPort: 8080}}]
                  resources:
                    requests:
                      cpu: 500m
                      memory: 1Gi
                    limits:
                      memory: 2Gi
        """)
    c.f("k8s/base/kustomization.yaml", f"""
        resources: [{svc}.yaml, service.yaml]
        """)
    c.f("k8s/base/service.yaml", f"""
        apiVersion: v1
        kind: Service
        metadata: {{name: {svc}, namespace: {org}}}
        spec:
          selector: {{app: {svc}}}
          ports: [{{port: 80, targetPort: 8080}}]
        """)
    c.patch(f"k8s/base/{svc}.yaml", ("memory: 2Gi", "memory: 1024Mi"))


@case("receipt-renderer-1gi")
def _(c):
    c.meta("Memory limit below the measured working set", "capacity", "no-go", "confirmed",
           "The limit goes from 2Gi to 1Gi (1.07e9 bytes) while the pods use 1.25e9-1.7e9 bytes all week, so all five are OOMKilled in a loop.",
           "Keep 2Gi, or lower it only after the working set has come down.",
           "common mechanism, no external source (k8s memory limit)", False)
    c.pr("receipt-renderer: limits equal requests", """
         Guaranteed QoS for everything in this namespace. requests.memory has been 1Gi from the start.
         """, ["k8s: memory limit 1Gi"], "dev-larch", "tillroll/receipt-renderer", 39)
    _k8s_memory(c, "tillroll", "receipt-renderer", "node")
    c.f("package.json", """
        {"name": "receipt-renderer", "dependencies": {"fastify": "4.26.2", "puppeteer": "22.6.5"}}
        """)
    c.f("src/server.js", """
        const Fastify = require("fastify");
        const puppeteer = require("puppeteer");

        async function main() {
          const browser = await puppeteer.launch({ args: ["--no-sandbox"] });
          const app = Fastify();
          app.post("/render", async (req) => {
            const page = await browser.newPage();
            try {
              await page.setContent(req.body.html);
              return await page.pdf();
            } finally {
              await page.close();
            }
          });
          await app.listen({ port: 8080, host: "0.0.0.0" });
        }

        main();
        """)
    p = c.prod("700120300462", "eu-west-1")
    d = p.k8s("prod", "tillroll", "deployment", "receipt-renderer", replicas=5, memory_limit_mib=2048)
    s = p.k8s("prod", "tillroll", "deployment", "pos-api", replicas=8)
    deploys(p, "tillroll/receipt-renderer", d)
    p.edge(s, d, "invokes")
    p.metric(d, "container_memory_working_set_bytes", "Bytes", diurnal, 1.43e9, amp=.1, noise=.02, weekend=.98, lo=1.25e9, hi=1.7e9)
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 26, amp=.5)
    alarming(p, "db", "loyalty-points")
    c.culprit("k8s/base/receipt-renderer.yaml", "memory: 1024Mi", d, alt_resources=[s])


@case("tariff-catalog-1gi")
def _(c):
    c.meta("Memory limit lowered with two thirds to spare", "capacity", "go", "refuted",
           "The limit goes from 2Gi to 1Gi while the pods never used more than 0.36e9 bytes in the week.",
           "None needed.", "common mechanism, no external source (k8s memory limit)", False)
    c.pr("tariff-catalog: limits equal requests", """
         Guaranteed QoS for everything in this namespace.
         """, ["k8s: memory limit 1Gi"], "dev-larch", "voltline/tariff-catalog", 71)
    _k8s_memory(c, "voltline", "tariff-catalog", "go")
    c.f("go.mod", """
        module example.net/voltline/tariff-catalog

        go 1.22
        """)
    c.f("main.go", """
        package main

        import (
        	"encoding/json"
        	"net/http"
        	"os"
        )

        func main() {
        	raw, err := os.ReadFile("/data/tariffs.json")
        	if err != nil {
        		panic(err)
        	}
        	var tariffs map[string]json.RawMessage
        	if err := json.Unmarshal(raw, &tariffs); err != nil {
        		panic(err)
        	}
        	http.HandleFunc("GET /tariffs/{id}", func(w http.ResponseWriter, r *http.Request) {
        		w.Write(tariffs[r.PathValue("id")])
        	})
        	http.ListenAndServe(":8080", nil)
        }
        """)
    p = c.prod("700120300473", "eu-west-1")
    d = p.k8s("prod", "voltline", "deployment", "tariff-catalog", replicas=5, memory_limit_mib=2048)
    s = p.k8s("prod", "voltline", "deployment", "quote-api", replicas=8)
    deploys(p, "voltline/tariff-catalog", d)
    p.edge(s, d, "invokes")
    p.metric(d, "container_memory_working_set_bytes", "Bytes", diurnal, 3.2e8, amp=.06, noise=.02, hi=3.6e8)
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 140, amp=.5)
    alarming(p, "k8s", "meter-ocr")


def _ecs_count(c, org, svc):
    extras(c, svc, "tf", f"Infrastructure of {svc}.")
    c.f("terraform/service.tf", f"""
        resource "aws_ecs_service" "{svc.replace('-', '_')}" {{
          name            = "{svc}"
          cluster         = "web"
          task_definition = aws_ecs_task_definition.{svc.replace('-', '_')}.arn
          desired_count   = 9
          launch_type     = "FARGATE"

          load_balancer {{
            target_group_arn = var.target_group_arn
            container_name   = "app"
            container_port   = 8080
          }}
        }}
        """)
    c.f("terraform/task.tf", f"""
        resource "aws_ecs_task_definition" "{svc.replace('-', '_')}" {{
          family                   = "{svc}"
          cpu                      = 1024
          memory                   = 2048
          network_mode             = "awsvpc"
          requires_compatibilities = ["FARGATE"]
          container_definitions    = file("${{path.module}}/containers.json")
        }}
        """)
    c.f("terraform/containers.json", f"""
        [{{"name": "app", "image": "registry.{org}.example/{svc}:stable", "portMappings": [{{"containerPort": 8080}}], "essential": true}}]
        """)
    c.f("terraform/variables.tf", """
        variable "target_group_arn" {
          type = string
        }
        """)
    c.patch("terraform/service.tf", ("desired_count   = 9", "desired_count   = 3"))


@case("search-front-three-tasks")
def _(c):
    c.meta("Two thirds of the tasks removed from a busy service", "capacity", "no-go", "confirmed",
           "desired_count goes from 9 to 3 with no autoscaling; the nine tasks run at 48-62 % CPU at peak, which is 145-185 % of three.",
           "At most one task at a time, down to 7 (80 % at peak), or add target tracking.",
           "common mechanism, no external source (replicas against CPU at peak)", False)
    c.pr("Cut the search-front bill", """
         Average CPU over the last month was 33 %, so a third of the fleet should do.
         """, ["ecs: desired_count 3"], "dev-mallow", "wanderly/search-front", 190)
    _ecs_count(c, "wanderly", "search-front")
    p = c.prod("810230340511", "us-east-1")
    s = p.ecs("web", "search-front", desired_count=9, cpu=1024, memory=2048)
    lb = p.alb("search-front", "90af11")
    deploys(p, "wanderly/search-front", s)
    p.edge(lb, s, "routes_to")
    p.metric(s, "CPUUtilization", "Percent", diurnal, 39, amp=.42, noise=.04, weekend=.85, hi=63)
    p.metric(lb, "RequestCountPerSecond", "Count/Second", diurnal, 870, amp=.42, weekend=.85)
    p.metric(s, "MemoryUtilization", "Percent", flat, 38, noise=.03)
    alarming(p, "queue", "fare-alerts")
    c.culprit("terraform/service.tf", "desired_count   = 3", s, alt_resources=[lb])


@case("partner-docs-three-tasks")
def _(c):
    c.meta("Two thirds of the tasks removed from an idle service", "capacity", "go", "refuted",
           "desired_count goes from 9 to 3; nine tasks peak at 5.5 % CPU and 22 % memory each, which is 17 % CPU for three.",
           "None needed.", "common mechanism, no external source (replicas against CPU at peak)", False)
    c.pr("Cut the partner-docs bill", """
         Average CPU over the last month was 3 %.
         """, ["ecs: desired_count 3"], "dev-mallow", "wanderly/partner-docs", 14)
    _ecs_count(c, "wanderly", "partner-docs")
    p = c.prod("810230340522", "us-east-1")
    s = p.ecs("web", "partner-docs", desired_count=9, cpu=1024, memory=2048)
    lb = p.alb("partner-docs", "90af22")
    deploys(p, "wanderly/partner-docs", s)
    p.edge(lb, s, "routes_to")
    p.metric(s, "CPUUtilization", "Percent", diurnal, 3.4, amp=.4, noise=.05, hi=5.5)
    p.metric(lb, "RequestCountPerSecond", "Count/Second", diurnal, 11, amp=.5)
    p.metric(s, "MemoryUtilization", "Percent", flat, 21, noise=.02, hi=22)
    alarming(p, "db", "trip-ledger")


@case("rates-api-reserved-25")
def _(c):
    c.meta("Reserved concurrency below the measured concurrency", "capacity", "no-go", "confirmed",
           "reservedConcurrency goes from 200 to 25 on a synchronous API function that runs 55-95 copies at peak, so most requests are throttled with 429/503.",
           "Keep it above the weekly maximum (95) with headroom, such as 150.",
           "common mechanism, no external source (reserved concurrency)", False)
    c.pr("Share the account's concurrency fairly", """
         rates reserves 200 of our 1000. The other teams need some as well.
         """, ["serverless: reservedConcurrency"], "dev-bracken", "farebird/rates", 322)
    extras(c, "rates", "node", "Public rates API.", docker=False)
    c.f("serverless.yml", """
        service: rates
        provider:
          name: aws
          runtime: nodejs20.x
          region: eu-west-1
          memorySize: 512
        functions:
          get:
            name: rates-get
            handler: src/get.handler
            timeout: 10
            reservedConcurrency: 200
            events:
              - httpApi: GET /rates/{pair}
          refresh:
            name: rates-refresh
            handler: src/refresh.handler
            timeout: 120
            events:
              - schedule: rate(10 minutes)
        """)
    c.f("src/get.js", """
        const { quote } = require("./engine");

        exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(await quote(event.pathParameters.pair)) });
        """)
    c.f("src/refresh.js", """
        const { reload } = require("./engine");

        exports.handler = async () => reload();
        """)
    c.f("src/engine.js", """
        const { DynamoDB } = require("@aws-sdk/client-dynamodb");
        const ddb = new DynamoDB({});

        exports.quote = async (pair) => (await ddb.getItem({ TableName: "rates", Key: { pair: { S: pair } } })).Item;
        exports.reload = async () => ddb.scan({ TableName: "rates-source" });
        """)
    c.f("package.json", """
        {"name": "rates", "dependencies": {"@aws-sdk/client-dynamodb": "3.565.0"}}
        """)
    c.patch("serverless.yml", ("reservedConcurrency: 200", "reservedConcurrency: 25"))
    p = c.prod("810230340533", "eu-west-1")
    f, r = p.lam("rates-get", runtime="nodejs20.x", timeout_s=10, memory_mb=512, reserved_concurrency=200), p.lam("rates-refresh", runtime="nodejs20.x", timeout_s=120, memory_mb=512)
    t = p.ddb("rates", billing_mode="PAY_PER_REQUEST", hash_key="pair")
    a = p.api("k3x9q1", "rates-http")
    deploys(p, "farebird/rates", f, r)
    p.edge(a, f, "invokes"); p.edge(f, t, "reads_from"); p.edge(r, t, "writes_to")
    p.metric(f, "ConcurrentExecutions.max", "Count", diurnal, 62, amp=.4, noise=.06, hi=95, ints=True)
    p.metric(f, "Invocations", "Count", diurnal, 51000, amp=.4, ints=True)
    p.metric(f, "Throttles", "Count", zeros)
    alarming(p, "lambda", "seat-map")
    c.culprit("serverless.yml", "reservedConcurrency: 25", f, alt_resources=[a])


@case("sessions-read-capacity-250")
def _(c):
    c.meta("Read capacity set below what is consumed", "capacity", "no-go", "confirmed",
           "ReadCapacityUnits goes from 1200 to 250 without autoscaling while the table consumes 380-760 RCU/s in the day (114,000-228,000 per five minutes), so session reads are throttled.",
           "Stay above the peak (900), or switch to on-demand.", "common mechanism, no external source (DynamoDB capacity)", False)
    c.pr("Right-size the sessions table", """
         The cost report lists it as over-provisioned: 1200 units bought, "4 % of burst" used.
         """, ["cfn: sessions RCU 250"], "dev-quince", "halfmoon/sessions", 76)
    extras(c, "sessions", "py", "Session store.", docker=False)
    c.f("cloudformation/sessions.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Resources:
          Sessions:
            Type: AWS::DynamoDB::Table
            DeletionPolicy: Retain
            Properties:
              TableName: sessions
              AttributeDefinitions:
                - AttributeName: sid
                  AttributeType: S
              KeySchema:
                - AttributeName: sid
                  KeyType: HASH
              ProvisionedThroughput:
                ReadCapacityUnits: 1200
                WriteCapacityUnits: 300
              TimeToLiveSpecification:
                AttributeName: expires
                Enabled: true
        """)
    c.f("sessions/store.py", """
        import time

        import boto3

        table = boto3.resource("dynamodb").Table("sessions")


        def load(sid: str) -> dict | None:
            return table.get_item(Key={"sid": sid}, ConsistentRead=True).get("Item")


        def save(sid: str, data: dict) -> None:
            table.put_item(Item={"sid": sid, "data": data, "expires": int(time.time()) + 86400})
        """)
    c.f("sessions/middleware.py", """
        from .store import load


        class SessionMiddleware:
            def __init__(self, app):
                self.app = app

            def __call__(self, environ, start_response):
                environ["session"] = load(environ.get("HTTP_X_SESSION", ""))
                return self.app(environ, start_response)
        """)
    c.f("requirements.txt", """
        boto3==1.34.90
        """)
    c.patch("cloudformation/sessions.yaml", ("ReadCapacityUnits: 1200", "ReadCapacityUnits: 250"))
    p = c.prod("810230340544", "eu-west-1")
    t = p.ddb("sessions", billing_mode="PROVISIONED", read_capacity_units=1200, write_capacity_units=300, hash_key="sid")
    s = p.ecs("web", "storefront", desired_count=12)
    deploys(p, "halfmoon/sessions", t)
    p.edge(s, t, "reads_from")
    p.metric(t, "ConsumedReadCapacityUnits", "Count", diurnal, 156000, amp=.38, noise=.04, hi=228000, ints=True)
    p.metric(t, "ConsumedWriteCapacityUnits", "Count", diurnal, 31000, amp=.4, ints=True)
    p.metric(t, "ReadThrottleEvents", "Count", zeros)
    alarming(p, "queue", "gift-cards")
    c.culprit("cloudformation/sessions.yaml", "ReadCapacityUnits: 250", t, alt_resources=[s])


@case("orders-rds-large")
def _(c):
    c.meta("Database downsized to a quarter of the CPU at 55 % load", "capacity", "no-go", "confirmed",
           "db.r6g.2xlarge (8 vCPU, 64 GiB) becomes db.r6g.large (2 vCPU, 16 GiB) with apply_immediately; CPU peaks at 52-58 % of 8 vCPU, more than twice what the new class has.",
           "db.r6g.xlarge at the smallest after lowering the load, in the maintenance window.",
           "common mechanism, no external source (RDS downsizing)", False)
    c.pr("orders-pg: smaller instance", """
         Cost programme. It has been running at about a third of its CPU on average since the query fixes.
         """, ["rds: db.r6g.large"], "dev-aster", "cratehouse/platform", 1204)
    extras(c, "platform", "tf", "Shared infrastructure.")
    c.f("rds/orders.tf", """
        resource "aws_db_instance" "orders" {
          identifier                  = "orders-pg"
          engine                      = "postgres"
          engine_version              = "15.5"
          instance_class              = "db.r6g.2xlarge"
          allocated_storage           = 500
          storage_type                = "gp3"
          multi_az                    = true
          apply_immediately           = true
          backup_retention_period     = 14
          deletion_protection         = true
          parameter_group_name        = aws_db_parameter_group.orders.name
          manage_master_user_password = true
          username                    = "orders"
        }
        """)
    c.f("rds/parameters.tf", """
        resource "aws_db_parameter_group" "orders" {
          name   = "orders-pg15"
          family = "postgres15"

          parameter {
            name  = "log_min_duration_statement"
            value = "500"
          }
        }
        """)
    c.f("rds/outputs.tf", """
        output "orders_endpoint" {
          value = aws_db_instance.orders.endpoint
        }
        """)
    c.patch("rds/orders.tf", ('"db.r6g.2xlarge"', '"db.r6g.large"'))
    p = c.prod("920340450611", "us-east-2")
    db = p.rds("orders-pg", engine="postgres", engine_version="15.5", instance_class="db.r6g.2xlarge", allocated_storage_gb=500, multi_az=True)
    s = p.ecs("shop", "orders", desired_count=10)
    deploys(p, "cratehouse/platform", db)
    p.edge(s, db, "writes_to")
    p.metric(db, "CPUUtilization", "Percent", diurnal, 37, amp=.4, noise=.04, weekend=.9, hi=58)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 240, amp=.15, ints=True)
    p.metric(db, "FreeableMemory", "Bytes", flat, 9.4e9, noise=.02)
    alarming(p, "lambda", "label-buyer")
    c.culprit("rds/orders.tf", 'instance_class', db, alt_resources=[s])


@case("cart-redis-noeviction")
def _(c):
    c.meta("Eviction switched off on a cache that is full", "capacity", "no-go", "confirmed",
           "maxmemory-policy goes from allkeys-lru to noeviction while memory stands at 99 % and about 9,000 keys are evicted each minute, so writes fail with OOM at once.",
           "Keep allkeys-lru for the cache; put data that must not be evicted on its own cluster.",
           "common mechanism, no external source (redis eviction policy)", False)
    c.pr("Don't lose carts", """
         A customer lost a cart because Redis evicted it. noeviction guarantees that nothing is dropped.
         """, ["redis: noeviction"], "dev-saffron", "cratehouse/cart-cache", 58)
    extras(c, "cart-cache", "tf", "Redis of the cart service.")
    c.f("redis.tf", """
        resource "aws_elasticache_parameter_group" "cart" {
          name   = "cart-redis7"
          family = "redis7"

          parameter {
            name  = "maxmemory-policy"
            value = "allkeys-lru"
          }

          parameter {
            name  = "timeout"
            value = "300"
          }
        }

        resource "aws_elasticache_replication_group" "cart" {
          replication_group_id = "cart-cache"
          description          = "carts and price fragments"
          engine               = "redis"
          node_type            = "cache.m6g.large"
          num_cache_clusters   = 2
          parameter_group_name = aws_elasticache_parameter_group.cart.name
        }
        """)
    c.f("outputs.tf", """
        output "primary_endpoint" {
          value = aws_elasticache_replication_group.cart.primary_endpoint_address
        }
        """)
    c.f("examples/cart.py", """
        import json
        import os

        import redis

        r = redis.Redis(host=os.environ["CART_REDIS"])


        def save(cart_id: str, cart: dict) -> None:
            r.set(f"cart:{cart_id}", json.dumps(cart))


        def fragment(key: str, html: str) -> None:
            r.set(f"fragment:{key}", html)
        """)
    c.patch("redis.tf", ('"allkeys-lru"', '"noeviction"'))
    p = c.prod("920340450622", "us-east-2")
    r = p.redis("cart-cache", engine="redis", engine_version="7.1", node_type="cache.m6g.large", maxmemory_policy="allkeys-lru")
    s = p.ecs("shop", "cart", desired_count=6)
    deploys(p, "cratehouse/cart-cache", r)
    p.edge(s, r, "writes_to")
    p.metric(r, "DatabaseMemoryUsagePercentage", "Percent", flat, 99.2, noise=.002, lo=97, hi=100)
    p.metric(r, "Evictions", "Count", diurnal, 45000, amp=.3, ints=True)
    p.metric(r, "SetTypeCmds", "Count", diurnal, 260000, amp=.4, ints=True)
    alarming(p, "db", "coupon-ledger")
    c.culprit("redis.tf", '"noeviction"', r, alt_resources=[s])


def _hpa(c, org, svc, lang):
    extras(c, svc, lang, f"{svc}: chart and code.")
    c.f(f"k8s/{svc}.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          selector:
            matchLabels:
              app: {svc}
          template:
            metadata:
              labels:
                app: {svc}
            spec:
              containers:
                - name: {svc}
                  image: registry.{org}.example/{svc}:1.9.3
                  resources:
                    requests: {{cpu: "1", memory: 512Mi}}
        """)
    c.f("k8s/hpa.yaml", f"""
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          scaleTargetRef:
            apiVersion: apps/v1
            kind: Deployment
            name: {svc}
          minReplicas: 2
          maxReplicas: 24
          metrics:
            - type: Resource
              resource:
                name: cpu
                target:
                  type: Utilization
                  averageUtilization: 65
        """)
    c.f("k8s/pdb.yaml", f"""
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          maxUnavailable: 1
          selector:
            matchLabels:
              app: {svc}
        """)
    c.patch("k8s/hpa.yaml", ("maxReplicas: 24", "maxReplicas: 8"))


@case("ticketing-hpa-max-8")
def _(c):
    c.meta("Autoscaler capped below the replicas that the peak needs", "capacity", "no-go", "confirmed",
           "maxReplicas goes from 24 to 8; at noon the autoscaler holds 15-19 replicas at its 65 % target, so 8 would need about 140 % CPU and requests queue up.",
           "Cap at 22 or above, or make the service cheaper first.", "common mechanism, no external source (HPA maximum)", False)
    c.pr("Cap ticketing", """
         The autoscaler went wild during the load test in April. Eight pods are what we had before we introduced it.
         """, ["hpa: max 8"], "dev-borage", "stagepass/ticketing", 133)
    _hpa(c, "stagepass", "ticketing", "py")
    c.f("ticketing/app.py", """
        from fastapi import FastAPI

        from .seats import hold

        app = FastAPI()


        @app.post("/events/{event}/hold")
        def create_hold(event: str, seats: list[str]):
            return hold(event, seats)
        """)
    c.f("ticketing/seats.py", """
        import hashlib


        def hold(event: str, seats: list[str]) -> dict:
            token = hashlib.scrypt(event.encode(), salt=b"seat", n=2**12, r=8, p=1).hex()
            return {"event": event, "seats": seats, "token": token}
        """)
    p = c.prod("920340450633", "eu-central-1")
    d = p.k8s("prod", "stagepass", "deployment", "ticketing", replicas=14)
    h = p.k8s("prod", "stagepass", "horizontalpodautoscaler", "ticketing", min_replicas=2, max_replicas=24)
    deploys(p, "stagepass/ticketing", d)
    p.edge(h, d, "routes_to")
    p.metric(h, "kube_horizontalpodautoscaler_status_current_replicas", "Count", diurnal, 12.4, amp=.36, noise=.03, weekend=1.05, hi=19, ints=True)
    p.metric(d, "cpu_utilization", "Percent", flat, 64, noise=.04, hi=71)
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 510, amp=.38, weekend=1.05)
    alarming(p, "db", "venue-admin")
    c.culprit("k8s/hpa.yaml", "maxReplicas: 8", d, alt_resources=[h])


@case("lostfound-hpa-max-8")
def _(c):
    c.meta("Autoscaler cap lowered to twice the peak", "capacity", "go", "refuted",
           "maxReplicas goes from 24 to 8; the autoscaler never held more than 3 replicas in the week and CPU stays under its target.",
           "None needed.", "common mechanism, no external source (HPA maximum)", False)
    c.pr("Cap lostfound", """
         The autoscaler went wild during the load test in April.
         """, ["hpa: max 8"], "dev-borage", "stagepass/lostfound", 22)
    _hpa(c, "stagepass", "lostfound", "ruby")
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "sinatra", "~> 4.0"
        gem "puma"
        """)
    c.f("app.rb", """
        require "sinatra"
        require "json"

        get "/items" do
          content_type :json
          Item.recent.to_json
        end
        """)
    p = c.prod("920340450644", "eu-central-1")
    d = p.k8s("prod", "stagepass", "deployment", "lostfound", replicas=2)
    h = p.k8s("prod", "stagepass", "horizontalpodautoscaler", "lostfound", min_replicas=2, max_replicas=24)
    deploys(p, "stagepass/lostfound", d)
    p.edge(h, d, "routes_to")
    p.metric(h, "kube_horizontalpodautoscaler_status_current_replicas", "Count", diurnal, 2.3, amp=.2, noise=.05, lo=2, hi=3, ints=True)
    p.metric(d, "cpu_utilization", "Percent", diurnal, 41, amp=.3, hi=64)
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 14, amp=.4)
    alarming(p, "k8s", "poster-maker")


@case("pricing-cpu-limit-300m")
def _(c):
    c.meta("CPU limit cut to a seventh with no CPU series of the service", "capacity", "go", "plausible",
           "The CPU limit goes from 2 to 300m on a Node service that prices every basket; throttling would stretch every request, but the snapshot has no CPU or latency series for it.",
           "Look at container_cpu_usage_seconds_total and throttling for a week, or drop the limit and keep the request.",
           "common mechanism, no external source (CPU limit)", False)
    c.pr("Reasonable CPU limits", """
         Policy: no container above 300m without a justification.
         """, ["k8s: cpu limits"], "dev-hazel", "basketry/pricing", 91)
    extras(c, "pricing", "node", "Prices a basket.")
    c.f("k8s/pricing.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: pricing
          namespace: shop
        spec:
          replicas: 4
          selector:
            matchLabels:
              app: pricing
          template:
            metadata:
              labels:
                app: pricing
            spec:
              containers:
                - name: pricing
                  image: registry.basketry.example/pricing:88
                  resources:
                    requests:
                      cpu: 300m
                      memory: 256Mi
                    limits:
                      cpu: "2"
                      memory: 512Mi
        """)
    c.f("k8s/service.yaml", """
        apiVersion: v1
        kind: Service
        metadata: {name: pricing, namespace: shop}
        spec:
          selector: {app: pricing}
          ports: [{port: 80, targetPort: 3000}]
        """)
    c.f("src/server.ts", """
        import Fastify from "fastify";
        import { price } from "./rules";

        const app = Fastify();
        app.post("/price", (req) => price(req.body as Parameters<typeof price>[0]));
        app.listen({ port: 3000, host: "0.0.0.0" });
        """)
    c.f("src/rules.ts", """
        type Line = { sku: string; qty: number; cents: number };

        const rules: ((lines: Line[]) => number)[] = [];

        export function price(lines: Line[]) {
          const base = lines.reduce((s, l) => s + l.qty * l.cents, 0);
          return { cents: rules.reduce((s, r) => s - r(lines), base) };
        }
        """)
    c.f("package.json", """
        {"name": "pricing", "dependencies": {"fastify": "4.26.2"}}
        """)
    c.patch("k8s/pricing.yaml", ('cpu: "2"', "cpu: 300m # policy"))
    p = c.prod("130460570711", "eu-central-1")
    d, b = p.k8s("prod", "shop", "deployment", "pricing", replicas=4), p.k8s("prod", "shop", "deployment", "basket", replicas=6)
    deploys(p, "basketry/pricing", d)
    p.edge(b, d, "invokes")
    p.metric(b, "http_requests_per_second", "Count/Second", diurnal, 95, amp=.5)
    alarming(p, "k8s", "stock-forecast")
    c.culprit("k8s/pricing.yaml", "cpu: 300m # policy", d, alt_resources=[b])


# ---------------------------------------------------------------------------------------- probes and roll-out

def _liveness(c, org, svc, startup):
    extras(c, svc, "jvm", f"{svc}, Spring Boot.")
    probe = """
                  startupProbe:
                    httpGet: {path: /actuator/health/liveness, port: 8080}
                    periodSeconds: 10
                    failureThreshold: 30""" if startup else ""
    c.f(f"deploy/{svc}.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          replicas: 4
          selector:
            matchLabels: {{app: {svc}}}
          template:
            metadata:
              labels: {{app: {svc}}}
            spec:
              containers:
                - name: {svc}
                  image: registry.{org}.example/{svc}:6.1.0
                  ports: [{{containerPort: 8080}}]{probe}
                  livenessProbe:
                    httpGet: {{path: /actuator/health/liveness, port: 8080}}
                    initialDelaySeconds: 150
                    periodSeconds: 10
                    timeoutSeconds: 2
                    failureThreshold: 3
                  readinessProbe:
                    httpGet: {{path: /actuator/health/readiness, port: 8080}}
                    periodSeconds: 5
        """)
    c.f("build.gradle", """
        plugins {
          id 'org.springframework.boot' version '3.2.5'
          id 'org.jetbrains.kotlin.jvm' version '1.9.23'
        }

        dependencies {
          implementation 'org.springframework.boot:spring-boot-starter-web'
          implementation 'org.springframework.boot:spring-boot-starter-actuator'
          implementation 'org.liquibase:liquibase-core'
        }
        """)
    c.f("src/main/resources/application.yml", """
        management:
          endpoint:
            health:
              probes:
                enabled: true
        spring:
          main:
            lazy-initialization: false
        """)
    c.f(f"src/main/kotlin/{org}/App.kt", f"""
        package {org}

        import org.springframework.boot.autoconfigure.SpringBootApplication
        import org.springframework.boot.runApplication

        @SpringBootApplication
        class {svc.capitalize()}Application

        fun main(args: Array<String>) {{
            runApplication<{svc.capitalize()}Application>(*args)
        }}
        """)
    c.patch(f"deploy/{svc}.yaml", ("initialDelaySeconds: 150", "initialDelaySeconds: 15"))


@case("ledger-liveness-15s")
def _(c):
    c.meta("Liveness delay shorter than the start-up time", "probes", "no-go", "confirmed",
           "initialDelaySeconds goes from 150 to 15, so a pod that isn't up after about 35-45 s is killed; it starts in 66-92 s, there is no startupProbe, and the roll-out ends in CrashLoopBackOff (a node loss then takes the old pods too).",
           "Add a startupProbe that covers 150 s.", "common mechanism, no external source (liveness against start-up)", False)
    c.pr("Detect dead ledgers sooner", """
         150 s before the first check is far too careful.
         """, ["probe: 15 s"], "dev-thistle", "mintstone/ledger", 415)
    _liveness(c, "mintstone", "ledger", False)
    p = c.prod("130460570722", "eu-central-1")
    d = p.k8s("prod", "mintstone", "deployment", "ledger", replicas=4)
    db = p.rds("ledger-pg", engine="postgres", engine_version="15.5", instance_class="db.r6g.xlarge")
    deploys(p, "mintstone/ledger", d)
    p.edge(d, db, "writes_to")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 210, amp=.4)
    p.metric(d, "kube_deployment_status_replicas_available", "Count", flat, 4, noise=0, ints=True)
    p.logs_from(d, 28, lambda r, at, i: f"Started LedgerApplicationKt in {r.integers(660, 920) / 10} seconds (process running for {r.integers(930, 990) / 10})", days=6)
    p.logs_from(d, 140, lambda r, at, i: f"posted entry={r.integers(10**7, 10**8)} in {r.integers(3, 40)} ms", days=2, key="posts")
    alarming(p, "db", "risk-marts")
    c.culprit("deploy/ledger.yaml", "initialDelaySeconds: 15", d)


@case("billing-liveness-15s")
def _(c):
    c.meta("Liveness delay shortened behind a startup probe", "probes", "go", "refuted",
           "initialDelaySeconds goes from 150 to 15 although the service starts in 66-90 s, but its startupProbe gives it 300 s and holds liveness back until it passes.",
           "None needed.", "common mechanism, no external source (liveness against start-up)", True)
    c.pr("Detect dead billing pods sooner", """
         150 s before the first check is far too careful.
         """, ["probe: 15 s"], "dev-thistle", "mintstone/billing", 98)
    _liveness(c, "mintstone", "billing", True)
    p = c.prod("130460570733", "eu-central-1")
    d = p.k8s("prod", "mintstone", "deployment", "billing", replicas=4)
    db = p.rds("billing-pg", engine="postgres", engine_version="15.5", instance_class="db.r6g.large")
    deploys(p, "mintstone/billing", d)
    p.edge(d, db, "writes_to")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 90, amp=.4)
    p.metric(d, "kube_deployment_status_replicas_available", "Count", flat, 4, noise=0, ints=True)
    p.logs_from(d, 28, lambda r, at, i: f"Started BillingApplicationKt in {r.integers(660, 900) / 10} seconds (process running for {r.integers(930, 990) / 10})", days=6)
    alarming(p, "k8s", "dunning-letters")


@case("encoder-grace-30")
def _(c):
    c.meta("Grace period shorter than the jobs, which are acknowledged at the start", "probes", "no-go", "confirmed",
           "terminationGracePeriodSeconds goes from 900 to 30 while an encode takes 140-620 s and the job leaves the list before it runs, so each roll-out and scale-down loses what the 10 workers are doing.",
           "Keep 900 s, or acknowledge after the work (LMOVE to a processing list).",
           "common mechanism, no external source (termination grace)", False)
    c.pr("Faster roll-outs of the encoder", """
         A deployment takes 15 minutes because the pods take their time to go. 30 s is the default for a reason.
         """, ["k8s: default grace period"], "dev-fescue", "reelbox/encoder", 167)
    extras(c, "encoder", "py", "Video encoder workers.")
    c.f("k8s/encoder.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: encoder
          namespace: video
        spec:
          replicas: 10
          selector:
            matchLabels: {app: encoder}
          template:
            metadata:
              labels: {app: encoder}
            spec:
              terminationGracePeriodSeconds: 900
              containers:
                - name: encoder
                  image: registry.reelbox.example/encoder:3.3
                  resources:
                    requests: {cpu: "4", memory: 4Gi}
        """)
    c.f("encoder/worker.py", """
        import json
        import os
        import signal

        import redis

        from .encode import encode

        r = redis.Redis(host=os.environ["REDIS_HOST"])
        stopping = False


        def stop(*_):
            global stopping
            stopping = True


        def main() -> None:
            signal.signal(signal.SIGTERM, stop)
            while not stopping:
                item = r.blpop("encode", timeout=5)
                if item:
                    encode(json.loads(item[1]))
        """)
    c.f("encoder/encode.py", """
        import subprocess


        def encode(job: dict) -> None:
            subprocess.run(["ffmpeg", "-i", job["source"], "-c:v", "libx265", job["target"]], check=True)
            print(f"encoded job={job['id']}")
        """)
    c.f("encoder/__init__.py", "")
    c.f("requirements.txt", """
        redis==5.0.4
        """)
    c.patch("k8s/encoder.yaml", ("terminationGracePeriodSeconds: 900", "terminationGracePeriodSeconds: 30"))
    p = c.prod("130460570744", "us-west-2")
    d = p.k8s("prod", "video", "deployment", "encoder", replicas=10, termination_grace_period_s=900)
    r = p.redis("encode-queue", engine="redis", node_type="cache.t4g.medium")
    deploys(p, "reelbox/encoder", d)
    p.edge(d, r, "reads_from")
    p.metric(d, "busy_workers", "Count", diurnal, 8.3, amp=.2, hi=10, ints=True)
    p.metric(d, "encode_job_duration_seconds.p50", "Seconds", diurnal, 310, amp=.12, noise=.06, weekend=1)
    p.metric(d, "encode_job_duration_seconds.max", "Seconds", flat, 540, noise=.06, hi=620)
    p.logs_from(d, 170, lambda r, at, i: f"encoded job={r.integers(10**5, 10**6)} seconds={r.integers(140, 620)}", days=2)
    alarming(p, "k8s", "subtitle-aligner")
    c.culprit("k8s/encoder.yaml", "terminationGracePeriodSeconds: 30", d, alt=[("encoder/worker.py", 'r.blpop("encode"')], alt_resources=[r])


@case("feed-max-unavailable-half")
def _(c):
    c.meta("Half the pods may be away while rolling, at a fifth of the CPU", "probes", "go", "refuted",
           "maxUnavailable goes from 1 to 50 %; twelve pods peak at 21 % CPU, so six carry the traffic at 42 % during a roll-out.",
           "None needed.", "common mechanism, no external source (rolling update)", False)
    c.pr("Roll out feed in two steps", """
         Twelve pods one by one take 20 minutes.
         """, ["rollout: 50%"], "dev-campion", "plazalive/feed", 260)
    extras(c, "feed", "go", "Home feed.")
    c.f("go.mod", """
        module example.net/plazalive/feed

        go 1.22
        """)
    c.f("cmd/feed/main.go", """
        package main

        import (
        	"context"
        	"net/http"
        	"os/signal"
        	"syscall"
        	"time"
        )

        func main() {
        	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
        	defer stop()
        	srv := &http.Server{Addr: ":8080", Handler: http.DefaultServeMux}
        	go srv.ListenAndServe()
        	<-ctx.Done()
        	drain, cancel := context.WithTimeout(context.Background(), 20*time.Second)
        	defer cancel()
        	srv.Shutdown(drain)
        }
        """)
    c.f("k8s/feed.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: feed
          namespace: social
        spec:
          replicas: 12
          strategy:
            type: RollingUpdate
            rollingUpdate:
              maxUnavailable: 1
              maxSurge: 1
          selector:
            matchLabels: {app: feed}
          template:
            metadata:
              labels: {app: feed}
            spec:
              containers:
                - name: feed
                  image: registry.plazalive.example/feed:512
                  readinessProbe:
                    httpGet: {path: /ready, port: 8080}
        """)
    c.f("k8s/service.yaml", """
        apiVersion: v1
        kind: Service
        metadata: {name: feed, namespace: social}
        spec:
          selector: {app: feed}
          ports: [{port: 80, targetPort: 8080}]
        """)
    c.patch("k8s/feed.yaml", ("maxUnavailable: 1", "maxUnavailable: 50%"))
    p = c.prod("240570680811", "us-west-2")
    d = p.k8s("prod", "social", "deployment", "feed", replicas=12)
    i = p.k8s("prod", "social", "ingress", "feed")
    deploys(p, "plazalive/feed", d)
    p.edge(i, d, "routes_to")
    p.metric(d, "cpu_utilization", "Percent", diurnal, 14, amp=.4, hi=21)
    p.metric(i, "http_requests_per_second", "Count/Second", diurnal, 640, amp=.4)
    p.metric(d, "http_request_duration_seconds.p99", "Seconds", flat, .09, noise=.05)
    alarming(p, "k8s", "clip-indexer")


@case("storefront-recreate")
def _(c):
    c.meta("Deployment strategy Recreate on a busy service that takes a minute to start", "probes", "no-go", "confirmed",
           "All eight pods stop before the first new one starts; a pod needs 44-63 s to be ready, so each roll-out loses about 50 s of 380 requests/s.",
           "Keep RollingUpdate; share the cache directory per pod with an emptyDir.",
           "common mechanism, no external source (deployment strategy)", False)
    c.pr("Avoid two versions side by side", """
         Two versions at once confuse the template cache. Recreate is simpler and the gap is short.
         """, ["k8s: Recreate"], "dev-campion", "plazalive/storefront", 731)
    extras(c, "storefront", "ruby", "Server-rendered shop.")
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "puma"
        gem "bootsnap"
        """)
    c.f("k8s/storefront.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: storefront
          namespace: shop
        spec:
          replicas: 8
          strategy:
            type: RollingUpdate
          selector:
            matchLabels: {app: storefront}
          template:
            metadata:
              labels: {app: storefront}
            spec:
              containers:
                - name: storefront
                  image: registry.plazalive.example/storefront:2026.19
                  readinessProbe:
                    httpGet: {path: /up, port: 3000}
                    periodSeconds: 3
        """)
    c.f("config/puma.rb", """
        workers 3
        threads 5, 5
        preload_app!
        """)
    c.f("config/environments/production.rb", """
        Rails.application.configure do
          config.eager_load = true
          config.cache_store = :file_store, "/var/cache/fragments"
        end
        """)
    c.patch("k8s/storefront.yaml", ("type: RollingUpdate", "type: Recreate"))
    p = c.prod("240570680822", "us-west-2")
    d = p.k8s("prod", "shop", "deployment", "storefront", replicas=8)
    i = p.k8s("prod", "shop", "ingress", "storefront")
    deploys(p, "plazalive/storefront", d)
    p.edge(i, d, "routes_to")
    p.metric(i, "http_requests_per_second", "Count/Second", diurnal, 380, amp=.45)
    p.metric(d, "cpu_utilization", "Percent", diurnal, 33, amp=.4)
    p.logs_from(d, 48, lambda r, at, i: f"Puma cluster ready after boot, eager_load took {r.integers(440, 630) / 10} s", days=6)
    alarming(p, "k8s", "giftwrap-3d")
    c.culprit("k8s/storefront.yaml", "type: Recreate", d, alt_resources=[i])


# ---------------------------------------------------------------------------------------- caches and schedules

def _cache_ttl(c, org, svc, table, sql):
    extras(c, svc, "py", f"{svc.capitalize()} API.")
    c.f("requirements.txt", """
        fastapi==0.110.2
        redis==5.0.4
        psycopg[binary,pool]==3.1.18
        """)
    c.f(f"{svc}/cache.py", """
        import json
        import os

        import redis

        CACHE_SECONDS = 300
        r = redis.Redis(host=os.environ["REDIS_HOST"])


        def cached(key: str, load):
            hit = r.get(key)
            if hit is not None:
                return json.loads(hit)
            value = load()
            r.set(key, json.dumps(value), ex=CACHE_SECONDS)
            return value
        """)
    c.f(f"{svc}/api.py", f"""
        from fastapi import FastAPI

        from .cache import cached
        from .queries import load

        app = FastAPI()


        @app.get("/{svc}/{{key}}")
        def get(key: str):
            return cached(f"{svc}:{{key}}", lambda: load(key))
        """)
    c.f(f"{svc}/queries.py", f"""
        import os

        from psycopg_pool import ConnectionPool

        pool = ConnectionPool(os.environ["DATABASE_URL"], max_size=20)


        def load(key: str) -> list[dict]:
            with pool.connection() as conn:
                return conn.execute("{sql}", (key,)).fetchall()
        """)
    c.f(f"{svc}/__init__.py", "")
    c.f("k8s/app.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata: {{name: {svc}, namespace: {org}}}
        spec:
          replicas: 6
          selector: {{matchLabels: {{app: {svc}}}}}
          template:
            metadata: {{labels: {{app: {svc}}}}}
            spec:
              containers: [{{name: {svc}, image: "registry.{org}.example/{svc}:12.0", envFrom: [{{secretRef: {{name: {svc}}}}}]}}]
        """)
    c.patch(f"{svc}/cache.py", ("CACHE_SECONDS = 300", "CACHE_SECONDS = 5"))


@case("fares-cache-five-seconds")
def _(c):
    c.meta("Cache lifetime cut from five minutes to five seconds on a hot, expensive query", "cache", "no-go", "confirmed",
           "CACHE_SECONDS goes from 300 to 5. The cache answers 95 % of 520 requests/s over 9,000 keys; at 5 s most keys expire between two requests, so 26 queries/s of 0.3 s each become about 400 and a database at 48-62 % CPU is overrun.",
           "Refresh in the background, or invalidate on change and keep 300 s.",
           "common mechanism, no external source (cache TTL)", False)
    c.pr("Fresher fares", """
         Support gets complaints about fares that are a few minutes old.
         """, ["cache: 5 s"], "dev-lupin", "raillink/fares", 312)
    _cache_ttl(c, "raillink", "fares", "fares", "SELECT class, cents FROM fare_matrix JOIN fare_rules USING (rule_id) WHERE route = %s AND valid @> now() ORDER BY cents")
    p = c.prod("350680790911", "eu-central-1")
    d = p.k8s("prod", "raillink", "deployment", "fares", replicas=6)
    r = p.redis("fares-cache", engine="redis", node_type="cache.m6g.large", key_count=9040)
    db = p.rds("fares-pg", engine="postgres", engine_version="15.5", instance_class="db.r6g.2xlarge")
    deploys(p, "raillink/fares", d)
    p.edge(d, r, "reads_from"); p.edge(d, db, "reads_from")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 520, amp=.4)
    p.metric(r, "CacheHitRate", "Percent", flat, 95, noise=.005, hi=96.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 44, amp=.35, hi=63)
    p.metric(d, "fare_query_duration_seconds.p50", "Seconds", flat, .31, noise=.05)
    alarming(p, "k8s", "seat-optimizer")
    c.culprit("fares/cache.py", "CACHE_SECONDS = 5", db, alt=[("fares/cache.py", "ex=CACHE_SECONDS")], alt_resources=[r, d])


@case("banners-cache-five-seconds")
def _(c):
    c.meta("Short cache lifetime in front of an idle database", "cache", "go", "refuted",
           "CACHE_SECONDS goes from 300 to 5, but the service gets 3-5 requests/s; even with no cache at all that is 5 queries/s of 2 ms on a database at 6 % CPU.",
           "None needed.", "common mechanism, no external source (cache TTL)", False)
    c.pr("Fresher banners", """
         Marketing wants to see a change at once.
         """, ["cache: 5 s"], "dev-lupin", "raillink/banners", 40)
    _cache_ttl(c, "raillink", "banners", "banners", "SELECT id, html FROM banners WHERE slot = %s AND active")
    p = c.prod("350680790922", "eu-central-1")
    d = p.k8s("prod", "raillink", "deployment", "banners", replicas=6)
    r = p.redis("banners-cache", engine="redis", node_type="cache.t4g.small", key_count=38)
    db = p.rds("banners-pg", engine="postgres", engine_version="15.5", instance_class="db.t4g.medium")
    deploys(p, "raillink/banners", d)
    p.edge(d, r, "reads_from"); p.edge(d, db, "reads_from")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 3.6, amp=.35, hi=5.5)
    p.metric(r, "CacheHitRate", "Percent", flat, 97, noise=.005, hi=99)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 5, amp=.2, hi=7)
    p.metric(d, "banner_query_duration_seconds.p99", "Seconds", flat, .002, noise=.05)
    alarming(p, "k8s", "poster-render")


@case("product-pages-no-store")
def _(c):
    c.meta("Cache-Control no-store on pages that the CDN serves from its cache", "cache", "no-go", "confirmed",
           "Product pages get 'private, no-store' instead of 'public, max-age=600'. The CDN answers 95-97 % of about 2,100 requests/s from its cache; without it the origin, at 30-50 % CPU with 90 requests/s, gets more than twenty times the load.",
           "Keep the page public and load the personal part with a separate request.",
           "common mechanism, no external source (caching headers removed)", False)
    c.pr("Show the name of the user on product pages", """
         The header greets people now, so the page must not be shared between users.
         """, ["product: greet user", "product: private"], "dev-orris", "sundryshop/pages", 880)
    extras(c, "pages", "node", "Server-rendered product pages behind the CDN.")
    c.f("package.json", """
        {"name": "pages", "dependencies": {"express": "4.19.2"}, "scripts": {"start": "node dist/server.js"}}
        """)
    c.f("src/product.ts", """
        import type { Request, Response } from "express";
        import { find } from "./catalog";
        import { layout } from "./layout";

        export async function product(req: Request, res: Response) {
          const item = await find(req.params.sku);
          if (!item) return res.status(404).send("not found");
          res.set("Cache-Control", "public, max-age=600");
          res.send(layout(`<h1>${item.title}</h1><p>${item.text}</p>`));
        }
        """)
    c.f("src/layout.ts", """
        export const layout = (body: string, user?: string) =>
          `<!doctype html><header>${user ? `Hello ${user}` : "Sign in"}</header><main>${body}</main>`;
        """)
    c.f("src/catalog.ts", """
        export async function find(sku: string): Promise<{ title: string; text: string } | null> {
          const res = await fetch(`${process.env.CATALOG_URL}/items/${sku}`);
          return res.ok ? res.json() : null;
        }
        """)
    c.f("src/server.ts", """
        import express from "express";
        import { product } from "./product";

        const app = express();
        app.get("/p/:sku", product);
        app.listen(8080);
        """)
    c.f("infra/cdn.tf", """
        resource "aws_cloudfront_distribution" "shop" {
          enabled = true

          origin {
            domain_name = "pages.sundryshop.example"
            origin_id   = "pages"
          }

          default_cache_behavior {
            target_origin_id       = "pages"
            viewer_protocol_policy = "redirect-to-https"
            allowed_methods        = ["GET", "HEAD"]
            cached_methods         = ["GET", "HEAD"]
            cache_policy_id        = "658327ea-f89d-4fab-a63d-7e88639e58f6"
          }
        }
        """)
    c.patch("src/product.ts", ('res.set("Cache-Control", "public, max-age=600");', 'res.set("Cache-Control", "private, no-store");'),
            ("</p>`));", '</p>`, req.get("x-user-name")));'))
    p = c.prod("350680790933", "us-east-1")
    cdn = p.res("arn:aws:cloudfront::350680790933:distribution/E1SUNDRY", "aws.cloudfront.distribution", "E1SUNDRY", region="global", aliases=["www.sundryshop.example"])
    s = p.ecs("web", "pages", desired_count=4, cpu=1024)
    deploys(p, "sundryshop/pages", s)
    p.edge(cdn, s, "routes_to")
    p.metric(cdn, "CacheHitRate", "Percent", flat, 95.9, noise=.003, lo=95, hi=97)
    p.metric(cdn, "Requests", "Count", diurnal, 630000, amp=.4, ints=True)
    p.metric(s, "CPUUtilization", "Percent", diurnal, 36, amp=.35, hi=51)
    p.metric(s, "RequestCountPerSecond", "Count/Second", diurnal, 88, amp=.4)
    alarming(p, "queue", "wishlist-mails")
    c.culprit("src/product.ts", '"private, no-store"', s, alt_resources=[cdn])


@case("fragments-key-version")
def _(c):
    c.meta("Cache key version bumped: every fragment is cold at once", "cache", "go", "plausible",
           "The fragment key goes from v3 to v4, so all cached fragments miss together after the deploy; the cache serves 94 % of 260 lookups/s, and nothing in the snapshot says what rendering costs or how busy the database behind it is.",
           "Warm the new keys, or read v3 as a fallback for a day; deploy at night.",
           "common mechanism, no external source (cold cache)", False)
    c.pr("Fragments with the new price layout", """
         The old fragments have the old markup, so bump the version.
         """, ["fragments v4"], "dev-plover", "habitat/store", 1412)
    extras(c, "store", "ruby", "Furniture store.")
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "redis", "~> 5.2"
        gem "pg"
        """)
    c.f("app/models/fragment.rb", """
        class Fragment
          VERSION = "v3"

          def self.fetch(product)
            Rails.cache.fetch(["fragment", VERSION, product.cache_key_with_version], expires_in: 7.days) do
              ApplicationController.render(partial: "products/tile", locals: { product: product })
            end
          end
        end
        """)
    c.f("app/models/product.rb", """
        class Product < ApplicationRecord
          has_many :prices
          has_many :reviews

          def from_price
            prices.minimum(:cents)
          end

          def stars
            reviews.average(:stars)
          end
        end
        """)
    c.f("app/views/products/_tile.html.erb", """
        <div class="tile"><b><%= product.title %></b> <%= product.from_price %> <%= product.stars %></div>
        """)
    c.f("config/environments/production.rb", """
        Rails.application.configure do
          config.cache_store = :redis_cache_store, { url: ENV.fetch("CACHE_URL") }
        end
        """)
    c.patch("app/models/fragment.rb", ('VERSION = "v3"', 'VERSION = "v4"'))
    c.patch("app/views/products/_tile.html.erb", ('class="tile"', 'class="tile tile-price"'))
    p = c.prod("350680790944", "eu-west-1")
    s = p.ecs("web", "store", desired_count=6)
    r = p.redis("store-cache", engine="redis", node_type="cache.r6g.large")
    db = p.rds("store-pg", engine="postgres", engine_version="15.5")
    deploys(p, "habitat/store", s)
    p.edge(s, r, "reads_from"); p.edge(s, db, "reads_from")
    p.metric(r, "CacheHitRate", "Percent", flat, 94, noise=.005, hi=96)
    p.metric(r, "GetTypeCmdsPerSecond", "Count/Second", diurnal, 260, amp=.45)
    alarming(p, "lambda", "room-planner")
    c.culprit("app/models/fragment.rb", 'VERSION = "v4"', s, alt_resources=[r, db])


def _cron(c, org, job, policy):
    extras(c, job, "py", f"{job} job.")
    c.f("k8s/cronjob.yaml", f"""
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: {job}
          namespace: {org}
        spec:
          schedule: "0 * * * *"{policy}
          jobTemplate:
            spec:
              backoffLimit: 0
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: {job}
                      image: registry.{org}.example/{job}:31
                      args: ["python", "-m", "{job}"]
                      resources:
                        requests: {{cpu: "1", memory: 2Gi}}
        """)
    c.f("requirements.txt", """
        psycopg[binary]==3.1.18
        """)
    c.f(f"{job}/__init__.py", "")
    c.patch("k8s/cronjob.yaml", ('"0 * * * *"', '"*/5 * * * *"'))


def _hourly(r, base, extra, steps):
    v = diurnal(r, base, amp=.2)
    for h in range(168):
        v[h * 12:h * 12 + steps] += extra
    return v.clip(0, 100)


@case("rollup-every-five-minutes")
def _(c):
    c.meta("Job of a quarter of an hour scheduled every five minutes", "schedule", "no-go", "confirmed",
           "The schedule goes from hourly to every five minutes while a run takes 14-19 minutes and concurrencyPolicy is Allow: three or four run at once, and each adds about 29 points of CPU to a database that idles at 23 %; they slow each other down and pile up.",
           "Make the rollup incremental first, or concurrencyPolicy: Forbid and every 30 minutes.",
           "common mechanism, no external source (cron overlap)", False)
    c.pr("Near-real-time rollups", """
         Customers want to see the numbers of the last minutes.
         """, ["cron: every 5 min"], "dev-gorse", "metricly/rollup", 66)
    _cron(c, "metricly", "rollup", "")
    c.f("rollup/__main__.py", """
        import os
        import time

        import psycopg

        SQL = \"\"\"
        INSERT INTO rollups (site, day, hits, visitors)
        SELECT site, date_trunc('day', at), count(*), count(DISTINCT visitor) FROM hits GROUP BY 1, 2
        ON CONFLICT (site, day) DO UPDATE SET hits = excluded.hits, visitors = excluded.visitors
        \"\"\"

        start = time.monotonic()
        with psycopg.connect(os.environ["DATABASE_URL"]) as conn:
            conn.execute(SQL)
        print(f"rollup finished in {time.monotonic() - start:.0f} s")
        """)
    p = c.prod("460790801011", "eu-west-1")
    j = p.k8s("prod", "metricly", "cronjob", "rollup", schedule="0 * * * *")
    db = p.rds("metricly-pg", engine="postgres", engine_version="15.5", instance_class="db.m6g.2xlarge")
    s = p.k8s("prod", "metricly", "deployment", "dashboard", replicas=4)
    deploys(p, "metricly/rollup", j)
    p.edge(j, db, "writes_to"); p.edge(s, db, "reads_from")
    p.metric(db, "CPUUtilization", "Percent", _hourly, 23, 29, 3)
    p.metric(s, "http_requests_per_second", "Count/Second", diurnal, 34, amp=.5)
    p.db(db, "postgres", "15.5", [("public", "hits", 610_000_000, 92_000_000_000, 240.0, 50.0), ("public", "rollups", 1_900_000, 260_000_000, 2.0, 90.0)], [], {})
    r = p.rng("rollups")
    for h in range(1, 168, 2):
        took = int(r.integers(845, 1160))
        p.log(START + timedelta(hours=h, seconds=took), j, "INFO", f"rollup finished in {took} s")
    alarming(p, "k8s", "heatmap-tiles")
    c.culprit("k8s/cronjob.yaml", "schedule:", db, alt_resources=[j])


@case("sitemap-every-five-minutes")
def _(c):
    c.meta("Job of ten seconds scheduled every five minutes", "schedule", "go", "refuted",
           "The schedule goes from hourly to every five minutes; a run takes 8-19 s, concurrencyPolicy is Forbid, and the database stands at 5 % CPU.",
           "None needed.", "common mechanism, no external source (cron overlap)", False)
    c.pr("Fresh sitemap", """
         New articles should be in the sitemap within minutes.
         """, ["cron: every 5 min"], "dev-gorse", "gazette/sitemap", 18)
    _cron(c, "gazette", "sitemap", "\n          concurrencyPolicy: Forbid")
    c.f("sitemap/__main__.py", """
        import os
        import time

        import psycopg

        from .xml import render

        start = time.monotonic()
        with psycopg.connect(os.environ["DATABASE_URL"]) as conn:
            rows = conn.execute("SELECT slug, updated_at FROM articles WHERE published ORDER BY updated_at DESC LIMIT 45000").fetchall()
        with open("/srv/sitemap.xml", "w") as f:
            f.write(render(rows))
        print(f"sitemap finished in {time.monotonic() - start:.0f} s")
        """)
    c.f("sitemap/xml.py", """
        def render(rows) -> str:
            urls = "".join(f"<url><loc>https://gazette.example/{slug}</loc><lastmod>{at:%Y-%m-%d}</lastmod></url>" for slug, at in rows)
            return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        """)
    p = c.prod("460790801022", "eu-west-1")
    j = p.k8s("prod", "gazette", "cronjob", "sitemap", schedule="0 * * * *")
    db = p.rds("gazette-pg", engine="postgres", engine_version="15.5", instance_class="db.m6g.large")
    deploys(p, "gazette/sitemap", j)
    p.edge(j, db, "reads_from")
    p.metric(db, "CPUUtilization", "Percent", diurnal, 5, amp=.2, hi=7)
    r = p.rng("runs")
    for h in range(1, 168, 2):
        took = int(r.integers(8, 20))
        p.log(START + timedelta(hours=h, seconds=took), j, "INFO", f"sitemap finished in {took} s")
    alarming(p, "k8s", "archive-search")


@case("three-exports-at-two")
def _(c):
    c.meta("Three nightly exports moved to the same minute", "schedule", "go", "plausible",
           "All three exports now start at 02:00 on the same warehouse database instead of 01:00, 02:30 and 04:00; how long they run and how busy that database is at night isn't recorded.",
           "Keep them apart, or record their durations and the load first.",
           "common mechanism, no external source (jobs at the same minute)", False)
    c.pr("Exports done by breakfast", """
         Finance starts at six and the last export wasn't ready on two days.
         """, ["schedules: all at 02:00"], "dev-myrtle", "orchardbank/exports", 52)
    extras(c, "exports", "py", "Nightly exports for finance.", docker=False)
    c.f("serverless.yml", """
        service: exports
        provider:
          name: aws
          runtime: python3.12
          region: eu-west-1
          timeout: 900
        functions:
          ledger:
            name: export-ledger
            handler: exports.ledger
            events:
              - schedule: {name: export-ledger-nightly, rate: "cron(0 1 * * ? *)"}
          risk:
            name: export-risk
            handler: exports.risk
            events:
              - schedule: {name: export-risk-nightly, rate: "cron(30 2 * * ? *)"}
          cards:
            name: export-cards
            handler: exports.cards
            events:
              - schedule: {name: export-cards-nightly, rate: "cron(0 4 * * ? *)"}
        """)
    c.f("exports.py", """
        from warehouse import copy_out


        def ledger(_event, _context):
            copy_out("SELECT * FROM ledger_entries WHERE booked_on = current_date - 1", "ledger.csv")


        def risk(_event, _context):
            copy_out("SELECT * FROM risk_positions", "risk.csv")


        def cards(_event, _context):
            copy_out("SELECT * FROM card_transactions WHERE day = current_date - 1", "cards.csv")
        """)
    c.f("warehouse.py", """
        import os

        import psycopg


        def copy_out(query: str, name: str) -> None:
            with psycopg.connect(os.environ["WAREHOUSE_URL"]) as conn, conn.cursor() as cur, open(f"/tmp/{name}", "wb") as f:
                with cur.copy(f"COPY ({query}) TO STDOUT CSV HEADER") as copy:
                    for chunk in copy:
                        f.write(chunk)
        """)
    c.f("requirements.txt", """
        psycopg[binary]==3.1.18
        """)
    c.patch("serverless.yml", ("cron(0 1 * * ? *)", "cron(0 2 * * ? *)"), ("cron(30 2 * * ? *)", "cron(0 2 * * ? *)"), ("cron(0 4 * * ? *)", "cron(0 2 * * ? *)"))
    p = c.prod("460790801033", "eu-west-1")
    fs = [p.lam(n, runtime="python3.12", timeout_s=900, memory_mb=1024) for n in ("export-ledger", "export-risk", "export-cards")]
    db = p.rds("warehouse-pg", engine="postgres", engine_version="15.5")
    deploys(p, "orchardbank/exports", *fs)
    for f in fs:
        p.edge(f, db, "reads_from")
        p.metric(f, "Invocations", "Count", nightly, 1 if "ledger" in f else 2.5 if "risk" in f else 4, 5, 1, noise=0, ints=True)
    alarming(p, "queue", "statement-mails")
    c.culprit("serverless.yml", "export-risk-nightly", db, alt=[("serverless.yml", "export-ledger-nightly"), ("serverless.yml", "export-cards-nightly")], alt_resources=fs)


# ---------------------------------------------------------------------------------------- stateful infrastructure

def _rds_tf(c, org, name, extra_files=True):
    extras(c, "infra", "tf", f"Infrastructure of {org}.")
    c.f("database.tf", f"""
        resource "aws_db_instance" "{name}" {{
          identifier              = "{name}-pg"
          engine                  = "postgres"
          engine_version          = "15.5"
          instance_class          = "db.m6g.xlarge"
          allocated_storage       = 400
          storage_type            = "gp3"
          multi_az                = true
          username                = "{name}"
          password                = var.db_password
          backup_retention_period = 7
          skip_final_snapshot     = true
          vpc_security_group_ids  = [aws_security_group.{name}.id]
        }}
        """)
    c.f("network.tf", f"""
        resource "aws_security_group" "{name}" {{
          name   = "{name}-db"
          vpc_id = var.vpc_id
        }}
        """)
    c.f("variables.tf", """
        variable "db_password" {
          type      = string
          sensitive = true
        }

        variable "vpc_id" {
          type = string
        }
        """)
    c.f("outputs.tf", f"""
        output "{name}_host" {{
          value = aws_db_instance.{name}.address
        }}
        """)


@case("policies-rds-encryption")
def _(c):
    c.meta("Encryption switched on for an existing database: Terraform replaces it", "stateful", "no-go", "confirmed",
           "storage_encrypted can't be changed in place; the plan destroys policies-pg (310 GB, 140 connections) and creates an empty one, and skip_final_snapshot is true.",
           "Copy a snapshot with a KMS key, restore it as a new instance and cut over; add prevent_destroy.",
           "common mechanism, no external source (force-new attribute)", False)
    c.pr("Encrypt policies-pg at rest", """
         Audit finding 14. One line per instance, the other databases follow.
         """, ["rds: encrypt at rest"], "dev-sedge", "insurely/infra", 270)
    _rds_tf(c, "insurely", "policies")
    c.patch("database.tf", ('  multi_az                = true\n', '  storage_encrypted       = true\n  multi_az                = true\n'))
    p = c.prod("570800911101", "eu-central-1")
    db = p.rds("policies-pg", engine="postgres", engine_version="15.5", instance_class="db.m6g.xlarge", allocated_storage_gb=400, storage_encrypted=False, multi_az=True)
    s = p.ecs("core", "policies", desired_count=6)
    deploys(p, "insurely/infra", db)
    p.edge(s, db, "writes_to")
    p.metric(db, "DatabaseConnections", "Count", diurnal, 132, amp=.08, noise=.02, ints=True)
    p.metric(db, "FreeStorageSpace", "Bytes", flat, 9.1e10, noise=.005)
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 210, amp=.4)
    p.db(db, "postgres", "15.5", [("public", "policies", 11_800_000, 41_000_000_000, 9.0, 300.0), ("public", "claims", 44_000_000, 205_000_000_000, 31.0, 140.0)], [], {})
    alarming(p, "lambda", "quote-pdf")
    c.culprit("database.tf", "storage_encrypted       = true", db, alt=[("database.tf", "skip_final_snapshot     = true")], alt_resources=[s])


@case("riders-rds-storage")
def _(c):
    c.meta("Database attributes that change in place", "stateful", "go", "refuted",
           "allocated_storage (400 to 600), max_allocated_storage and performance_insights_enabled are modified in place without a restart; nothing is replaced.",
           "None needed.", "common mechanism, no external source (in-place attribute)", True)
    c.pr("Room for riders-pg", """
         A fifth of the disk is left. Also turns on Performance Insights.
         """, ["rds: 600 GB", "rds: performance insights"], "dev-sedge", "pedalshare/infra", 91)
    _rds_tf(c, "pedalshare", "riders")
    c.patch("database.tf", ("  allocated_storage       = 400\n", "  allocated_storage       = 600\n  max_allocated_storage   = 1000\n"),
            ("_group.riders.id]\n", "_group.riders.id]\n\n  performance_insights_enabled = true\n"))
    p = c.prod("570800911112", "eu-central-1")
    db = p.rds("riders-pg", engine="postgres", engine_version="15.5", instance_class="db.m6g.xlarge", allocated_storage_gb=400, multi_az=True)
    s = p.ecs("core", "riders", desired_count=6)
    deploys(p, "pedalshare/infra", db)
    p.edge(s, db, "writes_to")
    p.metric(db, "DatabaseConnections", "Count", diurnal, 90, amp=.08, noise=.02, ints=True)
    p.metric(db, "FreeStorageSpace", "Bytes", flat, 8.4e10, noise=.003, trend=-.02)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 19, amp=.3)
    alarming(p, "queue", "dock-events")


@case("staging-cluster-engine")
def _(c):
    c.meta("Database replaced in the staging folder only", "stateful", "go", "refuted",
           "The changed attributes force a new instance, but only in envs/staging; the production folder and its database orders-prod stay as they are, and orders-staging has no clients but the test suite.",
           "None needed.", "common mechanism, no external source (replacement outside production)", True)
    c.pr("Staging: encrypted, with a proper database name", """
         Recreates the staging database; the seed job fills it again. Production is not part of this.
         """, ["staging: encrypt, rename db"], "dev-quill", "ferngate/terraform", 208)
    extras(c, "terraform", "tf", "envs/prod is applied by the release pipeline, envs/staging by hand.")
    for env, size in (("prod", "db.r6g.xlarge"), ("staging", "db.t4g.medium")):
        c.f(f"envs/{env}/main.tf", f"""
            resource "aws_db_instance" "orders" {{
              identifier          = "orders-{env}"
              engine              = "postgres"
              engine_version      = "15.5"
              instance_class      = "{size}"
              allocated_storage   = 100
              db_name             = "app"
              username            = "orders"
              password            = var.db_password
              skip_final_snapshot = {"false" if env == "prod" else "true"}
            }}

            variable "db_password" {{
              type      = string
              sensitive = true
            }}
            """)
        c.f(f"envs/{env}/backend.tf", f"""
            terraform {{
              backend "s3" {{
                bucket = "ferngate-tfstate"
                key    = "{env}/orders.tfstate"
                region = "eu-central-1"
              }}
            }}
            """)
    c.patch("envs/staging/main.tf", ('  db_name             = "app"\n', '  db_name             = "orders"\n  storage_encrypted   = true\n'))
    p = c.prod("570800911123", "eu-central-1")
    db = p.rds("orders-prod", engine="postgres", engine_version="15.5", instance_class="db.r6g.xlarge", environment="prod")
    st = p.rds("orders-staging", engine="postgres", engine_version="15.5", instance_class="db.t4g.medium", environment="staging")
    s = p.ecs("core", "orders", desired_count=6)
    deploys(p, "ferngate/terraform", db, st)
    p.edge(s, db, "writes_to")
    p.metric(db, "DatabaseConnections", "Count", diurnal, 110, amp=.08, noise=.02, ints=True)
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 150, amp=.4)
    p.metric(st, "DatabaseConnections", "Count", zeros)
    alarming(p, "lambda", "wholesale-feed")


@case("statements-lifecycle-30")
def _(c):
    c.meta("Objects expire after 30 days while customers read a year of them", "stateful", "no-go", "confirmed",
           "The lifecycle rule expires statements/ after 30 instead of 400 days, but the app lists twelve months and the access log shows reads of PDFs that are 2 to 11 months old; versioning is off, so they are gone for good.",
           "Move old statements to a cheaper storage class instead of expiring them.",
           "common mechanism, no external source (S3 lifecycle)", False)
    c.pr("S3: cut storage cost", """
         4 TB of PDFs that nobody looks at after the month has passed.
         """, ["s3: lifecycle 30 days"], "dev-tansy", "brightutility/statements", 121)
    extras(c, "statements", "tf", "Monthly statements as PDF.")
    c.f("infra/bucket.tf", """
        resource "aws_s3_bucket" "statements" {
          bucket = "brightutility-statements"
        }

        resource "aws_s3_bucket_lifecycle_configuration" "statements" {
          bucket = aws_s3_bucket.statements.id

          rule {
            id     = "statements"
            status = "Enabled"

            filter {
              prefix = "statements/"
            }

            expiration {
              days = 400
            }
          }
        }
        """)
    c.f("app/routes.rb", """
        require "sinatra"
        require_relative "archive"

        get "/statements" do
          content_type :json
          Archive.months(env["account"]).to_json
        end

        get "/statements/:month" do
          redirect Archive.url(env["account"], params[:month])
        end
        """)
    c.f("app/archive.rb", """
        require "aws-sdk-s3"

        module Archive
          BUCKET = Aws::S3::Bucket.new("brightutility-statements")

          def self.months(account)
            (0..11).map { |i| (Date.today << i).strftime("%Y-%m") }.select { |m| BUCKET.object(key(account, m)).exists? }
          end

          def self.url(account, month)
            BUCKET.object(key(account, month)).presigned_url(:get, expires_in: 300)
          end

          def self.key(account, month)
            "statements/#{month}/#{account}.pdf"
          end
        end
        """)
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "sinatra"
        gem "aws-sdk-s3"
        """)
    c.patch("infra/bucket.tf", ("days = 400", "days = 30"))
    p = c.prod("570800911134", "eu-west-2")
    b = p.s3("brightutility-statements", versioning=False, lifecycle_expiration_days=400)
    s = p.ecs("web", "statements", desired_count=3)
    deploys(p, "brightutility/statements", b, s)
    p.edge(s, b, "reads_from")
    p.metric(b, "GetRequests", "Count", diurnal, 1300, amp=.5, ints=True)
    p.metric(b, "BucketSizeBytes", "Bytes", flat, 4.2e12, noise=.0005)
    months = ["2025-06", "2025-07", "2025-08", "2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03", "2026-04"]
    p.logs_from(b, 260, lambda r, at, i: f"REST.GET.OBJECT statements/{months[min(10, int(r.triangular(0, 11, 11)))]}/{r.integers(10**6, 10**7)}.pdf 200", days=3)
    alarming(p, "lambda", "tariff-mailer")
    c.culprit("infra/bucket.tf", "days = 30", b, alt=[("app/archive.rb", "(0..11).map")], alt_resources=[s])


def _sqs_retention(c, org, name, lang):
    extras(c, name, "tf", f"{name} queue and worker.")
    c.f("infra/queue.tf", f"""
        resource "aws_sqs_queue" "{name.replace('-', '_')}" {{
          name                       = "{name}"
          visibility_timeout_seconds = 180
          message_retention_seconds  = 1209600
          receive_wait_time_seconds  = 20
        }}
        """)
    c.f("infra/provider.tf", """
        provider "aws" {
          region = "eu-west-1"
        }
        """)
    c.f("infra/worker.tf", f"""
        resource "aws_ecs_service" "{name.replace('-', '_')}" {{
          name          = "{name}-worker"
          cluster       = "jobs"
          desired_count = 2
        }}
        """)
    c.patch("infra/queue.tf", ("= 1209600", "= 86400"))


def _weekend_age(r):
    v = flat(r, 25, noise=.3)
    v[:72] = 194400 + 300 * np.arange(72)               # paused since Friday 18:00, until Monday 06:00
    v[72:80] = np.linspace(200000, 200, 8)
    at = (4 * 24 + 18) * 12
    v[at:] = 300 * np.arange(len(v) - at)
    return v.round(1)


@case("crm-sync-retention-one-day")
def _(c):
    c.meta("Queue retention below the age that messages reach every weekend", "stateful", "no-go", "confirmed",
           "message_retention_seconds goes from 14 days to one day, but the worker pauses from Friday 18:00 to Monday 06:00 and the oldest message is 60 h old by then; everything older than 24 h is deleted unseen.",
           "Keep at least four days, or let the worker run at weekends first.",
           "common mechanism, no external source (SQS retention)", False)
    c.pr("Retention: one day", """
         Data minimisation: personal data should not sit in queues for two weeks.
         """, ["sqs: retention one day"], "dev-vetch", "officegrid/crm-sync", 37)
    _sqs_retention(c, "officegrid", "crm-sync", "py")
    c.f("worker/main.py", """
        import json
        import os
        import time
        from datetime import datetime

        import boto3

        from .crm import push

        sqs = boto3.client("sqs")


        def open_now(now: datetime) -> bool:
            return not (now.weekday() >= 5 or (now.weekday() == 4 and now.hour >= 18) or (now.weekday() == 0 and now.hour < 6))


        def main() -> None:
            while True:
                if not open_now(datetime.utcnow()):
                    time.sleep(60)
                    continue
                for m in sqs.receive_message(QueueUrl=os.environ["QUEUE_URL"], MaxNumberOfMessages=10, WaitTimeSeconds=20).get("Messages", []):
                    push(json.loads(m["Body"]))
                    sqs.delete_message(QueueUrl=os.environ["QUEUE_URL"], ReceiptHandle=m["ReceiptHandle"])
        """)
    c.f("worker/crm.py", """
        import os

        import requests


        def push(contact: dict) -> None:
            requests.put(f"{os.environ['CRM_URL']}/contacts/{contact['id']}", json=contact, timeout=30).raise_for_status()
        """)
    p = c.prod("680911021201", "eu-west-1")
    q = p.sqs("crm-sync", visibility_timeout_s=180, message_retention_s=1209600)
    w, a = p.ecs("jobs", "crm-sync-worker", desired_count=2), p.ecs("web", "accounts", desired_count=5)
    deploys(p, "officegrid/crm-sync", q, w)
    p.edge(a, q, "publishes_to"); p.edge(q, w, "triggers")
    p.metric(q, "ApproximateAgeOfOldestMessage", "Seconds", _weekend_age)
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 160, amp=.5, weekend=.6, ints=True)
    alarming(p, "db", "lead-scoring")
    c.culprit("infra/queue.tf", "message_retention_seconds  = 86400", q, alt=[("worker/main.py", "now.weekday() >= 5")], alt_resources=[w])


@case("webhooks-retention-one-day")
def _(c):
    c.meta("Queue retention lowered far above the age of its messages", "stateful", "go", "refuted",
           "message_retention_seconds goes from 14 days to one day; the oldest message was never older than 48 s in the week, and failures go to a dead letter queue with its own retention.",
           "None needed.", "common mechanism, no external source (SQS retention)", False)
    c.pr("Retention: one day", """
         Data minimisation: personal data should not sit in queues for two weeks.
         """, ["sqs: retention one day"], "dev-vetch", "officegrid/webhooks", 83)
    _sqs_retention(c, "officegrid", "webhooks", "ts")
    c.f("infra/dlq.tf", """
        resource "aws_sqs_queue" "webhooks_dead" {
          name                      = "webhooks-dead"
          message_retention_seconds = 1209600
        }

        resource "aws_sqs_queue_redrive_policy" "webhooks" {
          queue_url = aws_sqs_queue.webhooks.id
          redrive_policy = jsonencode({
            deadLetterTargetArn = aws_sqs_queue.webhooks_dead.arn
            maxReceiveCount     = 5
          })
        }
        """)
    c.f("worker/main.ts", """
        import { SQS } from "@aws-sdk/client-sqs";
        import { deliver } from "./deliver";

        const sqs = new SQS({});
        const QueueUrl = process.env.QUEUE_URL!;

        export async function main() {
          for (;;) {
            const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 });
            for (const m of Messages) {
              await deliver(JSON.parse(m.Body!));
              await sqs.deleteMessage({ QueueUrl, ReceiptHandle: m.ReceiptHandle! });
            }
          }
        }
        """)
    c.f("worker/deliver.ts", """
        export async function deliver(hook: { url: string; body: unknown }) {
          const res = await fetch(hook.url, { method: "POST", body: JSON.stringify(hook.body), signal: AbortSignal.timeout(5000) });
          if (!res.ok) throw new Error(`webhook ${res.status}`);
        }
        """)
    p = c.prod("680911021212", "eu-west-1")
    q, dq = p.sqs("webhooks", visibility_timeout_s=180, message_retention_s=1209600, redrive_max_receive_count=5), p.sqs("webhooks-dead", message_retention_s=1209600)
    w, a = p.ecs("jobs", "webhooks-worker", desired_count=2), p.ecs("web", "events", desired_count=5)
    deploys(p, "officegrid/webhooks", q, w)
    p.edge(a, q, "publishes_to"); p.edge(q, w, "triggers"); p.edge(q, dq, "routes_to")
    p.metric(q, "ApproximateAgeOfOldestMessage", "Seconds", flat, 14, noise=.4, hi=48)
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 900, amp=.5, ints=True)
    alarming(p, "db", "contract-search")


# ---------------------------------------------------------------------------------------- permissions, network, edge

def _iam(c, org, svc, removed):
    extras(c, svc, "tf", f"Bucket, role and code of {svc}.")
    c.f("infra/iam.tf", f"""
        data "aws_iam_policy_document" "objects" {{
          statement {{
            sid = "Objects"
            actions = [
              "s3:GetObject",
              "s3:PutObject",
              "s3:DeleteObject",
            ]
            resources = ["${{aws_s3_bucket.scans.arn}}/*"]
          }}
        }}

        resource "aws_iam_role_policy" "objects" {{
          name   = "objects"
          role   = aws_iam_role.{svc}.id
          policy = data.aws_iam_policy_document.objects.json
        }}

        resource "aws_iam_role" "{svc}" {{
          name               = "{svc}"
          assume_role_policy = file("${{path.module}}/assume-ecs.json")
        }}
        """)
    c.f("infra/assume-ecs.json", """
        {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"Service": "ecs-tasks.amazonaws.com"}, "Action": "sts:AssumeRole"}]}
        """)
    c.f("infra/bucket.tf", f"""
        resource "aws_s3_bucket" "scans" {{
          bucket = "{org}-scans"
        }}
        """)
    c.patch("infra/iam.tf", (f'      "{removed}",\n', ""))


@case("scans-put-object-removed")
def _(c):
    c.meta("s3:PutObject removed from a role whose code uploads", "permissions", "no-go", "confirmed",
           "The role loses s3:PutObject while store.py still calls put_object for each scan (about 1.4 a second), so every upload fails with AccessDenied.",
           "Keep the action; remove it only with the code that needs it.",
           "common mechanism, no external source (IAM permission removed)", False)
    c.pr("Least privilege for intake", """
         Access Analyzer flags write access of intake. Its job is to read.
         """, ["iam: intake least privilege"], "dev-comfrey", "clinicnote/intake", 29)
    _iam(c, "clinicnote", "intake", "s3:PutObject")
    c.f("intake/store.py", """
        import boto3

        s3 = boto3.client("s3")
        BUCKET = "clinicnote-scans"


        def save(scan_id: str, body: bytes) -> None:
            s3.put_object(Bucket=BUCKET, Key=f"{scan_id}.tiff", Body=body)


        def load(scan_id: str) -> bytes:
            return s3.get_object(Bucket=BUCKET, Key=f"{scan_id}.tiff")["Body"].read()


        def forget(scan_id: str) -> None:
            s3.delete_object(Bucket=BUCKET, Key=f"{scan_id}.tiff")
        """)
    c.f("intake/api.py", """
        from fastapi import FastAPI, Request

        from . import store

        app = FastAPI()


        @app.put("/scans/{scan_id}")
        async def put(scan_id: str, req: Request):
            store.save(scan_id, await req.body())
            return {"id": scan_id}


        @app.delete("/scans/{scan_id}")
        def delete(scan_id: str):
            store.forget(scan_id)
        """)
    p = c.prod("680911021223", "eu-central-1")
    r, b, s = p.role("intake"), p.s3("clinicnote-scans"), p.ecs("core", "intake", desired_count=4)
    deploys(p, "clinicnote/intake", r, s)
    p.edge(s, b, "writes_to"); p.edge(s, r, "connects_to")
    p.metric(b, "PutRequests", "Count", diurnal, 430, amp=.5, ints=True)
    p.metric(b, "GetRequests", "Count", diurnal, 1900, amp=.5, ints=True)
    p.metric(s, "CPUUtilization", "Percent", diurnal, 16, amp=.4)
    alarming(p, "lambda", "dicom-sorter")
    c.culprit("infra/iam.tf", '"s3:DeleteObject"', r, alt=[("intake/store.py", "s3.put_object"), ("infra/iam.tf", '"s3:GetObject"')], alt_resources=[b, s], deleted=[("infra/iam.tf", '"s3:PutObject"')])


@case("scans-delete-object-removed")
def _(c):
    c.meta("Unused s3:DeleteObject removed", "permissions", "go", "refuted",
           "The role loses s3:DeleteObject; no code calls it and the bucket saw no DELETE in the week.",
           "None needed.", "common mechanism, no external source (unused permission removed)", False)
    c.pr("Least privilege for archive", """
         Access Analyzer flags delete access that was never used.
         """, ["iam: archive least privilege"], "dev-comfrey", "clinicnote/archive", 31)
    _iam(c, "clinicfile", "archive", "s3:DeleteObject")
    c.f("src/store.ts", """
        import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

        const s3 = new S3Client({});
        const Bucket = "clinicfile-scans";

        export const save = (id: string, Body: Buffer) => s3.send(new PutObjectCommand({ Bucket, Key: `${id}.tiff`, Body }));
        export const load = (id: string) => s3.send(new GetObjectCommand({ Bucket, Key: `${id}.tiff` }));
        """)
    c.f("src/server.ts", """
        import Fastify from "fastify";
        import { load, save } from "./store";

        const app = Fastify({ bodyLimit: 30_000_000 });
        app.put("/scans/:id", async (req) => save((req.params as { id: string }).id, req.body as Buffer));
        app.get("/scans/:id", async (req) => (await load((req.params as { id: string }).id)).Body);
        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    p = c.prod("680911021234", "eu-central-1")
    r, b, s = p.role("archive"), p.s3("clinicfile-scans"), p.ecs("core", "archive", desired_count=4)
    deploys(p, "clinicnote/archive", r, s)
    p.edge(s, b, "writes_to"); p.edge(s, r, "connects_to")
    p.metric(b, "DeleteRequests", "Count", zeros)
    p.metric(b, "PutRequests", "Count", diurnal, 300, amp=.5, ints=True)
    p.metric(b, "GetRequests", "Count", diurnal, 800, amp=.5, ints=True)
    alarming(p, "lambda", "fax-bridge")


def _sg(c, org, name, port, who, cidr):
    extras(c, "network", "tf", f"Security groups of {org}.")
    c.f("security.tf", f"""
        resource "aws_security_group" "{name}" {{
          name   = "{name}"
          vpc_id = var.vpc_id
        }}

        resource "aws_vpc_security_group_ingress_rule" "app" {{
          security_group_id            = aws_security_group.{name}.id
          referenced_security_group_id = var.app_security_group
          from_port                    = {port}
          to_port                      = {port}
          ip_protocol                  = "tcp"
        }}

        resource "aws_vpc_security_group_ingress_rule" "{who}" {{
          security_group_id = aws_security_group.{name}.id
          cidr_ipv4         = "{cidr}"
          from_port         = {port}
          to_port           = {port}
          ip_protocol       = "tcp"
        }}

        resource "aws_vpc_security_group_ingress_rule" "monitoring" {{
          security_group_id = aws_security_group.{name}.id
          cidr_ipv4         = "10.40.250.0/28"
          from_port         = 9187
          to_port           = 9187
          ip_protocol       = "tcp"
        }}
        """)
    c.f("variables.tf", """
        variable "vpc_id" {
          type = string
        }

        variable "app_security_group" {
          type = string
        }
        """)
    c.f("versions.tf", """
        terraform {
          required_providers {
            aws = {
              source  = "hashicorp/aws"
              version = "~> 5.40"
            }
          }
        }
        """)
    block = f"""resource "aws_vpc_security_group_ingress_rule" "{who}" {{
  security_group_id = aws_security_group.{name}.id
  cidr_ipv4         = "{cidr}"
  from_port         = {port}
  to_port           = {port}
  ip_protocol       = "tcp"
}}

"""
    c.patch("security.tf", (block, ""))


@case("warehouse-sg-5432-removed")
def _(c):
    c.meta("Ingress rule removed that the batch subnet uses all day", "permissions", "no-go", "confirmed",
           "The rule for 10.40.16.0/22 on 5432 goes away while flow logs show accepted connections from 10.40.17.x to 5432 every few seconds (about 130 per five minutes), so the ETL loses its database.",
           "Move the ETL to the referenced security group first, then remove the CIDR rule.",
           "common mechanism, no external source (security group rule removed)", False)
    c.pr("Remove CIDR rules from the warehouse", """
         Rules should reference security groups. The old subnet rule predates them.
         """, ["sg: drop legacy CIDR"], "dev-yew", "grainhub/network", 144)
    _sg(c, "grainhub", "warehouse", 5432, "legacy_batch", "10.40.16.0/22")
    p = c.prod("791022131301", "eu-west-1")
    g = p.sg("sg-0aa17bd3", "warehouse")
    db = p.rds("warehouse-pg", engine="postgres", engine_version="15.5", vpc_security_groups=["sg-0aa17bd3"])
    e = p.ecs("batch", "etl", desired_count=4, subnet_cidr="10.40.16.0/22")
    deploys(p, "grainhub/network", g)
    p.edge(e, db, "writes_to"); p.edge(g, db, "routes_to")
    p.metric(g, "AcceptedFlows{source=10.40.16.0/22}", "Count", diurnal, 130, amp=.3, weekend=.9, ints=True)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 44, amp=.2, ints=True)
    p.logs_from(g, 220, lambda r, at, i: f"2 791022131301 eni-07f2{r.integers(10, 99)} 10.40.17.{r.integers(4, 60)} 10.40.30.11 {r.integers(32768, 60999)} 5432 6 {r.integers(20, 900)} {r.integers(4000, 90000)} ACCEPT OK", days=2)
    alarming(p, "lambda", "silo-sensors")
    c.culprit("security.tf", '"aws_vpc_security_group_ingress_rule" "monitoring"', g, alt_resources=[db, e], deleted=[("security.tf", '"aws_vpc_security_group_ingress_rule" "legacy_batch"'), ("security.tf", '"10.40.16.0/22"')])


@case("search-sg-9200-removed")
def _(c):
    c.meta("Ingress rule removed that no packet has used", "permissions", "go", "refuted",
           "The rule for 10.40.64.0/22 on 9200 goes away; no flow from there was accepted in the week, and the app uses the rule by security group.",
           "None needed.", "common mechanism, no external source (security group rule removed)", False)
    c.pr("Remove CIDR rules from search", """
         Rules should reference security groups. The old subnet rule predates them.
         """, ["sg: drop legacy CIDR"], "dev-yew", "grainhub/network", 145)
    _sg(c, "grainhub", "search", 9200, "legacy_indexer", "10.40.64.0/22")
    p = c.prod("791022131312", "eu-west-1")
    g = p.sg("sg-0bb28ce4", "search")
    o = p.res("arn:aws:es:eu-west-1:791022131312:domain/search", "aws.opensearch.domain", "search")
    e = p.ecs("web", "market", desired_count=4)
    deploys(p, "grainhub/network", g)
    p.edge(e, o, "reads_from"); p.edge(g, o, "routes_to")
    p.metric(g, "AcceptedFlows{source=10.40.64.0/22}", "Count", zeros)
    p.metric(g, "AcceptedFlows{source=sg-0app77e1}", "Count", diurnal, 610, amp=.4, ints=True)
    p.metric(o, "CPUUtilization", "Percent", diurnal, 33, amp=.4)
    p.logs_from(g, 160, lambda r, at, i: f"2 791022131312 eni-0a31{r.integers(10, 99)} 10.40.8.{r.integers(4, 60)} 10.40.31.20 {r.integers(32768, 60999)} 9200 6 {r.integers(20, 900)} {r.integers(4000, 90000)} ACCEPT OK", days=2)
    alarming(p, "db", "auction-house")


def _wrangler(c, org, svc, both):
    extras(c, svc, "node", f"Worker of {org}. Deployed with `npm run deploy`.", docker=False)
    c.f("wrangler.toml", f"""
        name = "{svc}"
        main = "src/index.ts"
        compatibility_date = "2024-09-01"

        [[kv_namespaces]]
        binding = "META"
        id = "0f2c{svc[:2].encode().hex()}9d1e4b7a8f3c2d1e0b9a8f77"

        [env.production]
        routes = [{{ pattern = "{svc}.{org}.example/*", zone_name = "{org}.example" }}]

        [[env.production.kv_namespaces]]
        binding = "META"
        id = "7b1d{svc[:2].encode().hex()}2a3f4e5d6c7b8a9f0e1d2c33"
        """)
    c.f("package.json", f"""
        {{
          "name": "{svc}",
          "scripts": {{"dev": "wrangler dev", "deploy": "wrangler deploy --env production"}},
          "devDependencies": {{"wrangler": "3.78.0"}}
        }}
        """)
    c.f("src/index.ts", """
        import { upload } from "./upload";

        export interface Env {
          META: KVNamespace;
        }

        export default {
          async fetch(req: Request, env: Env): Promise<Response> {
            const key = new URL(req.url).pathname.slice(1);
            if (req.method === "PUT") return upload(key, req, env);
            const meta = await env.META.get(key);
            return meta ? new Response(meta) : new Response("not found", { status: 404 });
          },
        };
        """)
    c.f("src/upload.ts", """
        import type { Env } from "./index";

        export async function upload(key: string, req: Request, env: Env): Promise<Response> {
          await env.META.put(key, JSON.stringify({ size: req.headers.get("content-length") }));
          return new Response(null, { status: 201 });
        }
        """)
    c.f("tsconfig.json", """
        {"compilerOptions": {"target": "es2022", "module": "es2022", "types": ["@cloudflare/workers-types"], "strict": true}}
        """)
    pairs = [("\n[env.production]\n", f"\n[[r2_buckets]]\nbinding = \"ORIGINALS\"\nbucket_name = \"{svc}-originals-dev\"\n\n[env.production]\n")]
    c.patch("wrangler.toml", *pairs)
    if both:
        c.h("wrangler.toml", c.head["wrangler.toml"] + f"\n[[env.production.r2_buckets]]\nbinding = \"ORIGINALS\"\nbucket_name = \"{svc}-originals\"\n")
    c.patch("src/index.ts", ("  META: KVNamespace;\n", "  META: KVNamespace;\n  ORIGINALS: R2Bucket;\n"))
    c.patch("src/upload.ts", ("  await env.META.put", "  await env.ORIGINALS.put(key, req.body);\n  await env.META.put"))


@case("media-r2-top-level-only")
def _(c):
    c.meta("R2 binding added at the top level only, production deploys with --env", "edge", "no-go", "confirmed",
           "Bindings aren't inherited by [env.production], and the deploy runs with --env production, so env.ORIGINALS is undefined there and every PUT (about 4/s) throws.",
           "Add [[env.production.r2_buckets]] with the production bucket.",
           "common mechanism, no external source (wrangler environments)", True)
    c.pr("Keep the originals of uploads", """
         Stores the uploaded file in R2. Tried with `wrangler dev`, works.
         """, ["r2: originals"], "dev-linden", "pixelpost/media", 61)
    _wrangler(c, "pixelpost", "media", False)
    p = c.prod("cf-acct-71aa", "global")
    w = p.worker("media-production", routes=["media.pixelpost.example/*"], bindings={"META": "kv_namespace"})
    kv = p.res("cloudflare:kv:media-meta", "cloudflare.kv_namespace", "media-meta", region="global", key_count=480221)
    b = p.res("cloudflare:r2:media-originals-dev", "cloudflare.r2_bucket", "media-originals-dev", region="global", object_count=12)
    deploys(p, "pixelpost/media", w)
    p.edge(w, kv, "writes_to"); p.edge(b, p.worker("media", routes=[], bindings={"META": "kv_namespace", "ORIGINALS": "r2_bucket"}), "reads_from")
    p.metric(w, "RequestsPerSecond{method=PUT}", "Count/Second", diurnal, 4.2, amp=.5)
    p.metric(w, "RequestsPerSecond", "Count/Second", diurnal, 77, amp=.5)
    p.logs_from(w, 140, lambda r, at, i: f"PUT /{r.integers(10**7, 10**8):x} 201 {r.integers(10, 90)}ms" if r.random() < .3 else f"GET /{r.integers(10**7, 10**8):x} 200 {r.integers(2, 20)}ms", days=1)
    alarming(p, "worker", "gif-loop")
    c.culprit("wrangler.toml", 'bucket_name = "media-originals-dev"', w, alt=[("wrangler.toml", 'binding = "ORIGINALS"'), ("wrangler.toml", "[env.production]"), ("wrangler.toml", "[[r2_buckets]]"), ("src/upload.ts", "env.ORIGINALS.put")], alt_resources=[kv])


@case("avatars-r2-both-environments")
def _(c):
    c.meta("R2 binding added for development and production", "edge", "go", "refuted",
           "env.ORIGINALS is new in code, and it is bound at the top level and under [env.production], with a production bucket that exists.",
           "None needed.", "common mechanism, no external source (wrangler environments)", False)
    c.pr("Keep the originals of avatars", """
         Stores the uploaded file in R2.
         """, ["r2: originals"], "dev-linden", "pixelpost/avatars", 19)
    _wrangler(c, "pixelpost", "avatars", True)
    p = c.prod("cf-acct-71ab", "global")
    w = p.worker("avatars-production", routes=["avatars.pixelpost.example/*"], bindings={"META": "kv_namespace"})
    kv = p.res("cloudflare:kv:avatars-meta", "cloudflare.kv_namespace", "avatars-meta", region="global", key_count=90110)
    b = p.res("cloudflare:r2:avatars-originals", "cloudflare.r2_bucket", "avatars-originals", region="global", object_count=0)
    deploys(p, "pixelpost/avatars", w, b)
    p.edge(w, kv, "writes_to")
    p.metric(w, "RequestsPerSecond{method=PUT}", "Count/Second", diurnal, 1.1, amp=.5)
    p.metric(w, "RequestsPerSecond", "Count/Second", diurnal, 31, amp=.5)
    alarming(p, "worker", "sticker-packs")


@case("api-cors-origin-removed")
def _(c):
    c.meta("CORS origin removed that sends no requests any more", "edge", "go", "refuted",
           "https://beta.leafcart.example leaves the list of allowed origins; its request counter has been zero for the whole week, the other origins stay.",
           "None needed.", "common mechanism, no external source (CORS)", False)
    c.pr("CORS: remove the beta site", """
         The beta site was switched off in March.
         """, ["cors: drop beta"], "dev-chicory", "leafcart/api", 502)
    extras(c, "api", "node", "Public API.")
    c.f("package.json", """
        {"name": "api", "dependencies": {"express": "4.19.2", "cors": "2.8.5"}}
        """)
    c.f("src/origins.js", """
        exports.origins = [
          "https://www.leafcart.example",
          "https://beta.leafcart.example",
          "https://till.leafcart.example",
        ];
        """)
    c.f("src/server.js", """
        const cors = require("cors");
        const express = require("express");
        const { origins } = require("./origins");

        const app = express();
        app.use(cors({ origin: origins, credentials: true }));
        app.get("/items", require("./items"));
        app.listen(8080);
        """)
    c.f("src/items.js", """
        module.exports = async (req, res) => res.json(await req.app.locals.db.items.list(req.query));
        """)
    c.patch("src/origins.js", ('  "https://beta.leafcart.example",\n', ""))
    p = c.prod("791022131323", "eu-west-3")
    s, lb = p.ecs("web", "api", desired_count=5), p.alb("api", "55aa01")
    deploys(p, "leafcart/api", s)
    p.edge(lb, s, "routes_to")
    p.metric(s, "http_requests{origin=https://www.leafcart.example}", "Count", diurnal, 21000, amp=.5, ints=True)
    p.metric(s, "http_requests{origin=https://till.leafcart.example}", "Count", diurnal, 3300, amp=.5, ints=True)
    p.metric(s, "http_requests{origin=https://beta.leafcart.example}", "Count", zeros)
    alarming(p, "queue", "stocktake")


@case("tills-tls13-only")
def _(c):
    c.meta("Load balancer restricted to TLS 1.3 with no data on its clients", "network", "go", "plausible",
           "The listener accepts TLS 1.3 only, so clients that speak 1.2 at most can't connect; payment tills are among the clients, and nothing in the snapshot records the TLS version they use.",
           "Log ssl_protocol of the access log for a week, then decide; ELBSecurityPolicy-TLS13-1-2 keeps 1.2.",
           "common mechanism, no external source (TLS policy)", False)
    c.pr("TLS 1.3 only", """
         Modern security posture. All current browsers support it.
         """, ["lb: TLS 1.3"], "dev-rue", "tillnet/edge", 73)
    extras(c, "edge", "tf", "Load balancer of the till API.")
    c.f("listener.tf", """
        resource "aws_lb_listener" "tills" {
          load_balancer_arn = aws_lb.tills.arn
          port              = 443
          protocol          = "HTTPS"
          ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
          certificate_arn   = var.certificate_arn

          default_action {
            type             = "forward"
            target_group_arn = aws_lb_target_group.tills.arn
          }
        }
        """)
    c.f("lb.tf", """
        resource "aws_lb" "tills" {
          name               = "tills"
          load_balancer_type = "application"
          subnets            = var.subnets
        }

        resource "aws_lb_target_group" "tills" {
          name        = "tills"
          port        = 8080
          protocol    = "HTTP"
          target_type = "ip"
          vpc_id      = var.vpc_id
        }
        """)
    c.f("variables.tf", """
        variable "certificate_arn" {
          type = string
        }

        variable "subnets" {
          type = list(string)
        }

        variable "vpc_id" {
          type = string
        }
        """)
    c.patch("listener.tf", ("ELBSecurityPolicy-TLS13-1-2-2021-06", "ELBSecurityPolicy-TLS13-1-3-2021-06"))
    p = c.prod("791022131334", "eu-west-3")
    lb, s = p.alb("tills", "9c0d11"), p.ecs("pos", "till-api", desired_count=6)
    deploys(p, "tillnet/edge", lb)
    p.edge(lb, s, "routes_to")
    p.metric(lb, "RequestCountPerSecond", "Count/Second", diurnal, 160, amp=.6)
    p.metric(lb, "HTTPCode_Target_5XX_Count", "Count", sparse, 12)
    alarming(p, "lambda", "z-report")
    c.culprit("listener.tf", "ssl_policy", lb, alt_resources=[s])


@case("alerts-ses-action-removed")
def _(c):
    c.meta("Mail permission removed from a role whose code lives elsewhere", "permissions", "go", "plausible",
           "ses:SendRawEmail leaves the role of alert-dispatcher; its code isn't in this repository and the snapshot has no SES or call telemetry, so whether it sends raw mail (attachments) is unknown.",
           "Look at the last-accessed data of the role and the dispatcher's code first.",
           "common mechanism, no external source (IAM permission removed)", False)
    c.pr("IAM: only the simple mail API", """
         SendEmail covers everything we need nowadays.
         """, ["iam: drop SendRawEmail"], "dev-dill", "hazelnet/iam", 15)
    extras(c, "iam", "tf", "Roles of all services. The services live in their own repositories.")
    c.f("cloudformation/dispatcher-role.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Resources:
          DispatcherRole:
            Type: AWS::IAM::Role
            Properties:
              RoleName: alert-dispatcher
              AssumeRolePolicyDocument:
                Version: "2012-10-17"
                Statement:
                  - Effect: Allow
                    Principal: {Service: lambda.amazonaws.com}
                    Action: sts:AssumeRole
              Policies:
                - PolicyName: mail
                  PolicyDocument:
                    Version: "2012-10-17"
                    Statement:
                      - Effect: Allow
                        Action:
                          - ses:SendEmail
                          - ses:SendRawEmail
                          - ses:GetSendQuota
                        Resource: "*"
        """)
    c.f("cloudformation/reader-role.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Resources:
          ReaderRole:
            Type: AWS::IAM::Role
            Properties:
              RoleName: report-reader
              AssumeRolePolicyDocument:
                Version: "2012-10-17"
                Statement:
                  - Effect: Allow
                    Principal: {Service: ecs-tasks.amazonaws.com}
                    Action: sts:AssumeRole
        """)
    c.f("OWNERS", """
        platform-security
        """)
    c.patch("cloudformation/dispatcher-role.yaml", ("                  - ses:SendRawEmail\n", ""))
    p = c.prod("802133242401", "eu-west-1")
    r, f = p.role("alert-dispatcher"), p.lam("alert-dispatcher", runtime="python3.12", timeout_s=30)
    deploys(p, "hazelnet/iam", r)
    p.edge(f, r, "connects_to")
    p.metric(f, "Invocations", "Count", diurnal, 44, amp=.4, ints=True)
    alarming(p, "db", "ticket-search")
    c.culprit("cloudformation/dispatcher-role.yaml", "ses:GetSendQuota", r, alt=[("cloudformation/dispatcher-role.yaml", "ses:SendEmail")], alt_resources=[f], deleted=[("cloudformation/dispatcher-role.yaml", "ses:SendRawEmail")])


# ---------------------------------------------------------------------------------------- code paths

def _debug(c, org, svc, limited):
    extras(c, svc, "node", f"{svc}, one host with Docker Compose.")
    log = "\n            logging: {driver: json-file, options: {max-size: 20m, max-file: \"5\"}}" if limited else ""
    c.f("compose.yaml", f"""
        services:
          {svc}:
            image: registry.{org}.example/{svc}:41
            restart: always
            ports: ["8080:8080"]{log}
            environment:
              LOG_LEVEL: info
              STORE_URL: http://store:9000
          store:
            image: registry.{org}.example/store:12
            volumes: ["store:/var/lib/store"]
        volumes:
          store: {{}}
        """)
    c.f("package.json", f"""
        {{"name": "{svc}", "dependencies": {{"fastify": "4.26.2", "pino": "8.21.0"}}}}
        """)
    c.f("src/log.js", """
        const pino = require("pino");

        module.exports = pino({ level: process.env.LOG_LEVEL || "info" });
        """)
    c.f("src/server.js", """
        const Fastify = require("fastify");
        const log = require("./log");
        const { save } = require("./store");

        const app = Fastify({ bodyLimit: 65536 });
        app.post("/items", async (req, reply) => {
          log.debug({ body: req.body, headers: req.headers }, "received");
          await save(req.body);
          return reply.code(202).send();
        });
        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    c.f("src/store.js", """
        exports.save = (item) => fetch(process.env.STORE_URL, { method: "POST", body: JSON.stringify(item) });
        """)
    c.patch("compose.yaml", ("LOG_LEVEL: info", "LOG_LEVEL: debug"))


@case("tracker-debug-level")
def _(c):
    c.meta("Debug level writes every request body to a disk with 9 GB left", "hot-path", "no-go", "confirmed",
           "LOG_LEVEL debug logs each body: 900 requests/s of 2.2 kB on average are about 2 MB/s into json-file logs without max-size, on a disk with 9 GB available, full in little more than an hour.",
           "Sample, or log debug for one device; set max-size and max-file first.",
           "common mechanism, no external source (debug logging)", False)
    c.pr("Find the lost positions", """
         Some positions never show up. With debug logs over the weekend we'll see where they go.
         """, ["tracker: LOG_LEVEL debug"], "dev-arnica", "fleetdot/tracker", 155)
    _debug(c, "fleetdot", "tracker", False)
    p = c.prod("913244353501", "eu-central-1")
    h = p.res("host:tracker-1", "host.vm", "tracker-1", disk_gb=40)
    t = p.res("docker:tracker-1/tracker", "docker.container", "tracker", log_driver="json-file", log_options={})
    s = p.res("docker:tracker-1/store", "docker.container", "store")
    deploys(p, "fleetdot/tracker", t, s)
    p.edge(t, s, "writes_to"); p.edge(t, h, "connects_to"); p.edge(s, h, "connects_to")
    p.metric(t, "http_requests_per_second", "Count/Second", diurnal, 900, amp=.25, weekend=.95)
    p.metric(t, "http_request_size_bytes.mean", "Bytes", flat, 2200, noise=.02)
    p.metric(h, "node_filesystem_avail_bytes{mountpoint=/}", "Bytes", flat, 9.3e9, noise=.003, trend=-.04)
    alarming(p, "queue", "geofence-mails")
    c.culprit("compose.yaml", "LOG_LEVEL: debug", h, alt=[("src/server.js", "log.debug")], alt_resources=[t])


@case("depot-admin-debug-level")
def _(c):
    c.meta("Debug level on a service with one request in three seconds and capped logs", "hot-path", "go", "refuted",
           "0.3 requests/s of 700 bytes are about 18 MB a day, and the log files are capped at 5 x 20 MB on a disk with 21 GB available.",
           "None needed.", "common mechanism, no external source (debug logging)", False)
    c.pr("Find the lost depot edits", """
         Some edits never show up. Debug logs until we know.
         """, ["depot-admin: LOG_LEVEL debug"], "dev-arnica", "fleetdot/depot-admin", 27)
    _debug(c, "fleetdot", "depot-admin", True)
    p = c.prod("913244353512", "eu-central-1")
    h = p.res("host:admin-1", "host.vm", "admin-1", disk_gb=40)
    t = p.res("docker:admin-1/depot-admin", "docker.container", "depot-admin", log_driver="json-file", log_options={"max-size": "20m", "max-file": "5"})
    deploys(p, "fleetdot/depot-admin", t)
    p.edge(t, h, "connects_to")
    p.metric(t, "http_requests_per_second", "Count/Second", diurnal, .3, amp=.5)
    p.metric(t, "http_request_size_bytes.mean", "Bytes", flat, 700, noise=.02)
    p.metric(h, "node_filesystem_avail_bytes{mountpoint=/}", "Bytes", flat, 2.1e10, noise=.003)
    alarming(p, "lambda", "fuel-cards")


@case("order-list-tracking-call")
def _(c):
    c.meta("One HTTP call per order added to a list endpoint", "hot-path", "no-go", "confirmed",
           "Every listed order now asks tracking for its state: 32 requests/s x 20 orders = 640 calls/s for a service that is at 55-72 % CPU with 130 calls/s.",
           "Add a batch endpoint to tracking (one call per page) or show the state on the detail page only.",
           "common mechanism, no external source (N+1 calls)", False)
    c.pr("Order list: show the parcel state", """
         Customers open every single order to see where the parcel is. Saves them a click. Calls run in parallel, so the page is hardly slower.
         """, ["orders: parcel state in the list", "test"], "dev-clover", "packrat/orders", 640)
    extras(c, "orders", "node", "Orders of a customer.")
    c.f("package.json", """
        {"name": "orders", "dependencies": {"fastify": "4.26.2", "pg": "8.11.5"}}
        """)
    c.f("src/list.ts", """
        import { query } from "./db";

        const PAGE = 20;

        export async function list(customer: string, page: number) {
          const orders = await query("SELECT id, placed_at, cents FROM orders WHERE customer = $1 ORDER BY placed_at DESC LIMIT $2 OFFSET $3", [customer, PAGE, page * PAGE]);
          return { page, orders };
        }
        """)
    c.f("src/tracking.ts", """
        export async function state(order: string): Promise<string> {
          const res = await fetch(`${process.env.TRACKING_URL}/state/${order}`, { signal: AbortSignal.timeout(1500) });
          return res.ok ? (await res.json()).state : "unknown";
        }
        """)
    c.f("src/detail.ts", """
        import { query } from "./db";
        import { state } from "./tracking";

        export async function detail(id: string) {
          const [order] = await query("SELECT * FROM orders WHERE id = $1", [id]);
          return { ...order, state: await state(id) };
        }
        """)
    c.f("src/db.ts", """
        import pg from "pg";

        const pool = new pg.Pool({ max: 10 });

        export const query = async (sql: string, args: unknown[]) => (await pool.query(sql, args)).rows;
        """)
    c.f("src/server.ts", """
        import Fastify from "fastify";
        import { detail } from "./detail";
        import { list } from "./list";

        const app = Fastify();
        app.get("/orders", (req) => list(req.headers["x-customer"] as string, Number((req.query as any).page ?? 0)));
        app.get("/orders/:id", (req) => detail((req.params as any).id));
        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    c.patch("src/list.ts", ('import { query } from "./db";\n', 'import { query } from "./db";\nimport { state } from "./tracking";\n'),
            ("  return { page, orders };", "  const withState = await Promise.all(orders.map(async (o) => ({ ...o, state: await state(o.id) })));\n  return { page, orders: withState };"))
    p = c.prod("913244353523", "eu-west-1")
    a, b = p.ecs("shop", "orders", desired_count=4), p.ecs("shop", "tracking", desired_count=3)
    db = p.rds("orders-pg", engine="postgres", engine_version="15.5")
    deploys(p, "packrat/orders", a)
    p.edge(a, b, "invokes"); p.edge(a, db, "reads_from")
    p.metric(a, "RequestCountPerSecond{route=/orders}", "Count/Second", diurnal, 32, amp=.4)
    p.metric(b, "RequestCountPerSecond", "Count/Second", diurnal, 118, amp=.3)
    p.metric(b, "CPUUtilization", "Percent", diurnal, 58, amp=.3, hi=73)
    p.logs_from(a, 150, lambda r, at, i: f"GET /orders?page={int(r.integers(0, 3))} 200 rows=20 {r.integers(12, 60)}ms", days=1)
    alarming(p, "lambda", "returns-label")
    c.culprit("src/list.ts", "await state(o.id)", b, alt=[("src/list.ts", 'import { state }')], alt_resources=[a])


@case("audit-page-n-plus-one")
def _(c):
    c.meta("N+1 query on an admin page that is opened a few times a day", "hot-path", "go", "refuted",
           "Dropping includes(:actor) costs up to 50 primary key look-ups a page, but the page gets 0.002 requests/s and the database is at 7 % CPU.",
           "None needed.", "common mechanism, no external source (N+1 query)", False)
    c.pr("Audit page: fix wrong actors", """
         The preload mixes up actors after a merge of two accounts. Look them up one by one, the page has 50 rows.
         """, ["audit: look up actors"], "dev-clover", "packrat/backoffice", 77)
    extras(c, "backoffice", "ruby", "Back office.")
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "pg"
        """)
    c.f("app/controllers/audits_controller.rb", """
        class AuditsController < ApplicationController
          def index
            @audits = Audit.includes(:actor).order(id: :desc).limit(50)
            render json: @audits.map { |a| { id: a.id, what: a.what, actor: a.actor.name } }
          end
        end
        """)
    c.f("app/models/audit.rb", """
        class Audit < ApplicationRecord
          belongs_to :actor
        end
        """)
    c.f("app/models/actor.rb", """
        class Actor < ApplicationRecord
          def self.current(id)
            actor = find(id)
            actor.merged_into_id ? find(actor.merged_into_id) : actor
          end
        end
        """)
    c.f("config/routes.rb", """
        Rails.application.routes.draw do
          resources :audits, only: :index
        end
        """)
    c.patch("app/controllers/audits_controller.rb", ("Audit.includes(:actor).order", "Audit.order"), ("a.actor.name", "Actor.current(a.actor_id).name"))
    p = c.prod("913244353534", "eu-west-1")
    s = p.ecs("core", "backoffice", desired_count=2)
    db = p.rds("backoffice-pg", engine="postgres", engine_version="15.5")
    deploys(p, "packrat/backoffice", s)
    p.edge(s, db, "reads_from")
    p.metric(s, "RequestCountPerSecond{route=/audits}", "Count/Second", diurnal, .002, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 6, amp=.2, hi=8)
    p.db(db, "postgres", "15.5", [("public", "audits", 2_100_000, 510_000_000, .4, .1), ("public", "actors", 4100, 1_300_000, .01, .6)],
         [("public", "actors", "actors_pkey", "CREATE UNIQUE INDEX actors_pkey ON public.actors USING btree (id)", 2000, 180_000)], {})
    alarming(p, "queue", "packing-slips")


@case("profile-blocking-call")
def _(c):
    c.meta("Blocking HTTP call inside an async handler with one worker per pod", "hot-path", "no-go", "confirmed",
           "requests.get blocks the event loop; each of four pods runs one uvicorn worker, the vendor takes 0.40-0.46 s, so the service can do about 9 profile requests/s and gets 28; probes and all other routes wait as well.",
           "Keep httpx.AsyncClient, or make the handler a plain def (thread pool).",
           "common mechanism, no external source (blocking call in async handler)", False)
    c.pr("Use requests like the rest of the code base", """
         httpx is used in a single place. One dependency less.
         """, ["enrich: requests"], "dev-nettle", "peoplecard/profiles", 214)
    extras(c, "profiles", "py", "Profiles with data from the enrichment vendor.")
    c.f("requirements.txt", """
        fastapi==0.110.2
        uvicorn==0.29.0
        httpx==0.27.0
        requests==2.31.0
        """)
    c.f("profiles/enrich.py", """
        import os

        import httpx

        client = httpx.AsyncClient(base_url=os.environ["ENRICH_URL"], timeout=3)


        async def enrich(email: str) -> dict:
            res = await client.get("/people", params={"email": email})
            return res.json() if res.status_code == 200 else {}
        """)
    c.f("profiles/app.py", """
        from fastapi import FastAPI

        from .enrich import enrich
        from .store import by_id

        app = FastAPI()


        @app.get("/healthz")
        async def healthz():
            return "ok"


        @app.get("/profiles/{profile_id}")
        async def profile(profile_id: str):
            row = await by_id(profile_id)
            return {**row, **await enrich(row["email"])}
        """)
    c.f("profiles/store.py", """
        import os

        import asyncpg

        _pool = None


        async def by_id(profile_id: str) -> dict:
            global _pool
            if _pool is None:
                _pool = await asyncpg.create_pool(os.environ["DATABASE_URL"], max_size=10)
            return dict(await _pool.fetchrow("SELECT id, name, email FROM profiles WHERE id = $1", profile_id))
        """)
    c.f("profiles/__init__.py", "")
    c.f("k8s/profiles.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: profiles, namespace: people}
        spec:
          replicas: 4
          selector: {matchLabels: {app: profiles}}
          template:
            metadata: {labels: {app: profiles}}
            spec:
              containers:
                - name: profiles
                  image: registry.peoplecard.example/profiles:77
                  command: ["uvicorn", "profiles.app:app", "--host", "0.0.0.0", "--port", "8080", "--workers", "1"]
                  livenessProbe:
                    httpGet: {path: /healthz, port: 8080}
                    timeoutSeconds: 1
        """)
    c.h("profiles/enrich.py", """
        import os

        import requests

        session = requests.Session()


        async def enrich(email: str) -> dict:
            res = session.get(f"{os.environ['ENRICH_URL']}/people", params={"email": email}, timeout=3)
            return res.json() if res.status_code == 200 else {}
        """)
    c.patch("requirements.txt", ("httpx==0.27.0\n", ""))
    p = c.prod("124355464601", "eu-central-1")
    d = p.k8s("prod", "people", "deployment", "profiles", replicas=4)
    v, db = p.res("external:enrichment", "external.http", "enrichment", region="global"), p.rds("profiles-pg", engine="postgres", engine_version="15.5")
    deploys(p, "peoplecard/profiles", d)
    p.edge(d, v, "connects_to"); p.edge(d, db, "reads_from")
    p.metric(d, "http_requests_per_second{route=/profiles/{id}}", "Count/Second", diurnal, 28, amp=.4)
    p.metric(v, "http_client_request_duration_seconds.p50", "Seconds", flat, .43, noise=.03, lo=.4, hi=.46)
    p.metric(d, "http_request_duration_seconds.p95", "Seconds", flat, .61, noise=.04)
    alarming(p, "k8s", "badge-ocr")
    c.culprit("profiles/enrich.py", "res = session.get", d, alt=[("profiles/enrich.py", "async def enrich"), ("profiles/enrich.py", "import requests")], alt_resources=[v])


def _redis_js(c, org, svc):
    extras(c, svc, "node", f"{svc} of {org}.")
    c.f("package.json", f"""
        {{
          "name": "{svc}",
          "dependencies": {{
            "express": "4.19.2",
            "redis": "3.1.2"
          }}
        }}
        """)
    c.f(".env.example", """
        REDIS_URL=redis://localhost:6379
        """)


@case("basket-sessions-redis-4")
def _(c):
    c.meta("redis 3 to 4 without connect() and promises", "dependency", "no-go", "confirmed",
           "redis 4 needs client.connect() and has no callbacks; the code creates the client as before and passes callbacks, so the 85 session look-ups a second are rejected (client closed), no callback is called, and requests hang or the process dies of the unhandled rejection.",
           "Migrate the calls (await client.connect(), await client.get) in the same change, or stay on 3.1.2.",
           "common mechanism, no external source (node-redis v4 migration)", False)
    c.pr("Bump redis from 3.1.2 to 4.6.13", """
         Version 3 gets no more fixes. The unit tests (with the mock) pass.
         """, ["bump redis to 4.6.13"], "dev-renovator", "gourmand/basket-sessions", 88)
    _redis_js(c, "gourmand", "basket-sessions")
    c.f("src/sessions.js", """
        const redis = require("redis");

        const client = redis.createClient({ url: process.env.REDIS_URL });

        exports.load = (sid, cb) => {
          client.get(`s:${sid}`, (err, raw) => cb(err, raw ? JSON.parse(raw) : null));
        };

        exports.save = (sid, data, cb) => {
          client.setex(`s:${sid}`, 86400, JSON.stringify(data), cb);
        };
        """)
    c.f("src/server.js", """
        const express = require("express");
        const sessions = require("./sessions");

        const app = express();
        app.use((req, res, next) => sessions.load(req.get("x-session"), (err, s) => { req.session = s; next(err); }));
        app.get("/basket", (req, res) => res.json(req.session ? req.session.basket : []));
        app.listen(8080);
        """)
    c.f("test/sessions.test.js", """
        const test = require("node:test");
        const assert = require("node:assert");

        require.cache[require.resolve("redis")] = { exports: { createClient: () => ({ get: (k, cb) => cb(null, "{}") }) } };
        const { load } = require("../src/sessions");

        test("loads", () => load("x", (err, s) => assert.deepEqual(s, {})));
        """)
    c.patch("package.json", ('"redis": "3.1.2"', '"redis": "4.6.13"'))
    p = c.prod("124355464612", "us-east-1")
    s, r = p.ecs("shop", "basket-sessions", desired_count=4), p.redis("sessions", engine="redis", node_type="cache.m6g.large")
    deploys(p, "gourmand/basket-sessions", s)
    p.edge(s, r, "reads_from")
    p.metric(s, "RequestCountPerSecond", "Count/Second", diurnal, 85, amp=.45)
    p.metric(r, "GetTypeCmds", "Count", diurnal, 25400, amp=.45, ints=True)
    alarming(p, "db", "recipe-search")
    c.culprit("package.json", '"redis": "4.6.13"', s, alt=[("src/sessions.js", "redis.createClient"), ("src/sessions.js", "client.get("), ("src/sessions.js", "client.setex(")], alt_resources=[r])


@case("login-limits-redis-4")
def _(c):
    c.meta("redis 3 to 4 with every call migrated", "dependency", "go", "refuted",
           "redis 4 is a breaking release, but the same change awaits connect() before listening and turns both calls into promises; no callback is left.",
           "None needed.", "common mechanism, no external source (node-redis v4 migration)", True)
    c.pr("Bump redis from 3.1.2 to 4.6.13", """
         Version 3 gets no more fixes.
         """, ["bump redis to 4.6.13", "promises"], "dev-renovator", "gourmand/login-limits", 34)
    _redis_js(c, "gourmand", "login-limits")
    c.f("src/limits.js", """
        const redis = require("redis");

        const client = redis.createClient({ url: process.env.REDIS_URL });

        exports.hit = (ip, cb) => {
          client.incr(`l:${ip}`, (err, n) => {
            if (err) return cb(err);
            if (n === 1) return client.expire(`l:${ip}`, 60, () => cb(null, n));
            cb(null, n);
          });
        };
        """)
    c.f("src/server.js", """
        const express = require("express");
        const limits = require("./limits");

        const app = express();
        app.post("/attempts/:ip", (req, res, next) => limits.hit(req.params.ip, (err, n) => (err ? next(err) : res.json({ allowed: n <= 10 }))));
        app.listen(8080);
        """)
    c.f("test/server.test.js", """
        const test = require("node:test");
        const assert = require("node:assert");

        test("ten attempts", () => assert.equal(10 <= 10, true));
        """)
    c.patch("package.json", ('"redis": "3.1.2"', '"redis": "4.6.13"'))
    c.h("src/limits.js", """
        const redis = require("redis");

        const client = redis.createClient({ url: process.env.REDIS_URL });
        client.on("error", (err) => console.error("redis", err.message));

        exports.connect = () => client.connect();

        exports.hit = async (ip) => {
          const n = await client.incr(`l:${ip}`);
          if (n === 1) await client.expire(`l:${ip}`, 60);
          return n;
        };
        """)
    c.h("src/server.js", """
        const express = require("express");
        const limits = require("./limits");

        const app = express();
        app.post("/attempts/:ip", async (req, res, next) => {
          try {
            res.json({ allowed: (await limits.hit(req.params.ip)) <= 10 });
          } catch (err) {
            next(err);
          }
        });
        limits.connect().then(() => app.listen(8080));
        """)
    p = c.prod("124355464623", "us-east-1")
    s, r = p.ecs("shop", "login-limits", desired_count=3), p.redis("limits", engine="redis", node_type="cache.t4g.small")
    deploys(p, "gourmand/login-limits", s)
    p.edge(s, r, "writes_to")
    p.metric(s, "RequestCountPerSecond", "Count/Second", diurnal, 12, amp=.45)
    p.metric(r, "EngineCPUUtilization", "Percent", diurnal, 3, amp=.3)
    alarming(p, "lambda", "menu-scraper")


def _py312(c, org, svc, code, parse):
    extras(c, svc, "py", f"{svc} function.", docker=False)
    c.f("template.yaml", f"""
        AWSTemplateFormatVersion: "2010-09-09"
        Transform: AWS::Serverless-2016-10-31
        Resources:
          Function:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: {svc}
              CodeUri: src/
              Handler: app.handler
              Runtime: python3.9
              MemorySize: 512
              Timeout: 20
              Environment:
                Variables:
                  DRY_RUN: "false"
        """)
    c.f("src/app.py", code)
    c.f("src/config.py", parse)
    c.f("src/requirements.txt", """
        jinja2==3.1.3
        """)
    c.f("samconfig.toml", f"""
        version = 0.1

        [default.deploy.parameters]
        stack_name = "{svc}"
        region = "eu-west-1"
        """)
    c.patch("template.yaml", ("Runtime: python3.9", "Runtime: python3.12"))


@case("invoice-mailer-python312")
def _(c):
    c.meta("Runtime moved to Python 3.12 while the code imports distutils", "dependency", "no-go", "confirmed",
           "distutils is gone since Python 3.12 and setuptools isn't packaged, so config.py fails at import and all of about 240 invocations per five minutes end in Runtime.ImportModuleError.",
           "Replace strtobool before the runtime change, or go to python3.11.",
           "common mechanism, no external source (distutils removed in Python 3.12)", False)
    c.pr("python3.12 for invoice-mailer", """
         AWS ends support for 3.9. No code changes necessary, the tests run on 3.11 in CI.
         """, ["sam: python3.12"], "dev-teak", "ledgerleaf/invoice-mailer", 25)
    _py312(c, "ledgerleaf", "invoice-mailer", """
        import boto3
        from jinja2 import Environment, FileSystemLoader

        from config import DRY_RUN

        ses = boto3.client("ses")
        env = Environment(loader=FileSystemLoader("templates"))


        def handler(event, _context):
            html = env.get_template("invoice.html").render(event["invoice"])
            if not DRY_RUN:
                ses.send_email(Source="billing@ledgerleaf.example", Destination={"ToAddresses": [event["to"]]},
                               Message={"Subject": {"Data": "Your invoice"}, "Body": {"Html": {"Data": html}}})
        """, """
        import os
        from distutils.util import strtobool

        DRY_RUN = bool(strtobool(os.environ.get("DRY_RUN", "false")))
        """)
    p = c.prod("124355464634", "eu-west-1")
    f, q = p.lam("invoice-mailer", runtime="python3.9", timeout_s=20, memory_mb=512), p.sqs("invoices-ready", visibility_timeout_s=120)
    deploys(p, "ledgerleaf/invoice-mailer", f)
    p.edge(q, f, "triggers")
    p.metric(f, "Invocations", "Count", diurnal, 240, amp=.5, ints=True)
    p.metric(f, "Errors", "Count", sparse, 2)
    alarming(p, "db", "tax-archive")
    c.culprit("template.yaml", "Runtime: python3.12", f, alt=[("src/config.py", "from distutils.util import strtobool")], alt_resources=[q])


@case("badge-printer-python312")
def _(c):
    c.meta("Runtime moved to Python 3.12 with nothing that went away", "dependency", "go", "refuted",
           "The code imports json, os, boto3 and jinja2 only, all of which work on 3.12; none of the removed modules is used.",
           "None needed.", "common mechanism, no external source (Python runtime)", False)
    c.pr("python3.12 for badge-printer", """
         AWS ends support for 3.9.
         """, ["sam: python3.12"], "dev-teak", "ledgerleaf/badge-printer", 11)
    _py312(c, "ledgerleaf", "badge-printer", """
        import json

        import boto3
        from jinja2 import Environment, FileSystemLoader

        from config import DRY_RUN

        sqs = boto3.client("sqs")
        env = Environment(loader=FileSystemLoader("templates"))


        def handler(event, _context):
            zpl = env.get_template("badge.zpl").render(event["visitor"])
            if not DRY_RUN:
                sqs.send_message(QueueUrl=event["printer"], MessageBody=json.dumps({"zpl": zpl}))
        """, """
        import os

        TRUE = {"1", "true", "yes", "on"}
        DRY_RUN = os.environ.get("DRY_RUN", "false").strip().lower() in TRUE
        """)
    p = c.prod("124355464645", "eu-west-1")
    f, q = p.lam("badge-printer", runtime="python3.9", timeout_s=20, memory_mb=512), p.sqs("badges", visibility_timeout_s=120)
    deploys(p, "ledgerleaf/badge-printer", f)
    p.edge(f, q, "publishes_to")
    p.metric(f, "Invocations", "Count", diurnal, 30, amp=.5, ints=True)
    p.metric(f, "Errors", "Count", zeros)
    alarming(p, "queue", "visitor-mails")


def _consumers(c, org, svc, queue):
    extras(c, svc, "py", f"Consumer of {queue}.")
    c.f("k8s/worker.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {svc}
          namespace: {org}
        spec:
          replicas: 7
          selector:
            matchLabels: {{app: {svc}}}
          template:
            metadata:
              labels: {{app: {svc}}}
            spec:
              containers:
                - name: worker
                  image: registry.{org}.example/{svc}:18
                  resources:
                    requests: {{cpu: 250m, memory: 256Mi}}
        """)
    c.f("worker/main.py", f"""
        import json
        import os

        import pika

        from .handle import handle


        def main() -> None:
            conn = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
            ch = conn.channel()
            ch.basic_qos(prefetch_count=1)

            def on(channel, method, _props, body):
                handle(json.loads(body))
                channel.basic_ack(method.delivery_tag)

            ch.basic_consume("{queue}", on)
            ch.start_consuming()
        """)
    c.f("worker/__init__.py", "")
    c.f("requirements.txt", """
        pika==1.3.2
        requests==2.31.0
        """)
    c.f("worker/handle.py", """
        import os

        import requests


        def handle(message: dict) -> None:
            requests.post(os.environ["TARGET_URL"], json=message, timeout=5).raise_for_status()
        """)
    c.patch("k8s/worker.yaml", ("replicas: 7", "replicas: 2"))


@case("shipment-events-two-workers")
def _(c):
    c.meta("Consumers cut below the arrival rate", "queue", "no-go", "confirmed",
           "Replicas go from 7 to 2; a worker handles one message at a time in 0.09 s, so two manage 22/s while 50-75/s arrive in the day: the queue grows by more than 100,000 an hour and reaches its max-length of 500,000, where it drops the oldest.",
           "Stay at 7, or raise prefetch and parallelism first.",
           "common mechanism, no external source (consumer slower than arrivals)", False)
    c.pr("shipment-events: 2 replicas", """
         The workers use 6 % of their CPU request. Two are plenty.
         """, ["k8s: 2 replicas"], "dev-hemlock", "dispatchly/shipment-events", 93)
    _consumers(c, "dispatchly", "shipment-events", "shipment.events")
    p = c.prod("235466575701", "eu-central-1")
    d = p.k8s("prod", "dispatchly", "deployment", "shipment-events", replicas=7)
    q = p.res("rabbitmq:prod:queue/shipment.events", "rabbitmq.queue", "shipment.events", max_length=500000, overflow="drop-head")
    deploys(p, "dispatchly/shipment-events", d)
    p.edge(q, d, "triggers")
    p.metric(q, "rabbitmq_queue_messages_published_per_second", "Count/Second", diurnal, 55, amp=.35, weekend=.9, hi=76)
    p.metric(d, "message_processing_seconds.mean", "Seconds", flat, .09, noise=.03)
    p.metric(d, "cpu_utilization", "Percent", diurnal, 6, amp=.3)
    p.metric(q, "rabbitmq_queue_messages_ready", "Count", flat, 30, noise=.5, ints=True)
    alarming(p, "db", "route-planner")
    c.culprit("k8s/worker.yaml", "replicas: 2", q, alt=[("worker/main.py", "prefetch_count=1")], alt_resources=[d])


@case("review-digest-two-workers")
def _(c):
    c.meta("Fewer consumers, still ten times the arrival rate", "queue", "go", "refuted",
           "Replicas go from 7 to 2; two workers manage 22 messages/s at 0.09 s each, and at most 2.4/s arrive.",
           "None needed.", "common mechanism, no external source (consumer slower than arrivals)", False)
    c.pr("review-digest: 2 replicas", """
         The workers are idle nearly all the time.
         """, ["k8s: 2 replicas"], "dev-hemlock", "dispatchly/review-digest", 17)
    _consumers(c, "dispatchly", "review-digest", "reviews")
    p = c.prod("235466575712", "eu-central-1")
    d = p.k8s("prod", "dispatchly", "deployment", "review-digest", replicas=7)
    q = p.res("rabbitmq:prod:queue/reviews", "rabbitmq.queue", "reviews")
    deploys(p, "dispatchly/review-digest", d)
    p.edge(q, d, "triggers")
    p.metric(q, "rabbitmq_queue_messages_published_per_second", "Count/Second", diurnal, 1.6, amp=.35, hi=2.4)
    p.metric(d, "message_processing_seconds.mean", "Seconds", flat, .09, noise=.03)
    p.metric(q, "rabbitmq_queue_messages_ready", "Count", flat, 2, noise=.5, ints=True)
    alarming(p, "k8s", "spam-filter")


@case("recommendations-default-on")
def _(c):
    c.meta("Flag default turned on for a call to a service without telemetry", "flags", "go", "plausible",
           "RECOMMENDATIONS_V2 isn't set in production, so the new default sends each of 55 product pages a second to recommender-v2 inside the request; the snapshot knows neither its capacity nor its latency.",
           "Turn it on for a few per cent with the environment variable and watch recommender-v2.",
           "common mechanism, no external source (feature flag default)", False)
    c.pr("Recommendations v2 for everyone", """
         The beta group likes it.
         """, ["flag: on by default"], "dev-anise", "novelnook/shop", 717)
    extras(c, "shop", "py", "Book shop.")
    c.f("requirements.txt", """
        flask==3.0.3
        requests==2.31.0
        """)
    c.f("shop/settings.py", """
        import os


        def flag(name: str, default: bool) -> bool:
            return os.environ.get(name, str(default)).lower() in ("1", "true")


        RECOMMENDATIONS_V2 = flag("RECOMMENDATIONS_V2", False)
        GIFT_WRAP = flag("GIFT_WRAP", True)
        """)
    c.f("shop/product.py", """
        import os

        import requests
        from flask import Blueprint, jsonify

        from . import settings
        from .books import book, also_bought

        bp = Blueprint("product", __name__)


        @bp.get("/books/<isbn>")
        def show(isbn: str):
            if settings.RECOMMENDATIONS_V2:
                more = requests.get(f"{os.environ['RECOMMENDER_URL']}/for/{isbn}", timeout=2).json()
            else:
                more = also_bought(isbn)
            return jsonify(book(isbn) | {"more": more})
        """)
    c.f("shop/books.py", """
        from .db import row, rows


        def book(isbn: str) -> dict:
            return row("SELECT * FROM books WHERE isbn = %s", isbn)


        def also_bought(isbn: str) -> list[dict]:
            return rows("SELECT other FROM also_bought WHERE isbn = %s", isbn)
        """)
    c.f("shop/db.py", """
        import os

        import psycopg
        from psycopg.rows import dict_row

        conn = psycopg.connect(os.environ["DATABASE_URL"], row_factory=dict_row, autocommit=True)


        def row(sql, *args):
            return conn.execute(sql, args).fetchone()


        def rows(sql, *args):
            return conn.execute(sql, args).fetchall()
        """)
    c.f("shop/__init__.py", "")
    c.patch("shop/settings.py", ('flag("RECOMMENDATIONS_V2", False)', 'flag("RECOMMENDATIONS_V2", True)'))
    p = c.prod("235466575723", "eu-west-1")
    s = p.ecs("shop", "shop-web", desired_count=6, environment_keys=["DATABASE_URL", "RECOMMENDER_URL"])
    v = p.ecs("shop", "recommender-v2", desired_count=2)
    deploys(p, "novelnook/shop", s)
    p.edge(s, v, "invokes")
    p.metric(s, "RequestCountPerSecond{route=/books/<isbn>}", "Count/Second", diurnal, 55, amp=.45)
    alarming(p, "lambda", "cover-fetcher")
    c.culprit("shop/settings.py", 'flag("RECOMMENDATIONS_V2", True)', v, alt=[("shop/product.py", "RECOMMENDER_URL")], alt_resources=[s])


@case("search-flag-pinned-off")
def _(c):
    c.meta("Flag default turned on while the manifest pins it off", "flags", "go", "refuted",
           "The default of SEMANTIC_SEARCH becomes true, but k8s/search.yaml sets it to false for production, so the crowded embedding service gets no call from this change.",
           "None needed.", "common mechanism, no external source (feature flag default)", True)
    c.pr("Semantic search on by default in development", """
         New developers should see the new search. Production keeps its explicit setting until June.
         """, ["config: default true"], "dev-anise", "novelnook/search", 230)
    extras(c, "search", "jvm", "Search API.")
    c.f("build.gradle", """
        plugins {
          id 'java'
          id 'org.springframework.boot' version '3.2.5'
        }
        """)
    c.f("src/main/java/novelnook/search/Flags.java", """
        package novelnook.search;

        import org.springframework.beans.factory.annotation.Value;
        import org.springframework.stereotype.Component;

        @Component
        public class Flags {
            @Value("${SEMANTIC_SEARCH:false}")
            private boolean semantic;

            public boolean semantic() {
                return semantic;
            }
        }
        """)
    c.f("src/main/java/novelnook/search/SearchController.java", """
        package novelnook.search;

        import java.util.List;
        import org.springframework.web.bind.annotation.GetMapping;
        import org.springframework.web.bind.annotation.RequestParam;
        import org.springframework.web.bind.annotation.RestController;

        @RestController
        public class SearchController {
            private final Flags flags;
            private final Embeddings embeddings;
            private final Titles titles;

            public SearchController(Flags flags, Embeddings embeddings, Titles titles) {
                this.flags = flags;
                this.embeddings = embeddings;
                this.titles = titles;
            }

            @GetMapping("/search")
            public List<String> search(@RequestParam String q) {
                return flags.semantic() ? titles.near(embeddings.of(q)) : titles.matching(q);
            }
        }
        """)
    c.f("k8s/search.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: search, namespace: books}
        spec:
          replicas: 5
          selector: {matchLabels: {app: search}}
          template:
            metadata: {labels: {app: search}}
            spec:
              containers:
                - name: search
                  image: registry.novelnook.example/search:402
                  env:
                    - name: SEMANTIC_SEARCH
                      value: "false"
                    - name: EMBEDDINGS_URL
                      value: http://embeddings.books.svc:8080
        """)
    c.patch("src/main/java/novelnook/search/Flags.java", ("${SEMANTIC_SEARCH:false}", "${SEMANTIC_SEARCH:true}"))
    p = c.prod("235466575734", "eu-west-1")
    d = p.k8s("prod", "books", "deployment", "search", replicas=5, environment_keys=["SEMANTIC_SEARCH", "EMBEDDINGS_URL"], environment={"SEMANTIC_SEARCH": "false"})
    e = p.k8s("prod", "books", "deployment", "embeddings", replicas=2)
    deploys(p, "novelnook/search", d)
    p.edge(d, e, "invokes")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 120, amp=.45)
    p.metric(e, "cpu_utilization", "Percent", diurnal, 81, amp=.15, hi=98)
    p.metric(e, "http_requests_per_second", "Count/Second", diurnal, 6, amp=.4)


@case("coupon-regex-nested")
def _(c):
    c.meta("Nested quantifier in a regular expression on a public endpoint", "hot-path", "go", "plausible",
           "/^([A-Z0-9]+-?)+$/ backtracks exponentially on a long code with a wrong last character and blocks the Node event loop; whether such input arrives isn't known, as the snapshot has no samples of rejected codes.",
           "Use /^[A-Z0-9]+(-[A-Z0-9]+)*$/ and check the length first.",
           "common mechanism, no external source (catastrophic backtracking)", False)
    c.pr("Accept coupon codes with dashes", """
         Marketing prints them in groups of four.
         """, ["coupons: allow dashes"], "dev-sumac", "dinerly/coupons", 61)
    extras(c, "coupons", "node", "Coupon codes.")
    c.f("package.json", """
        {"name": "coupons", "dependencies": {"fastify": "4.26.2", "ioredis": "5.3.2"}}
        """)
    c.f("src/code.js", """
        const CODE = /^[A-Z0-9]{8,16}$/;

        exports.valid = (code) => CODE.test(code);
        """)
    c.f("src/server.js", """
        const Fastify = require("fastify");
        const { valid } = require("./code");
        const { redeem } = require("./redeem");

        const app = Fastify();
        app.post("/redeem", async (req, reply) => {
          const code = String(req.body.code).trim().toUpperCase();
          if (!valid(code)) return reply.code(422).send({ error: "invalid code" });
          return redeem(code);
        });
        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    c.f("src/redeem.js", """
        const Redis = require("ioredis");
        const redis = new Redis(process.env.REDIS_URL);

        exports.redeem = async (code) => ({ ok: (await redis.srem("coupons", code)) === 1 });
        """)
    c.f("test/code.test.js", """
        const test = require("node:test");
        const assert = require("node:assert");
        const { valid } = require("../src/code");

        test("plain", () => assert.ok(valid("SUMMER2026")));
        """)
    c.patch("src/code.js", ("/^[A-Z0-9]{8,16}$/", "/^([A-Z0-9]+-?)+$/"))
    c.patch("test/code.test.js", ('test("plain", () => assert.ok(valid("SUMMER2026")));', 'test("plain", () => assert.ok(valid("SUMMER2026")));\ntest("dashes", () => assert.ok(valid("AB12-CD34-EF56")));'))
    p = c.prod("346577686801", "eu-west-2")
    d, r = p.k8s("prod", "promo", "deployment", "coupons", replicas=3), p.redis("coupons", engine="redis", node_type="cache.t4g.small")
    deploys(p, "dinerly/coupons", d)
    p.edge(d, r, "writes_to")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 9, amp=.5)
    p.metric(d, "cpu_utilization", "Percent", diurnal, 5, amp=.4)
    alarming(p, "k8s", "table-planner")
    c.culprit("src/code.js", "const CODE", d, alt=[("src/server.js", "if (!valid(code))")])


@case("carrier-labels-five-retries")
def _(c):
    c.meta("Retries of a vendor call that isn't idempotent, with no rate or limit known", "retries", "go", "plausible",
           "Buying a label is tried five times instead of once, without backoff or an idempotency key; how often the carrier fails, what its rate limit is and whether it charges twice isn't in the snapshot.",
           "Send an idempotency key, back off, and look at the carrier's error rate first.",
           "common mechanism, no external source (retries of a vendor call)", False)
    c.pr("Retry label purchases", """
         Pickers shouldn't have to press the button again when the carrier has a hiccup.
         """, ["carrier: 5 attempts"], "dev-spruce", "boxmoor/labels", 102)
    extras(c, "labels", "go", "Buys shipping labels.")
    c.f("go.mod", """
        module example.net/boxmoor/labels

        go 1.22
        """)
    c.f("internal/carrier/carrier.go", """
        package carrier

        import (
        	"bytes"
        	"encoding/json"
        	"fmt"
        	"net/http"
        	"time"
        )

        const attempts = 1

        var client = &http.Client{Timeout: 10 * time.Second}

        type Label struct {
        	Number string `json:"number"`
        }

        func Buy(base string, parcel any) (*Label, error) {
        	body, err := json.Marshal(parcel)
        	if err != nil {
        		return nil, err
        	}
        	for i := 0; i < attempts; i++ {
        		var res *http.Response
        		res, err = client.Post(base+"/labels", "application/json", bytes.NewReader(body))
        		if err != nil {
        			continue
        		}
        		defer res.Body.Close()
        		if res.StatusCode >= 500 {
        			err = fmt.Errorf("carrier: %s", res.Status)
        			continue
        		}
        		var l Label
        		return &l, json.NewDecoder(res.Body).Decode(&l)
        	}
        	return nil, err
        }
        """)
    c.f("cmd/labels/main.go", """
        package main

        import (
        	"encoding/json"
        	"net/http"
        	"os"

        	"example.net/boxmoor/labels/internal/carrier"
        )

        func main() {
        	http.HandleFunc("POST /labels", func(w http.ResponseWriter, r *http.Request) {
        		var parcel map[string]any
        		if err := json.NewDecoder(r.Body).Decode(&parcel); err != nil {
        			http.Error(w, "bad parcel", http.StatusBadRequest)
        			return
        		}
        		l, err := carrier.Buy(os.Getenv("CARRIER_URL"), parcel)
        		if err != nil {
        			http.Error(w, err.Error(), http.StatusBadGateway)
        			return
        		}
        		json.NewEncoder(w).Encode(l)
        	})
        	http.ListenAndServe(":8080", nil)
        }
        """)
    c.patch("internal/carrier/carrier.go", ("const attempts = 1", "const attempts = 5"))
    p = c.prod("346577686812", "eu-west-2")
    s, v = p.ecs("warehouse", "labels", desired_count=2), p.res("external:carrier", "external.http", "carrier", region="global")
    deploys(p, "boxmoor/labels", s)
    p.edge(s, v, "connects_to")
    p.metric(s, "CPUUtilization", "Percent", diurnal, 4, amp=.4)
    alarming(p, "queue", "pick-lists")
    c.culprit("internal/carrier/carrier.go", "const attempts = 5", v, alt=[("internal/carrier/carrier.go", "client.Post")], alt_resources=[s])


# ---------------------------------------------------------------------------------------- nothing to see

@case("runbook-failover")
def _(c):
    c.meta("Runbook for a failover", "docs", "go", "none", "Only Markdown changes; the commands in it are for people.", "None needed.",
           "common mechanism, no external source (docs only)", False)
    c.pr("Runbook: database failover", """
         What we did on the 28th, as a list.
         """, ["docs: failover"], "dev-maple", "tidalpay/platform", 402)
    extras(c, "platform", "tf", "Terraform of the platform.")
    c.f("docs/runbooks/failover.md", """
        # Failover

        Ask the database team.
        """)
    c.f("terraform/db.tf", """
        resource "aws_rds_cluster" "core" {
          cluster_identifier  = "core"
          engine              = "aurora-postgresql"
          engine_version      = "15.4"
          deletion_protection = true
        }
        """)
    c.f("scripts/scale.sh", """
        #!/bin/sh
        set -eu
        kubectl -n "$1" scale deployment "$2" --replicas "$3"
        """)
    c.h("docs/runbooks/failover.md", """
        # Failover

        1. Stop the writers: `kubectl -n pay scale deployment --all --replicas 0`.
        2. `aws rds failover-db-cluster --db-cluster-identifier core`
        3. Drop what is stuck: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'active';`
        4. Clear the cache: `redis-cli -h core-cache FLUSHALL`
        5. Start the writers again with 12 replicas.
        """)
    p = c.prod("346577686823", "eu-west-1")
    db = p.res("arn:aws:rds:eu-west-1:346577686823:cluster:core", "aws.rds.cluster", "core", engine="aurora-postgresql")
    s = p.ecs("pay", "payments", desired_count=12)
    deploys(p, "tidalpay/platform", db)
    p.edge(s, db, "writes_to")
    p.metric(db, "CPUUtilization", "Percent", diurnal, 74, amp=.2, hi=95)
    alarming(p, "queue", "settlement-files")


@case("client-timeout-tests")
def _(c):
    c.meta("Tests for time-outs and retries", "tests", "go", "none", "Only test files change; the numbers in them configure fakes.", "None needed.",
           "common mechanism, no external source (tests only)", False)
    c.pr("Tests for the slow paths", """
         Covers the time-out and the last retry.
         """, ["test: slow paths"], "dev-elder", "tidepool/booking", 144)
    extras(c, "booking", "py", "Bookings.")
    c.f("booking/client.py", """
        import requests


        def book(base: str, slot: str, timeout: float = 8, attempts: int = 2) -> dict:
            for i in range(attempts):
                try:
                    return requests.post(f"{base}/slots/{slot}", timeout=timeout).json()
                except requests.Timeout:
                    if i == attempts - 1:
                        raise
        """)
    c.f("booking/__init__.py", "")
    c.f("tests/test_client.py", """
        from booking.client import book


        def test_ok(requests_mock):
            requests_mock.post("http://slots/slots/a", json={"ok": True})
            assert book("http://slots", "a")["ok"]
        """)
    c.f("requirements.txt", """
        requests==2.31.0
        pytest==8.1.1
        requests-mock==1.12.1
        """)
    c.h("tests/test_client.py", """
        import pytest
        import requests

        from booking.client import book


        def test_ok(requests_mock):
            requests_mock.post("http://slots/slots/a", json={"ok": True})
            assert book("http://slots", "a")["ok"]


        def test_times_out(requests_mock):
            requests_mock.post("http://slots/slots/a", exc=requests.Timeout)
            with pytest.raises(requests.Timeout):
                book("http://slots", "a", timeout=0.01, attempts=50)
            assert requests_mock.call_count == 50
        """)
    p = c.prod("346577686834", "eu-west-1")
    s, v = p.ecs("web", "booking", desired_count=4), p.ecs("web", "slots", desired_count=2)
    deploys(p, "tidepool/booking", s)
    p.edge(s, v, "invokes")
    p.metric(v, "CPUUtilization", "Percent", diurnal, 83, amp=.15, hi=99)
    p.metric(v, "TargetResponseTime.p99", "Seconds", diurnal, 3.1, amp=.4)


@case("ci-matrix-cache")
def _(c):
    c.meta("CI matrix and cache", "ci", "go", "none", "Only the test workflow changes; nothing of it is deployed.", "None needed.",
           "common mechanism, no external source (CI only)", False)
    c.pr("CI: cache and matrix", """
         Ten minutes less for everybody. Time-out down to 15 minutes.
         """, ["ci: cache", "ci: timeout"], "dev-aspen", "harborlife/portal", 1020)
    c.f("README.md", """
        # portal

        Member portal.
        """)
    c.f(".github/workflows/test.yml", """
        name: test
        on: [pull_request]
        jobs:
          test:
            runs-on: ubuntu-22.04
            timeout-minutes: 60
            services:
              postgres:
                image: postgres:15
                env: {POSTGRES_PASSWORD: test}
            steps:
              - uses: actions/checkout@v4
              - uses: actions/setup-java@v4
                with: {distribution: temurin, java-version: "21"}
              - run: ./gradlew check
        """)
    c.f("build.gradle", """
        plugins {
          id 'java'
        }
        """)
    c.f("src/main/java/harborlife/portal/Main.java", """
        package harborlife.portal;

        public class Main {
            public static void main(String[] args) {
                System.out.println("portal");
            }
        }
        """)
    c.f("k8s/portal.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: portal, namespace: members}
        spec:
          replicas: 4
          selector: {matchLabels: {app: portal}}
          template:
            metadata: {labels: {app: portal}}
            spec:
              containers: [{name: portal, image: "registry.harborlife.example/portal:9"}]
        """)
    c.patch(".github/workflows/test.yml", ("timeout-minutes: 60", "timeout-minutes: 15\n    strategy:\n      matrix: {java: [\"17\", \"21\"]}"),
            ('java-version: "21"}', 'java-version: "${{ matrix.java }}", cache: gradle}'), ("./gradlew check", "./gradlew check --parallel --max-workers 2"))
    p = c.prod("346577686845", "eu-west-1")
    d, db = p.k8s("prod", "members", "deployment", "portal", replicas=4), p.rds("portal-pg", engine="postgres", engine_version="15.5")
    deploys(p, "harborlife/portal", d)
    p.edge(d, db, "reads_from")
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 60, amp=.4)
    alarming(p, "k8s", "fax-ocr")


@case("manifest-key-order")
def _(c):
    c.meta("Kubernetes manifest reordered and restyled", "formatting", "go", "none",
           "Keys move and flow style becomes block style; the parsed documents are equal.", "None needed.",
           "common mechanism, no external source (formatting)", True)
    c.pr("Sort keys in k8s manifests", """
         Output of the formatter, so that the next diffs are small.
         """, ["k8s: sort keys"], "dev-aspen", "gazette/reader", 318)
    extras(c, "reader", "go", "Article pages.")
    c.f("go.mod", """
        module example.net/gazette/reader

        go 1.22
        """)
    c.f("main.go", """
        package main

        import "net/http"

        func main() {
        	http.Handle("/", http.FileServer(http.Dir("public")))
        	http.ListenAndServe(":8080", nil)
        }
        """)
    c.f("k8s/reader.yaml", """
        kind: Deployment
        apiVersion: apps/v1
        metadata: {name: reader, namespace: news}
        spec:
          selector: {matchLabels: {app: reader}}
          replicas: 6
          strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
          template:
            metadata: {labels: {app: reader}}
            spec:
              terminationGracePeriodSeconds: 45
              containers:
                - image: registry.gazette.example/reader:811
                  name: reader
                  resources: {requests: {cpu: 500m, memory: 256Mi}, limits: {memory: 512Mi}}
                  livenessProbe: {httpGet: {path: /healthz, port: 8080}, timeoutSeconds: 2, periodSeconds: 10}
        """)
    c.h("k8s/reader.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: reader
          namespace: news
        spec:
          replicas: 6
          selector:
            matchLabels:
              app: reader
          strategy:
            rollingUpdate:
              maxSurge: 1
              maxUnavailable: 0
            type: RollingUpdate
          template:
            metadata:
              labels:
                app: reader
            spec:
              containers:
                - name: reader
                  image: registry.gazette.example/reader:811
                  livenessProbe:
                    httpGet:
                      path: /healthz
                      port: 8080
                    periodSeconds: 10
                    timeoutSeconds: 2
                  resources:
                    limits:
                      memory: 512Mi
                    requests:
                      cpu: 500m
                      memory: 256Mi
              terminationGracePeriodSeconds: 45
        """)
    p = c.prod("457688797901", "eu-west-1")
    d, i = p.k8s("prod", "news", "deployment", "reader", replicas=6), p.k8s("prod", "news", "ingress", "reader")
    deploys(p, "gazette/reader", d)
    p.edge(i, d, "routes_to")
    p.metric(d, "container_memory_working_set_bytes", "Bytes", flat, 4.9e8, noise=.02, hi=5.3e8)
    p.metric(i, "http_requests_per_second", "Count/Second", diurnal, 410, amp=.5)


@case("cost-centre-tags")
def _(c):
    c.meta("Cost centre tags", "config", "go", "none", "Only tags change, which are updated in place.", "None needed.",
           "common mechanism, no external source (tags only)", False)
    c.pr("Cost centre tags for data stores", """
         Finance wants them on everything that costs more than 100 a month.
         """, ["tags: cost centre"], "dev-bryony", "insurely/data", 36)
    extras(c, "data", "tf", "Data stores.")
    c.f("tables.tf", """
        resource "aws_dynamodb_table" "quotes" {
          name         = "quotes"
          billing_mode = "PAY_PER_REQUEST"
          hash_key     = "id"

          attribute {
            name = "id"
            type = "S"
          }

          tags = {
            team = "quotes"
          }
        }
        """)
    c.f("queue.tf", """
        resource "aws_sqs_queue" "quotes" {
          name                      = "quotes"
          message_retention_seconds = 345600

          tags = {
            team = "quotes"
          }
        }
        """)
    c.f("bucket.tf", """
        resource "aws_s3_bucket" "documents" {
          bucket = "insurely-documents"

          tags = {
            team = "documents"
          }
        }
        """)
    for path, team in (("tables.tf", "quotes"), ("queue.tf", "quotes"), ("bucket.tf", "documents")):
        c.patch(path, (f'    team = "{team}"\n', f'    team        = "{team}"\n    cost_centre = "4711"\n'))
    p = c.prod("457688797912", "eu-central-1")
    t, q, b = p.ddb("quotes", billing_mode="PAY_PER_REQUEST", hash_key="id"), p.sqs("quotes", message_retention_s=345600), p.s3("insurely-documents")
    s = p.ecs("core", "quotes", desired_count=5)
    deploys(p, "insurely/data", t, q, b)
    p.edge(s, t, "writes_to"); p.edge(s, q, "publishes_to")
    p.metric(t, "ConsumedWriteCapacityUnits", "Count", diurnal, 60000, amp=.4, ints=True)
    p.metric(q, "ApproximateAgeOfOldestMessage", "Seconds", flat, 11000, noise=.2)
    alarming(p, "db", "claims-mart")


@case("kotlin-rename-local")
def _(c):
    c.meta("Local variables renamed and comments added", "refactor", "go", "none", "Names of local variables and comments change, the behaviour doesn't.", "None needed.",
           "common mechanism, no external source (rename)", False)
    c.pr("Readable names in RetryPolicy", """
         Follow-up to the review. No functional change.
         """, ["rename", "comments"], "dev-bryony", "mintstone/gateway", 611)
    extras(c, "gateway", "jvm", "Payment gateway.")
    c.f("build.gradle", """
        plugins {
          id 'org.jetbrains.kotlin.jvm' version '1.9.23'
        }
        """)
    c.f("src/main/kotlin/mintstone/RetryPolicy.kt", """
        package mintstone

        class RetryPolicy(private val max: Int = 3, private val baseMillis: Long = 200) {
            fun <T> run(block: () -> T): T {
                var e: Exception? = null
                for (i in 0 until max) {
                    try {
                        return block()
                    } catch (x: Exception) {
                        e = x
                        Thread.sleep(baseMillis shl i)
                    }
                }
                throw e!!
            }
        }
        """)
    c.f("src/main/kotlin/mintstone/Gateway.kt", """
        package mintstone

        class Gateway(private val policy: RetryPolicy, private val bank: Bank) {
            fun charge(cents: Long) = policy.run { bank.charge(cents) }
        }

        interface Bank {
            fun charge(cents: Long): String
        }
        """)
    c.f("k8s/gateway.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: gateway, namespace: mintstone}
        spec:
          replicas: 5
          selector: {matchLabels: {app: gateway}}
          template:
            metadata: {labels: {app: gateway}}
            spec:
              containers: [{name: gateway, image: "registry.mintstone.example/gateway:70"}]
        """)
    c.h("src/main/kotlin/mintstone/RetryPolicy.kt", """
        package mintstone

        /** Runs a block up to [max] times and doubles the wait after each failure. */
        class RetryPolicy(private val max: Int = 3, private val baseMillis: Long = 200) {
            fun <T> run(block: () -> T): T {
                var lastFailure: Exception? = null
                for (attempt in 0 until max) {
                    try {
                        return block()
                    } catch (failure: Exception) {
                        lastFailure = failure
                        // 200 ms, 400 ms, 800 ms
                        Thread.sleep(baseMillis shl attempt)
                    }
                }
                throw lastFailure!!
            }
        }
        """)
    p = c.prod("457688797923", "eu-central-1")
    d, v = p.k8s("prod", "mintstone", "deployment", "gateway", replicas=5), p.res("external:bank", "external.http", "bank", region="global")
    deploys(p, "mintstone/gateway", d)
    p.edge(d, v, "connects_to")
    p.metric(v, "http_client_error_ratio", "Percent", diurnal, 6, amp=.6, noise=.2)
    p.metric(d, "http_requests_per_second", "Count/Second", diurnal, 88, amp=.4)


# ---------------------------------------------------------------------------------------- more edge and capacity

def _route(c, org, svc, old):
    extras(c, svc, "node", f"{svc} at the edge.", docker=False)
    c.f("wrangler.jsonc", f"""
        {{
          "name": "{svc}",
          "main": "src/index.ts",
          "compatibility_date": "2025-02-01",
          "routes": [
            {{"pattern": "{svc}.{org}.example/*", "zone_name": "{org}.example"}},
            {{"pattern": "{old}.{org}.example/{svc}/*", "zone_name": "{org}.example"}}
          ],
          "d1_databases": [{{"binding": "DB", "database_name": "{svc}", "database_id": "5a0e2f71-7c1b-4b0e-9a55-0f1c2d3e4f50"}}]
        }}
        """)
    c.f("src/index.ts", f"""
        export interface Env {{ DB: D1Database }}

        export default {{
          async fetch(req: Request, env: Env): Promise<Response> {{
            const id = new URL(req.url).pathname.split("/").pop();
            const row = await env.DB.prepare("SELECT * FROM {svc} WHERE id = ?").bind(id).first();
            return row ? Response.json(row) : new Response("not found", {{ status: 404 }});
          }},
        }};
        """)
    c.f("package.json", f"""
        {{"name": "{svc}", "scripts": {{"deploy": "wrangler deploy"}}, "devDependencies": {{"wrangler": "3.107.0"}}}}
        """)
    c.f("migrations/0001_init.sql", f"""
        CREATE TABLE {svc} (id TEXT PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL);
        """)
    c.patch("wrangler.jsonc", (f'"zone_name": "{org}.example"}},\n    {{"pattern": "{old}.{org}.example/{svc}/*", "zone_name": "{org}.example"}}\n', f'"zone_name": "{org}.example"}}\n'))


@case("playlists-legacy-route-removed")
def _(c):
    c.meta("Worker route removed that old apps still call", "edge", "no-go", "confirmed",
           "The route api.tunebox.example/playlists/* goes away while it still takes 17-25 requests/s at peak from app versions up to 7.4, which then get the origin's 404.",
           "Redirect the old host, or wait until the old app versions are gone.",
           "common mechanism, no external source (route removed)", False)
    c.pr("playlists: one route", """
         The app uses playlists.tunebox.example since 7.5, which came out in winter.
         """, ["wrangler: drop api route"], "dev-oleander", "tunebox/playlists", 84)
    _route(c, "tunebox", "playlists", "api")
    p = c.prod("cf-acct-0b77", "global")
    w = p.worker("playlists", routes=["playlists.tunebox.example/*", "api.tunebox.example/playlists/*"], bindings={"DB": "d1"})
    d = p.res("cloudflare:d1:playlists", "cloudflare.d1_database", "playlists", region="global")
    deploys(p, "tunebox/playlists", w)
    p.edge(w, d, "reads_from")
    p.metric(w, "RequestsPerSecond{route=api.tunebox.example/playlists/*}", "Count/Second", diurnal, 15, amp=.5)
    p.metric(w, "RequestsPerSecond{route=playlists.tunebox.example/*}", "Count/Second", diurnal, 190, amp=.5)
    p.logs_from(w, 150, lambda r, at, i: f"GET https://api.tunebox.example/playlists/{r.integers(10**5, 10**6)} 200 ua=TuneBox/7.{r.integers(1, 5)}.0" if r.random() < .25 else f"GET https://playlists.tunebox.example/{r.integers(10**5, 10**6)} 200 ua=TuneBox/7.{r.integers(5, 9)}.0", days=1)
    alarming(p, "worker", "artist-pages")
    c.culprit("wrangler.jsonc", '"pattern": "playlists.tunebox.example/*"', w, alt_resources=[d], deleted=[("wrangler.jsonc", "api.tunebox.example/playlists/*")])


@case("lyrics-legacy-route-removed")
def _(c):
    c.meta("Worker route removed that nobody calls", "edge", "go", "refuted",
           "The route old.tunebox.example/lyrics/* goes away; it had no request in the week.",
           "None needed.", "common mechanism, no external source (route removed)", False)
    c.pr("lyrics: one route", """
         The old host was only used by the first web player.
         """, ["wrangler: drop old route"], "dev-oleander", "tunebox/lyrics", 30)
    _route(c, "tunebox", "lyrics", "old")
    p = c.prod("cf-acct-0b78", "global")
    w = p.worker("lyrics", routes=["lyrics.tunebox.example/*", "old.tunebox.example/lyrics/*"], bindings={"DB": "d1"})
    d = p.res("cloudflare:d1:lyrics", "cloudflare.d1_database", "lyrics", region="global")
    deploys(p, "tunebox/lyrics", w)
    p.edge(w, d, "reads_from")
    p.metric(w, "RequestsPerSecond{route=old.tunebox.example/lyrics/*}", "Count/Second", zeros)
    p.metric(w, "RequestsPerSecond{route=lyrics.tunebox.example/*}", "Count/Second", diurnal, 64, amp=.5)
    alarming(p, "worker", "concert-map")


@case("whiteboard-room-class-deleted")
def _(c):
    c.meta("Durable Object class deleted with its storage, usage unknown", "edge", "go", "plausible",
           "The migration v3 deletes the class LegacyRoom and everything its objects store, for good; neither the number of objects nor their last use is in the snapshot.",
           "Count the objects and export them first; delete the class in a later release.",
           "common mechanism, no external source (durable object class deleted)", False)
    c.pr("Remove LegacyRoom", """
         New boards use Room since the autumn. Removes the class and the binding.
         """, ["remove LegacyRoom"], "dev-briar", "chalkline/whiteboard", 208)
    extras(c, "whiteboard", "node", "Shared whiteboards.", docker=False)
    c.f("wrangler.toml", """
        name = "whiteboard"
        main = "src/index.ts"
        compatibility_date = "2025-01-15"

        [[durable_objects.bindings]]
        name = "ROOM"
        class_name = "Room"

        [[durable_objects.bindings]]
        name = "LEGACY_ROOM"
        class_name = "LegacyRoom"

        [[migrations]]
        tag = "v1"
        new_classes = ["LegacyRoom"]

        [[migrations]]
        tag = "v2"
        new_sqlite_classes = ["Room"]
        """)
    c.f("src/index.ts", """
        export { LegacyRoom } from "./legacy";
        export { Room } from "./room";

        export interface Env {
          ROOM: DurableObjectNamespace;
          LEGACY_ROOM: DurableObjectNamespace;
        }

        export default {
          async fetch(req: Request, env: Env): Promise<Response> {
            const id = new URL(req.url).pathname.slice(1);
            const ns = id.startsWith("l-") ? env.LEGACY_ROOM : env.ROOM;
            return ns.get(ns.idFromName(id)).fetch(req);
          },
        };
        """)
    c.f("src/legacy.ts", """
        export class LegacyRoom {
          constructor(private state: DurableObjectState) {}

          async fetch(): Promise<Response> {
            return Response.json([...(await this.state.storage.list()).values()]);
          }
        }
        """)
    c.f("src/room.ts", """
        export class Room {
          constructor(private state: DurableObjectState) {}

          async fetch(): Promise<Response> {
            return Response.json(this.state.storage.sql.exec("SELECT * FROM strokes").toArray());
          }
        }
        """)
    c.f("package.json", """
        {"name": "whiteboard", "devDependencies": {"wrangler": "3.107.0"}}
        """)
    c.patch("wrangler.toml", ('[[durable_objects.bindings]]\nname = "LEGACY_ROOM"\nclass_name = "LegacyRoom"\n\n', ""),
            ('new_sqlite_classes = ["Room"]\n', 'new_sqlite_classes = ["Room"]\n\n[[migrations]]\ntag = "v3"\ndeleted_classes = ["LegacyRoom"]\n'))
    c.patch("src/index.ts", ('export { LegacyRoom } from "./legacy";\n', ""), ("  LEGACY_ROOM: DurableObjectNamespace;\n", ""),
            ('    const ns = id.startsWith("l-") ? env.LEGACY_ROOM : env.ROOM;\n    return ns.get(ns.idFromName(id)).fetch(req);\n', "    return env.ROOM.get(env.ROOM.idFromName(id)).fetch(req);\n"))
    c.rm("src/legacy.ts")
    p = c.prod("cf-acct-0b79", "global")
    w = p.worker("whiteboard", routes=["board.chalkline.example/*"], bindings={"ROOM": "durable_object", "LEGACY_ROOM": "durable_object"})
    n = p.res("cloudflare:durable_object:LegacyRoom", "cloudflare.durable_object_namespace", "LegacyRoom", region="global")
    deploys(p, "chalkline/whiteboard", w)
    p.edge(w, n, "writes_to")
    p.metric(w, "RequestsPerSecond", "Count/Second", diurnal, 22, amp=.5)
    alarming(p, "worker", "homework-bot")
    c.culprit("wrangler.toml", "deleted_classes", n, alt=[("src/index.ts", "env.ROOM.idFromName")], alt_resources=[w], deleted=[("src/index.ts", 'id.startsWith("l-")'), ("wrangler.toml", 'name = "LEGACY_ROOM"')])


@case("notices-task-memory-1024")
def _(c):
    c.meta("ECS task memory halved at a fifth of use", "capacity", "go", "refuted",
           "Task memory goes from 2048 to 1024 MiB; the tasks use at most 22 % of 2048, which is 44 % of 1024, and CPU is unchanged.",
           "None needed.", "common mechanism, no external source (ECS task memory)", False)
    c.pr("notices: 1 GB tasks", """
         Compute Optimizer.
         """, ["cfn: memory 1024"], "dev-oleander", "townhall/notices", 45)
    extras(c, "notices", "go", "Public notices.")
    c.f("cloudformation/service.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Parameters:
          Image: {Type: String}
        Resources:
          Task:
            Type: AWS::ECS::TaskDefinition
            Properties:
              Family: notices
              Cpu: "512"
              Memory: "2048"
              NetworkMode: awsvpc
              RequiresCompatibilities: [FARGATE]
              ContainerDefinitions:
                - Name: app
                  Image: !Ref Image
                  PortMappings: [{ContainerPort: 8080}]
          Service:
            Type: AWS::ECS::Service
            Properties:
              ServiceName: notices
              Cluster: public
              DesiredCount: 4
              LaunchType: FARGATE
              TaskDefinition: !Ref Task
        """)
    c.f("go.mod", """
        module example.net/townhall/notices

        go 1.22
        """)
    c.f("main.go", """
        package main

        import "net/http"

        func main() {
        	http.Handle("/", http.FileServer(http.Dir("notices")))
        	http.ListenAndServe(":8080", nil)
        }
        """)
    c.patch("cloudformation/service.yaml", ('Memory: "2048"', 'Memory: "1024"'))
    p = c.prod("457688797934", "eu-west-1")
    s, lb = p.ecs("public", "notices", desired_count=4, cpu=512, memory=2048), p.alb("notices", "77ff01")
    deploys(p, "townhall/notices", s)
    p.edge(lb, s, "routes_to")
    p.metric(s, "MemoryUtilization", "Percent", flat, 20.5, noise=.02, hi=22)
    p.metric(s, "CPUUtilization", "Percent", diurnal, 21, amp=.4)
    p.metric(lb, "RequestCountPerSecond", "Count/Second", diurnal, 35, amp=.5)
    alarming(p, "k8s", "minutes-ocr")
