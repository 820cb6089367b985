"""Labelled pull requests about data, migrations, endpoints, configuration and queues."""
from datetime import timedelta

from corpuslib import END, case, diurnal, flat, nightly, sparse, times, zeros  # noqa: F401


def common(what):
    return f"common mechanism, no external source ({what})"


PAIRS = {
    "flyway-not-null": ("shipments-carrier-not-null", "parcels-depot-not-null"),
    "events-new-column": ("events-trace-uuid-default", "events-archived-flag"),
    "django-alter-field": ("ledger-entry-amount-bigint", "customer-alias-length"),
    "rails-foreign-key": ("order-lines-foreign-key", "invoice-lines-foreign-key-not-valid"),
    "prisma-index": ("messages-thread-index", "plans-region-index"),
    "vacuum-full": ("vacuum-full-audit-entries", "vacuum-full-retired-imports"),
    "django-remove-index": ("tickets-requester-index-removed", "tickets-channel-index-removed"),
    "table-rename": ("carriers-table-rename", "vendors-table-rename-view"),
    "rails-drop-column": ("players-legacy-score-dropped", "players-legacy-score-ignored"),
    "manual-sql": ("promo-code-manual-column", "giftcard-manual-column-applied"),
    "goose-concurrently": ("goose-concurrently-in-transaction", "goose-concurrently-no-transaction"),
    "quote-route": ("quotes-v1-route-removed", "rates-v1-route-removed"),
    "spring-value": ("tax-engine-url-missing", "tax-engine-region-present"),
    "sns-subscription": ("stock-topic-subscription-removed", "legacy-price-topic-subscription-removed"),
    "applied-migration-comment": ("flyway-applied-comment-edited", "golang-migrate-applied-comment-edited"),
    "queue-message-field": ("loyalty-message-field-renamed", "loyalty-message-field-added"),
    "redrive": ("parcel-events-redrive-removed", "parcel-events-redrive-moved"),
    "visibility": ("transcode-visibility-60", "thumbs-visibility-60"),
}


# ---------------------------------------------------------------------------------------------
# Locking DDL
# ---------------------------------------------------------------------------------------------

@case("shipments-carrier-not-null")
def _(c):
    c.meta("SET NOT NULL scans a large, busy table under ACCESS EXCLUSIVE", "db-migration", "no-go", "confirmed",
           "ALTER COLUMN carrier_id SET NOT NULL on shipments (61M rows, 17 GB, no CHECK that proves it) scans the whole table under ACCESS EXCLUSIVE; "
           "about 52 writes/s and 740 reads/s wait for the length of the scan.",
           "ADD CONSTRAINT ... CHECK (carrier_id IS NOT NULL) NOT VALID, VALIDATE it in a later migration, then SET NOT NULL and drop the check.",
           common("SET NOT NULL without a proven check"))
    c.pr("Shipments always have a carrier", """
         The planner has written carrier_id for every shipment since last summer and I checked that no row is null.
         Makes the mapping in Hibernate a little nicer (no Optional).
         """, ["V42: carrier_id not null", "Shipment: carrier is mandatory"], "m-oduya", "tallow/dispatch", 918)
    c.f("build.gradle", """
        plugins {
            id 'java'
            id 'org.springframework.boot' version '3.2.5'
        }

        dependencies {
            implementation 'org.springframework.boot:spring-boot-starter-data-jpa'
            implementation 'org.flywaydb:flyway-core'
            runtimeOnly 'org.postgresql:postgresql'
        }
        """)
    c.f("src/main/resources/application.yml", """
        spring:
          datasource:
            url: ${JDBC_URL}
            hikari:
              maximum-pool-size: 20
              connection-timeout: 3000
          flyway:
            enabled: true
        """)
    c.f("src/main/resources/db/migration/V41__shipment_carrier.sql", """
        ALTER TABLE shipments ADD COLUMN carrier_id bigint;
        """)
    c.f("src/main/java/com/tallow/dispatch/Shipment.java", """
        package com.tallow.dispatch;

        import jakarta.persistence.Column;
        import jakarta.persistence.Entity;
        import jakarta.persistence.Id;
        import jakarta.persistence.Table;

        @Entity
        @Table(name = "shipments")
        public class Shipment {
            @Id
            private Long id;

            @Column(name = "carrier_id")
            private Long carrierId;

            @Column(name = "state", nullable = false)
            private String state;

            public Long getCarrierId() {
                return carrierId;
            }
        }
        """)
    c.f("src/main/java/com/tallow/dispatch/PlanController.java", """
        package com.tallow.dispatch;

        import org.springframework.web.bind.annotation.PostMapping;
        import org.springframework.web.bind.annotation.RequestBody;
        import org.springframework.web.bind.annotation.RestController;

        @RestController
        public class PlanController {
            private final ShipmentRepository shipments;

            public PlanController(ShipmentRepository shipments) {
                this.shipments = shipments;
            }

            @PostMapping("/shipments")
            public Shipment plan(@RequestBody Shipment shipment) {
                return shipments.save(shipment);
            }
        }
        """)
    c.f("src/main/java/com/tallow/dispatch/ShipmentRepository.java", """
        package com.tallow.dispatch;

        import org.springframework.data.jpa.repository.JpaRepository;

        public interface ShipmentRepository extends JpaRepository<Shipment, Long> {
        }
        """)
    c.f("k8s/dispatch.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: dispatch
          namespace: logistics
        spec:
          replicas: 8
          selector: {matchLabels: {app: dispatch}}
          template:
            metadata: {labels: {app: dispatch}}
            spec:
              containers:
                - name: dispatch
                  image: registry.tallow.example/dispatch:5.18.0
                  envFrom: [{secretRef: {name: dispatch-db}}]
        """)
    c.h("src/main/resources/db/migration/V42__shipment_carrier_not_null.sql", """
        -- every shipment has a carrier since 2025-07
        ALTER TABLE shipments
            ALTER COLUMN carrier_id SET NOT NULL;
        """)
    c.patch("src/main/java/com/tallow/dispatch/Shipment.java", ('@Column(name = "carrier_id")', '@Column(name = "carrier_id", nullable = false)'))
    p = c.prod("418820073311", "eu-central-1")
    db = p.rds("dispatch-pg", engine="postgres", engine_version="14.11", instance_class="db.r6g.2xlarge")
    dep = p.k8s("prod", "logistics", "deployment", "dispatch", replicas=8)
    gh = p.github("tallow/dispatch")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 610, amp=.4)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 34, amp=.3, hi=90)
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 190, amp=.45)
    p.db(db, "postgres", "14.11",
         [("public", "shipments", 61_300_000, 17_400_000_000, 52.4, 741.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "carrier_id", "type": "bigint", "nullable": True, "null_fraction": 0.0},
             {"name": "state", "type": "text", "nullable": False}]}),
          ("public", "carriers", 96, 40_000, 0.01, 310.0)],
         [("public", "shipments", "shipments_pkey", "CREATE UNIQUE INDEX shipments_pkey ON public.shipments USING btree (id)", 910_000, 1_400_000_000)],
         {"lock_timeout": "0", "statement_timeout": "0"},
         constraints=[{"schema": "public", "table": "shipments", "name": "shipments_pkey", "type": "primary key", "definition": "PRIMARY KEY (id)", "validated": True}],
         applied_migrations=["39", "40", "41"])
    c.culprit("src/main/resources/db/migration/V42__shipment_carrier_not_null.sql", "SET NOT NULL", db,
              alt=[("src/main/resources/db/migration/V42__shipment_carrier_not_null.sql", "ALTER TABLE shipments")], alt_resources=[dep])


@case("parcels-depot-not-null")
def _(c):
    c.meta("SET NOT NULL proven by a validated CHECK", "db-migration", "go", "refuted",
           "SET NOT NULL looks like a full scan of 58M rows, but parcels_depot_id_present, CHECK (depot_id IS NOT NULL), was validated in V31 and stands as validated in production, "
           "so PostgreSQL 14 skips the scan and the lock is held for milliseconds under a lock_timeout of 2 s.",
           "None needed.", common("SET NOT NULL with a proven check"))
    c.pr("Parcels always have a depot", """
         Last step of the not-null work on depot_id: the check was added in V30 and validated in V31 (release of 28 April).
         """, ["V32: depot_id not null"], "m-oduya", "tallow/sorting", 611)
    c.f("build.gradle", """
        plugins {
            id 'java'
            id 'org.springframework.boot' version '3.2.5'
        }

        dependencies {
            implementation 'org.springframework.boot:spring-boot-starter-jdbc'
            implementation 'org.flywaydb:flyway-core'
            runtimeOnly 'org.postgresql:postgresql'
        }
        """)
    c.f("src/main/resources/application.yml", """
        spring:
          datasource:
            url: ${JDBC_URL}
            hikari:
              maximum-pool-size: 16
          flyway:
            enabled: true
        """)
    c.f("src/main/resources/db/migration/V30__parcel_depot_check.sql", """
        SET lock_timeout = '2s';
        ALTER TABLE parcels
            ADD CONSTRAINT parcels_depot_id_present CHECK (depot_id IS NOT NULL) NOT VALID;
        """)
    c.f("src/main/resources/db/migration/V31__parcel_depot_validate.sql", """
        ALTER TABLE parcels VALIDATE CONSTRAINT parcels_depot_id_present;
        """)
    c.f("src/main/java/com/tallow/sorting/Parcels.java", """
        package com.tallow.sorting;

        import org.springframework.jdbc.core.JdbcTemplate;
        import org.springframework.stereotype.Repository;

        @Repository
        public class Parcels {
            private final JdbcTemplate jdbc;

            public Parcels(JdbcTemplate jdbc) {
                this.jdbc = jdbc;
            }

            public void add(String code, long depotId) {
                jdbc.update("INSERT INTO parcels (code, depot_id) VALUES (?, ?)", code, depotId);
            }
        }
        """)
    c.f("k8s/sorting.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: sorting
          namespace: logistics
        spec:
          replicas: 6
          selector: {matchLabels: {app: sorting}}
          template:
            metadata: {labels: {app: sorting}}
            spec:
              containers:
                - name: sorting
                  image: registry.tallow.example/sorting:3.2.1
                  envFrom: [{secretRef: {name: sorting-db}}]
        """)
    c.h("src/main/resources/db/migration/V32__parcel_depot_not_null.sql", """
        SET lock_timeout = '2s';
        ALTER TABLE parcels
            ALTER COLUMN depot_id SET NOT NULL;
        """)
    p = c.prod("418820073311", "eu-central-1")
    db = p.rds("sorting-pg", engine="postgres", engine_version="14.11", instance_class="db.r6g.2xlarge")
    dep = p.k8s("prod", "logistics", "deployment", "sorting", replicas=6)
    gh = p.github("tallow/sorting")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 540, amp=.4)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 58, amp=.3, hi=95, trend=.15)
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 150, amp=.45)
    p.db(db, "postgres", "14.11",
         [("public", "parcels", 58_100_000, 15_900_000_000, 47.0, 520.0, {"columns": [
             {"name": "code", "type": "text", "nullable": False}, {"name": "depot_id", "type": "bigint", "nullable": True, "null_fraction": 0.0}]})],
         [("public", "parcels", "parcels_pkey", "CREATE UNIQUE INDEX parcels_pkey ON public.parcels USING btree (code)", 640_000, 1_900_000_000)],
         {"lock_timeout": "0"},
         constraints=[{"schema": "public", "table": "parcels", "name": "parcels_depot_id_present", "type": "check", "definition": "CHECK ((depot_id IS NOT NULL))", "validated": True}],
         applied_migrations=["29", "30", "31"])


@case("events-trace-uuid-default")
def _(c):
    c.meta("New column with a volatile default rewrites a hot table", "db-migration", "no-go", "confirmed",
           "ADD COLUMN trace_id uuid NOT NULL DEFAULT gen_random_uuid() needs a value per row: events (88M rows, 31 GB) is rewritten under ACCESS EXCLUSIVE while 118 inserts/s and all reads wait for minutes.",
           "Add the column nullable without default, set the default separately, backfill in batches, then prove and set NOT NULL.",
           common("volatile column default"))
    c.pr("events: trace id", """
         Every event gets its own trace id, so that support can hand one out. Generated by the database; no code has to change for old rows.
         """, ["migration: events.trace_id", "ingest: return trace_id"], "j-farkas", "brindle/ingest", 240)
    c.f("go.mod", """
        module example.org/brindle/ingest

        go 1.22

        require (
        	github.com/golang-migrate/migrate/v4 v4.17.1
        	github.com/jackc/pgx/v5 v5.5.5
        )
        """)
    c.f("migrations/000018_events_source.up.sql", """
        ALTER TABLE events ADD COLUMN source text;
        """)
    c.f("migrations/000018_events_source.down.sql", """
        ALTER TABLE events DROP COLUMN source;
        """)
    c.f("internal/store/events.go", """
        package store

        import (
        	"context"

        	"github.com/jackc/pgx/v5/pgxpool"
        )

        type Events struct{ Pool *pgxpool.Pool }

        func (e Events) Add(ctx context.Context, kind, source string, payload []byte) (int64, error) {
        	var id int64
        	err := e.Pool.QueryRow(ctx, "INSERT INTO events (kind, source, payload) VALUES ($1, $2, $3) RETURNING id", kind, source, payload).Scan(&id)
        	return id, err
        }
        """)
    c.f("cmd/ingest/main.go", """
        package main

        import (
        	"context"
        	"log"
        	"net/http"
        	"os"

        	"github.com/jackc/pgx/v5/pgxpool"

        	"example.org/brindle/ingest/internal/store"
        )

        func main() {
        	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
        	if err != nil {
        		log.Fatal(err)
        	}
        	events := store.Events{Pool: pool}
        	http.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) {
        		if _, err := events.Add(r.Context(), r.Header.Get("X-Kind"), r.RemoteAddr, nil); err != nil {
        			http.Error(w, "unavailable", http.StatusServiceUnavailable)
        		}
        	})
        	log.Fatal(http.ListenAndServe(":8080", nil))
        }
        """)
    c.f("deploy/migrate-job.yaml", """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: ingest-migrate
          namespace: ingest
          annotations:
            argocd.argoproj.io/hook: PreSync
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: migrate
                  image: registry.brindle.example/ingest-migrations:latest
                  args: ["-path", "/migrations", "-database", "$(DATABASE_URL)", "up"]
                  envFrom: [{secretRef: {name: ingest-db}}]
        """)
    c.h("migrations/000019_events_trace_id.up.sql", """
        ALTER TABLE events
            ADD COLUMN trace_id uuid NOT NULL DEFAULT gen_random_uuid();
        """)
    c.h("migrations/000019_events_trace_id.down.sql", """
        ALTER TABLE events DROP COLUMN trace_id;
        """)
    p = c.prod("550917264408", "us-east-1")
    db = p.rds("ingest-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.4xlarge")
    dep = p.k8s("main", "ingest", "deployment", "ingest", replicas=10)
    gh = p.github("brindle/ingest")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 1450, amp=.25)
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 118, amp=.25)
    p.metric(db, "FreeStorageSpace", "Bytes", flat, 4.1e11, noise=.005, trend=-.03)
    p.db(db, "postgres", "15.6",
         [("public", "events", 88_400_000, 31_200_000_000, 118.3, 64.0), ("public", "sources", 230, 90_000, 0.0, 118.0)],
         [("public", "events", "events_pkey", "CREATE UNIQUE INDEX events_pkey ON public.events USING btree (id)", 190_000, 2_000_000_000)],
         {"lock_timeout": "0"}, applied_migrations=["16", "17", "18"])
    c.culprit("migrations/000019_events_trace_id.up.sql", "gen_random_uuid()", db,
              alt=[("migrations/000019_events_trace_id.up.sql", "ALTER TABLE events")], alt_resources=[dep])


@case("events-archived-flag")
def _(c):
    c.meta("New NOT NULL column with a constant default is metadata only", "db-migration", "go", "refuted",
           "ADD COLUMN archived boolean NOT NULL DEFAULT false on a table of 93M rows needs no rewrite and no scan on PostgreSQL 15, the default is kept so deployed INSERTs still work, "
           "and a lock_timeout of 3 s bounds the wait for the lock.",
           "None needed.", common("constant column default"))
    c.pr("events: archived flag", """
         For the archiver of next quarter. No code reads it yet.
         """, ["migration: events.archived"], "j-farkas", "brindle/journal", 241)
    c.f("go.mod", """
        module example.org/brindle/journal

        go 1.22

        require github.com/jackc/pgx/v5 v5.5.5
        """)
    c.f("migrations/000018_events_source.up.sql", """
        ALTER TABLE events ADD COLUMN source text;
        """)
    c.f("migrations/000018_events_source.down.sql", """
        ALTER TABLE events DROP COLUMN source;
        """)
    c.f("internal/store/events.go", """
        package store

        import (
        	"context"

        	"github.com/jackc/pgx/v5/pgxpool"
        )

        type Events struct{ Pool *pgxpool.Pool }

        func (e Events) Add(ctx context.Context, kind, source string, payload []byte) (int64, error) {
        	var id int64
        	err := e.Pool.QueryRow(ctx, "INSERT INTO events (kind, source, payload) VALUES ($1, $2, $3) RETURNING id", kind, source, payload).Scan(&id)
        	return id, err
        }
        """)
    c.f("deploy/migrate-job.yaml", """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: journal-migrate
          namespace: journal
          annotations:
            argocd.argoproj.io/hook: PreSync
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: migrate
                  image: registry.brindle.example/journal-migrations:latest
                  args: ["-path", "/migrations", "-database", "$(DATABASE_URL)", "up"]
                  envFrom: [{secretRef: {name: journal-db}}]
        """)
    c.h("migrations/000019_events_archived.up.sql", """
        SET lock_timeout = '3s';
        ALTER TABLE events
            ADD COLUMN archived boolean NOT NULL DEFAULT false;
        """)
    c.h("migrations/000019_events_archived.down.sql", """
        ALTER TABLE events DROP COLUMN archived;
        """)
    p = c.prod("550917264408", "us-east-1")
    db = p.rds("journal-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.4xlarge")
    dep = p.k8s("main", "journal", "deployment", "journal", replicas=10)
    gh = p.github("brindle/journal")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 1500, amp=.25)
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 126, amp=.25)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 66, amp=.25, hi=97)
    p.db(db, "postgres", "15.6",
         [("public", "events", 93_700_000, 33_000_000_000, 126.0, 71.0)],
         [("public", "events", "events_pkey", "CREATE UNIQUE INDEX events_pkey ON public.events USING btree (id)", 201_000, 2_100_000_000)],
         {"lock_timeout": "0"}, applied_migrations=["16", "17", "18"], longest_transaction_s=2.1)


@case("ledger-entry-amount-bigint")
def _(c):
    c.meta("Django AlterField from integer to bigint rewrites the ledger", "db-migration", "no-go", "confirmed",
           "IntegerField to BigIntegerField becomes ALTER COLUMN amount TYPE bigint, which rewrites ledger_entry (142M rows, 24 GB) and its indexes under ACCESS EXCLUSIVE; 31 writes/s and 420 reads/s queue for minutes.",
           "Add a bigint column, write both, backfill in batches and swap the columns in a short transaction.",
           common("integer to bigint rewrite"))
    c.pr("Ledger: amounts above 21 million", """
         Amounts are in cents, so integer ends at 21,474,836.47. A corporate customer came close. bigint it is.
         """, ["ledger: amount is a BigIntegerField", "migration 0057"], "s-quill", "corvane/ledger", 1402)
    c.f("pyproject.toml", """
        [project]
        name = "ledger"
        version = "7.3.0"
        dependencies = ["django~=5.0", "psycopg[binary]~=3.1", "gunicorn"]
        """)
    c.f("ledger/models.py", """
        from django.db import models


        class Entry(models.Model):
            account = models.ForeignKey("Account", on_delete=models.PROTECT)
            amount = models.IntegerField()
            memo = models.CharField(max_length=140, blank=True)
            booked_at = models.DateTimeField(auto_now_add=True)


        class Account(models.Model):
            alias = models.CharField(max_length=64)
        """)
    c.f("ledger/migrations/0056_entry_memo.py", """
        from django.db import migrations, models


        class Migration(migrations.Migration):
            dependencies = [("ledger", "0055_account_alias")]

            operations = [
                migrations.AddField("entry", "memo", models.CharField(max_length=140, blank=True, default="")),
            ]
        """)
    c.f("ledger/views.py", """
        import json

        from django.http import JsonResponse

        from .models import Entry


        def book(request):
            body = json.loads(request.body)
            entry = Entry.objects.create(account_id=body["account"], amount=body["amount"])
            return JsonResponse({"id": entry.pk}, status=201)
        """)
    c.f("Procfile", """
        release: python manage.py migrate --noinput
        web: gunicorn config.wsgi --workers 6
        """)
    c.f("infra/database.tf", """
        resource "aws_db_instance" "ledger" {
          identifier     = "ledger-pg"
          engine         = "postgres"
          engine_version = "16.2"
          instance_class = "db.r6g.4xlarge"
        }
        """)
    c.patch("ledger/models.py", ("amount = models.IntegerField()", "amount = models.BigIntegerField()"))
    c.h("ledger/migrations/0057_entry_amount.py", """
        from django.db import migrations, models


        class Migration(migrations.Migration):
            dependencies = [("ledger", "0056_entry_memo")]

            operations = [
                migrations.AlterField(
                    model_name="entry",
                    name="amount",
                    field=models.BigIntegerField(),
                ),
            ]
        """)
    p = c.prod("902771450036", "eu-west-1")
    db = p.rds("ledger-pg", engine="postgres", engine_version="16.2", instance_class="db.r6g.4xlarge")
    svc = p.ecs("money", "ledger-web", desired_count=6)
    gh = p.github("corvane/ledger")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 88, amp=.4)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 29, amp=.3)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 64, amp=.2, ints=True)
    p.db(db, "postgres", "16.2",
         [("public", "ledger_entry", 142_000_000, 24_300_000_000, 31.4, 422.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "account_id", "type": "bigint", "nullable": False},
             {"name": "amount", "type": "integer", "nullable": False}, {"name": "memo", "type": "character varying(140)", "nullable": False}]}),
          ("public", "ledger_account", 3_100_000, 410_000_000, 1.2, 380.0)],
         [("public", "ledger_entry", "ledger_entry_account_id_idx", "CREATE INDEX ledger_entry_account_id_idx ON public.ledger_entry USING btree (account_id)", 420_000, 3_300_000_000)],
         {"lock_timeout": "0"})
    c.culprit("ledger/migrations/0057_entry_amount.py", "migrations.AlterField(", db,
              alt=[("ledger/migrations/0057_entry_amount.py", "field=models.BigIntegerField()"), ("ledger/models.py", "models.BigIntegerField()")], alt_resources=[svc])


@case("customer-alias-length")
def _(c):
    c.meta("Django AlterField that widens a varchar", "db-migration", "go", "refuted",
           "max_length 64 to 255 becomes ALTER COLUMN alias TYPE varchar(255) on 44M rows; widening a varchar is a catalog change in PostgreSQL, no rewrite and no scan, and the release sets lock_timeout.",
           "None needed.", common("varchar widening is free"))
    c.pr("Longer aliases", """
         Customers in Brazil hit the 64 characters.
         """, ["crm: alias up to 255"], "s-quill", "corvane/crm", 1403)
    c.f("pyproject.toml", """
        [project]
        name = "crm"
        version = "4.0.2"
        dependencies = ["django~=5.0", "psycopg[binary]~=3.1", "gunicorn"]
        """)
    c.f("crm/models.py", """
        from django.db import models


        class Customer(models.Model):
            alias = models.CharField(max_length=64)
            email = models.EmailField()
            created_at = models.DateTimeField(auto_now_add=True)
        """)
    c.f("crm/migrations/0019_customer_email.py", """
        from django.db import migrations, models


        class Migration(migrations.Migration):
            dependencies = [("crm", "0018_customer")]

            operations = [
                migrations.AddField("customer", "email", models.EmailField(max_length=254, default="")),
            ]
        """)
    c.f("config/settings.py", """
        import os

        DATABASES = {
            "default": {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": "crm",
                "HOST": os.environ["PGHOST"],
                "OPTIONS": {"options": "-c lock_timeout=3000"},
            }
        }
        """)
    c.f("Procfile", """
        release: python manage.py migrate --noinput
        web: gunicorn config.wsgi --workers 6
        """)
    c.patch("crm/models.py", ("max_length=64", "max_length=255"))
    c.h("crm/migrations/0020_customer_alias.py", """
        from django.db import migrations, models


        class Migration(migrations.Migration):
            dependencies = [("crm", "0019_customer_email")]

            operations = [
                migrations.AlterField(
                    model_name="customer",
                    name="alias",
                    field=models.CharField(max_length=255),
                ),
            ]
        """)
    p = c.prod("902771450036", "eu-west-1")
    db = p.rds("crm-pg", engine="postgres", engine_version="16.2", instance_class="db.r6g.xlarge")
    svc = p.ecs("money", "crm-web", desired_count=4, environment_keys=["PGHOST", "PGPASSWORD", "DJANGO_SETTINGS_MODULE"])
    gh = p.github("corvane/crm")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 61, amp=.4)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 44, amp=.3, spikes=3, spike=1.8, hi=98)
    p.db(db, "postgres", "16.2",
         [("public", "crm_customer", 44_200_000, 8_700_000_000, 9.4, 260.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "alias", "type": "character varying(64)", "nullable": False},
             {"name": "email", "type": "character varying(254)", "nullable": False}]})],
         [("public", "crm_customer", "crm_customer_pkey", "CREATE UNIQUE INDEX crm_customer_pkey ON public.crm_customer USING btree (id)", 510_000, 950_000_000)],
         {"lock_timeout": "3000"}, longest_transaction_s=0.9)


@case("order-lines-foreign-key")
def _(c):
    c.meta("Foreign key added with validation between two busy tables", "db-migration", "no-go", "confirmed",
           "add_foreign_key validates at once: 52M order_lines are checked against orders while SHARE ROW EXCLUSIVE is held on both, so 44 writes/s on order_lines and 18/s on orders wait for the scan.",
           "add_foreign_key with validate: false, then validate_foreign_key in a separate migration.",
           common("foreign key without NOT VALID"))
    c.pr("Guard against orphaned order lines", """
         Support found three lines without an order. The nightly clean-up has removed them; with the key it cannot happen again.
         """, ["FK order_lines -> orders"], "h-brandt", "sedge/shop", 733)
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "pg"
        gem "puma"
        """)
    c.f("app/models/order.rb", """
        class Order < ApplicationRecord
          has_many :order_lines
        end
        """)
    c.f("app/models/order_line.rb", """
        class OrderLine < ApplicationRecord
          belongs_to :order
        end
        """)
    c.f("app/controllers/orders_controller.rb", """
        class OrdersController < ApplicationController
          def create
            order = Order.create!(customer_id: params.require(:customer_id))
            params.require(:lines).each { |l| order.order_lines.create!(sku: l[:sku], quantity: l[:quantity]) }
            render json: { id: order.id }, status: :created
          end
        end
        """)
    c.f("db/migrate/20260402111500_create_coupons.rb", """
        class CreateCoupons < ActiveRecord::Migration[7.1]
          def change
            create_table :coupons do |t|
              t.string :code, null: false
              t.timestamps
            end
          end
        end
        """)
    c.f("config/database.yml", """
        production:
          adapter: postgresql
          url: <%= ENV["DATABASE_URL"] %>
          pool: 10
        """)
    c.f("bin/release", """
        #!/bin/sh
        set -e
        bin/rails db:migrate
        """)
    c.h("db/migrate/20260509083000_add_order_fk_to_order_lines.rb", """
        class AddOrderFkToOrderLines < ActiveRecord::Migration[7.1]
          def change
            add_foreign_key :order_lines, :orders
          end
        end
        """)
    p = c.prod("730046118259", "eu-west-2")
    db = p.rds("shop-pg", engine="postgres", engine_version="15.4", instance_class="db.r6g.2xlarge")
    web = p.ecs("shop", "shop-web", desired_count=9)
    gh = p.github("sedge/shop")
    p.edge(gh, web, "deploys_to"); p.edge(web, db, "writes_to")
    p.metric(web, "RequestCountPerSecond", "Count/Second", diurnal, 240, amp=.5)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 71, amp=.2, ints=True)
    p.db(db, "postgres", "15.4",
         [("public", "order_lines", 52_600_000, 7_900_000_000, 44.1, 390.0), ("public", "orders", 16_800_000, 3_600_000_000, 18.3, 610.0), ("public", "coupons", 320, 90_000, 0.0, 12.0)],
         [("public", "order_lines", "index_order_lines_on_order_id", "CREATE INDEX index_order_lines_on_order_id ON public.order_lines USING btree (order_id)", 540_000, 1_100_000_000)],
         {"lock_timeout": "0"}, constraints=[])
    c.culprit("db/migrate/20260509083000_add_order_fk_to_order_lines.rb", "add_foreign_key :order_lines", db, alt_resources=[web])


@case("invoice-lines-foreign-key-not-valid")
def _(c):
    c.meta("Foreign key added NOT VALID and validated in a migration of its own", "db-migration", "go", "refuted",
           "The key is added with validate: false (no scan, short SHARE ROW EXCLUSIVE under lock_timeout) and validated in a second migration, which takes only SHARE UPDATE EXCLUSIVE and ROW SHARE and blocks no DML on the 49M rows.",
           "None needed.", common("foreign key NOT VALID then VALIDATE"))
    c.pr("Guard against orphaned invoice lines", """
         In two steps, as the database guild asks for.
         """, ["FK invoice_lines -> invoices, not validated", "validate FK"], "h-brandt", "sedge/invoicing", 734)
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "pg"
        gem "puma"
        """)
    c.f("app/models/invoice.rb", """
        class Invoice < ApplicationRecord
          has_many :invoice_lines
        end
        """)
    c.f("app/models/invoice_line.rb", """
        class InvoiceLine < ApplicationRecord
          belongs_to :invoice
        end
        """)
    c.f("config/database.yml", """
        production:
          adapter: postgresql
          url: <%= ENV["DATABASE_URL"] %>
          pool: 10
          variables:
            lock_timeout: 5s
        """)
    c.f("bin/release", """
        #!/bin/sh
        set -e
        bin/rails db:migrate
        """)
    c.h("db/migrate/20260509083000_add_invoice_fk_to_invoice_lines.rb", """
        class AddInvoiceFkToInvoiceLines < ActiveRecord::Migration[7.1]
          def change
            add_foreign_key :invoice_lines, :invoices, validate: false
          end
        end
        """)
    c.h("db/migrate/20260509083100_validate_invoice_fk.rb", """
        class ValidateInvoiceFk < ActiveRecord::Migration[7.1]
          def change
            validate_foreign_key :invoice_lines, :invoices
          end
        end
        """)
    p = c.prod("730046118259", "eu-west-2")
    db = p.rds("invoicing-pg", engine="postgres", engine_version="15.4", instance_class="db.r6g.2xlarge")
    web = p.ecs("shop", "invoicing-web", desired_count=5)
    gh = p.github("sedge/invoicing")
    p.edge(gh, web, "deploys_to"); p.edge(web, db, "writes_to")
    p.metric(web, "RequestCountPerSecond", "Count/Second", diurnal, 130, amp=.5)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 48, amp=.2, ints=True)
    p.metric(web, "HTTPCode_Target_5XX_Count", "Count", sparse, 40)
    p.db(db, "postgres", "15.4",
         [("public", "invoice_lines", 49_200_000, 7_300_000_000, 38.0, 310.0, {"columns": [{"name": "invoice_id", "type": "bigint", "nullable": False, "null_fraction": 0.0}]}),
          ("public", "invoices", 15_100_000, 3_100_000_000, 14.2, 540.0)],
         [("public", "invoice_lines", "index_invoice_lines_on_invoice_id", "CREATE INDEX index_invoice_lines_on_invoice_id ON public.invoice_lines USING btree (invoice_id)", 510_000, 1_000_000_000)],
         {"lock_timeout": "5s"}, constraints=[], longest_transaction_s=1.4)
    p.logs_from(db, 14, lambda r, at, i: "job orphan-check: invoice_lines without invoice: 0", days=7)


@case("messages-thread-index")
def _(c):
    c.meta("Prisma migration builds an index on a busy table without CONCURRENTLY", "db-migration", "no-go", "confirmed",
           "CREATE INDEX takes SHARE on Message (33M rows, 11 GB) for the whole build, so 62 inserts/s wait; the pool of 5 connections a pod is used up within a second and sending messages fails.",
           "Put CREATE INDEX CONCURRENTLY alone in a migration file of its own.",
           "https://github.com/prisma/prisma/issues/14456")
    c.pr("Index messages by thread", """
         The thread view is slow on staging: 900 ms to 6 ms with the index. Generated with `prisma migrate dev`.
         """, ["schema: @@index([threadId, sentAt])", "migration"], "t-adeyemi", "lumen/chat", 512)
    c.f("package.json", """
        {
          "name": "chat",
          "scripts": {"start": "prisma migrate deploy && node dist/server.js", "build": "tsc"},
          "dependencies": {"@prisma/client": "5.13.0", "fastify": "4.26.2"},
          "devDependencies": {"prisma": "5.13.0", "typescript": "5.4.5"}
        }
        """)
    c.f("prisma/schema.prisma", """
        generator client {
          provider = "prisma-client-js"
        }

        datasource db {
          provider = "postgresql"
          url      = env("DATABASE_URL")
        }

        model Message {
          id       BigInt   @id @default(autoincrement())
          threadId BigInt
          body     String
          sentAt   DateTime @default(now())
        }
        """)
    c.f("prisma/migrations/20251102093000_init/migration.sql", """
        CREATE TABLE "Message" (
            "id" BIGSERIAL NOT NULL,
            "threadId" BIGINT NOT NULL,
            "body" TEXT NOT NULL,
            "sentAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
            CONSTRAINT "Message_pkey" PRIMARY KEY ("id")
        );
        """)
    c.f("src/server.ts", """
        import Fastify from "fastify";
        import { PrismaClient } from "@prisma/client";

        const db = new PrismaClient();
        const app = Fastify();

        app.post("/threads/:id/messages", async (req) => {
          const { id } = req.params as { id: string };
          return db.message.create({ data: { threadId: BigInt(id), body: (req.body as { body: string }).body } });
        });

        app.get("/threads/:id/messages", async (req) => {
          const { id } = req.params as { id: string };
          return db.message.findMany({ where: { threadId: BigInt(id) }, orderBy: { sentAt: "desc" }, take: 50 });
        });

        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    c.f("compose.yaml", """
        services:
          chat:
            image: registry.lumen.example/chat:latest
            environment:
              DATABASE_URL: ${DATABASE_URL}
            deploy:
              replicas: 4
        """)
    c.patch("prisma/schema.prisma", ("  sentAt   DateTime @default(now())\n", "  sentAt   DateTime @default(now())\n\n  @@index([threadId, sentAt])\n"))
    c.h("prisma/migrations/20260508141200_message_thread_index/migration.sql", """
        -- CreateIndex
        CREATE INDEX "Message_threadId_sentAt_idx" ON "Message"("threadId", "sentAt");
        """)
    p = c.prod("667300912245", "eu-north-1")
    db = p.res("arn:aws:rds:eu-north-1:667300912245:cluster:chat-aurora", "aws.rds.cluster", "chat-aurora", engine="aurora-postgresql", engine_version="15.4")
    svc = p.ecs("chat", "chat", desired_count=4)
    gh = p.github("lumen/chat")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 175, amp=.4)
    p.metric(db, "CommitThroughput", "Count/Second", diurnal, 64, amp=.4)
    p.db(db, "postgres", "15.4",
         [("public", "Message", 33_900_000, 11_200_000_000, 62.0, 88.0)],
         [("public", "Message", "Message_pkey", "CREATE UNIQUE INDEX \"Message_pkey\" ON public.\"Message\" USING btree (id)", 22_000, 760_000_000)],
         {"lock_timeout": "0"}, applied_migrations=["20251102093000_init"])
    c.culprit("prisma/migrations/20260508141200_message_thread_index/migration.sql", "CREATE INDEX", db, alt_resources=[svc])


@case("plans-region-index")
def _(c):
    c.meta("Prisma migration builds an index on a table of a few hundred rows", "db-migration", "go", "refuted",
           "CREATE INDEX without CONCURRENTLY blocks writes, but Plan has 380 rows in 96 kB and 0.002 writes/s; the build takes milliseconds and nobody waits.",
           "None needed.", common("index on a tiny table"))
    c.pr("Index plans by region", """
         The linter of our ORM course asks for an index on every filter. Generated with `prisma migrate dev`.
         """, ["schema: @@index([region, validFrom])", "migration"], "t-adeyemi", "lumen/subscriptions", 513)
    c.f("package.json", """
        {
          "name": "subscriptions",
          "scripts": {"start": "prisma migrate deploy && node dist/server.js", "build": "tsc"},
          "dependencies": {"@prisma/client": "5.13.0", "fastify": "4.26.2"},
          "devDependencies": {"prisma": "5.13.0", "typescript": "5.4.5"}
        }
        """)
    c.f("prisma/schema.prisma", """
        generator client {
          provider = "prisma-client-js"
        }

        datasource db {
          provider = "postgresql"
          url      = env("DATABASE_URL")
        }

        model Plan {
          id        BigInt   @id @default(autoincrement())
          region    String
          price     Int
          validFrom DateTime @default(now())
        }
        """)
    c.f("prisma/migrations/20251102093000_init/migration.sql", """
        CREATE TABLE "Plan" (
            "id" BIGSERIAL NOT NULL,
            "region" TEXT NOT NULL,
            "price" INTEGER NOT NULL,
            "validFrom" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
            CONSTRAINT "Plan_pkey" PRIMARY KEY ("id")
        );
        """)
    c.f("src/server.ts", """
        import Fastify from "fastify";
        import { PrismaClient } from "@prisma/client";

        const db = new PrismaClient();
        const app = Fastify();

        app.get("/plans/:region", async (req) => {
          const { region } = req.params as { region: string };
          return db.plan.findMany({ where: { region }, orderBy: { validFrom: "desc" } });
        });

        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    c.f("compose.yaml", """
        services:
          subscriptions:
            image: registry.lumen.example/subscriptions:latest
            environment:
              DATABASE_URL: ${DATABASE_URL}
            deploy:
              replicas: 3
        """)
    c.patch("prisma/schema.prisma", ("  validFrom DateTime @default(now())\n", "  validFrom DateTime @default(now())\n\n  @@index([region, validFrom])\n"))
    c.h("prisma/migrations/20260508141200_plan_region_index/migration.sql", """
        -- CreateIndex
        CREATE INDEX "Plan_region_validFrom_idx" ON "Plan"("region", "validFrom");
        """)
    p = c.prod("667300912245", "eu-north-1")
    db = p.res("arn:aws:rds:eu-north-1:667300912245:cluster:subs-aurora", "aws.rds.cluster", "subs-aurora", engine="aurora-postgresql", engine_version="15.4")
    svc = p.ecs("chat", "subscriptions", desired_count=3)
    gh = p.github("lumen/subscriptions")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 205, amp=.4)
    p.metric(db, "CommitThroughput", "Count/Second", diurnal, 31, amp=.4)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 61, amp=.3, hi=96)
    p.db(db, "postgres", "15.4",
         [("public", "Plan", 380, 98_304, 0.002, 205.0), ("public", "Subscription", 9_900_000, 2_800_000_000, 31.0, 160.0)],
         [("public", "Plan", "Plan_pkey", "CREATE UNIQUE INDEX \"Plan_pkey\" ON public.\"Plan\" USING btree (id)", 1_400, 16_384)],
         {"lock_timeout": "0"}, applied_migrations=["20251102093000_init"])


@case("mysql-bookings-note-text")
def _(c):
    c.meta("MySQL MODIFY COLUMN copies a large table and blocks its writes", "db-migration", "no-go", "confirmed",
           "Changing VARCHAR(500) to TEXT needs ALGORITHM=COPY in MySQL 8.0; the 18 GB table rentals is copied with writes blocked, so 41 writes/s wait for many minutes and the pool of each pod runs dry.",
           "Run the change with gh-ost or pt-online-schema-change, or add a TEXT column, dual write and swap.",
           common("MySQL COPY algorithm"))
    c.pr("Longer notes on rentals", """
         Hosts want more than 500 characters. TEXT has no length to argue about, and we need no default.
         """, ["V88: rentals.note as text"], "k-ito", "harbor/rentals", 1188)
    c.f("build.gradle.kts", """
        plugins {
            kotlin("jvm") version "1.9.23"
            id("org.springframework.boot") version "3.2.5"
        }

        dependencies {
            implementation("org.springframework.boot:spring-boot-starter-jdbc")
            implementation("org.flywaydb:flyway-mysql")
            runtimeOnly("com.mysql:mysql-connector-j")
        }
        """)
    c.f("src/main/kotlin/harbor/RentalRepository.kt", """
        package harbor

        import org.springframework.jdbc.core.JdbcTemplate
        import org.springframework.stereotype.Repository

        @Repository
        class RentalRepository(private val jdbc: JdbcTemplate) {
            fun add(unit: Long, guest: Long, note: String?) {
                jdbc.update("INSERT INTO rentals (unit_id, guest_id, note) VALUES (?, ?, ?)", unit, guest, note)
            }

            fun touch(id: Long) {
                jdbc.update("UPDATE rentals SET seen_at = NOW() WHERE id = ?", id)
            }
        }
        """)
    c.f("src/main/kotlin/harbor/RentalController.kt", """
        package harbor

        import org.springframework.web.bind.annotation.PostMapping
        import org.springframework.web.bind.annotation.RequestBody
        import org.springframework.web.bind.annotation.RestController

        data class NewRental(val unit: Long, val guest: Long, val note: String?)

        @RestController
        class RentalController(private val rentals: RentalRepository) {
            @PostMapping("/rentals")
            fun add(@RequestBody body: NewRental) {
                require((body.note?.length ?: 0) <= 500)
                rentals.add(body.unit, body.guest, body.note)
            }
        }
        """)
    c.f("src/main/resources/db/migration/V87__rental_seen.sql", """
        ALTER TABLE rentals ADD COLUMN seen_at DATETIME NULL, ALGORITHM=INSTANT;
        """)
    c.f("src/main/resources/application.yml", """
        spring:
          datasource:
            url: ${JDBC_URL}
            hikari:
              maximum-pool-size: 15
          flyway:
            enabled: true
        """)
    c.h("src/main/resources/db/migration/V88__rental_note_text.sql", """
        ALTER TABLE rentals MODIFY COLUMN note TEXT NULL;
        """)
    c.patch("src/main/kotlin/harbor/RentalController.kt", ("<= 500", "<= 4000"))
    p = c.prod("205530778812", "ap-northeast-1")
    db = p.rds("rentals-mysql", engine="mysql", engine_version="8.0.36", instance_class="db.r6g.2xlarge")
    svc = p.ecs("core", "rentals", desired_count=7, hikari_pool_per_task=15)
    gh = p.github("harbor/rentals")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 96, amp=.45)
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 480, amp=.4)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 58, amp=.15, ints=True)
    p.db(db, "mysql", "8.0.36",
         [("harbor", "rentals", 38_200_000, 18_100_000_000, 41.3, 350.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "unit_id", "type": "bigint", "nullable": False},
             {"name": "guest_id", "type": "bigint", "nullable": False}, {"name": "note", "type": "varchar(500)", "nullable": True}, {"name": "seen_at", "type": "datetime", "nullable": True}]})],
         [("harbor", "rentals", "PRIMARY", "PRIMARY KEY (id)", 300_000, 9_000_000_000)],
         {"lock_wait_timeout": "31536000", "innodb_lock_wait_timeout": "50"}, applied_migrations=["86", "87"])
    c.culprit("src/main/resources/db/migration/V88__rental_note_text.sql", "MODIFY COLUMN note TEXT", db, alt_resources=[svc])


@case("mysql-guests-locale-instant")
def _(c):
    c.meta("MySQL ADD COLUMN with ALGORITHM=INSTANT on a large table", "db-migration", "go", "refuted",
           "The statement touches a table of 29M rows with 33 writes/s, but adding a trailing column on MySQL 8.0.36 with ALGORITHM=INSTANT changes only the dictionary and would fail rather than fall back to a copy; "
           "the column has a default, so deployed INSERTs go on.",
           "None needed.", common("MySQL INSTANT add column"))
    c.pr("Guests: locale", """
         For translated receipts, later. 29 million rows but INSTANT does not care.
         """, ["V52: guests.locale"], "k-ito", "harbor/guests", 1189)
    c.f("build.gradle.kts", """
        plugins {
            kotlin("jvm") version "1.9.23"
            id("org.springframework.boot") version "3.2.5"
        }

        dependencies {
            implementation("org.springframework.boot:spring-boot-starter-jdbc")
            implementation("org.flywaydb:flyway-mysql")
        }
        """)
    c.f("src/main/kotlin/harbor/GuestRepository.kt", """
        package harbor

        import org.springframework.jdbc.core.JdbcTemplate
        import org.springframework.stereotype.Repository

        @Repository
        class GuestRepository(private val jdbc: JdbcTemplate) {
            fun add(name: String, email: String) {
                jdbc.update("INSERT INTO guests (name, email) VALUES (?, ?)", name, email)
            }
        }
        """)
    c.f("src/main/resources/db/migration/V51__guest_email.sql", """
        ALTER TABLE guests ADD COLUMN email VARCHAR(254) NULL, ALGORITHM=INSTANT;
        """)
    c.f("src/main/resources/application.yml", """
        spring:
          datasource:
            url: ${JDBC_URL}
          flyway:
            enabled: true
        """)
    c.h("src/main/resources/db/migration/V52__guest_locale.sql", """
        SET SESSION lock_wait_timeout = 5;
        ALTER TABLE guests ADD COLUMN locale VARCHAR(12) NOT NULL DEFAULT 'en', ALGORITHM=INSTANT;
        """)
    p = c.prod("205530778812", "ap-northeast-1")
    db = p.rds("guests-mysql", engine="mysql", engine_version="8.0.36", instance_class="db.r6g.xlarge")
    svc = p.ecs("core", "guests", desired_count=4)
    gh = p.github("harbor/guests")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 70, amp=.45)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 69, amp=.25, hi=98)
    p.db(db, "mysql", "8.0.36",
         [("harbor", "guests", 29_400_000, 9_200_000_000, 33.0, 410.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "name", "type": "varchar(200)", "nullable": False}, {"name": "email", "type": "varchar(254)", "nullable": True}]})],
         [("harbor", "guests", "PRIMARY", "PRIMARY KEY (id)", 410_000, 5_000_000_000)], {"lock_wait_timeout": "31536000"},
         applied_migrations=["50", "51"], longest_transaction_s=1.8)


@case("members-tier-backfill")
def _(c):
    c.meta("Backfill in the transaction that added the column", "db-migration", "no-go", "confirmed",
           "ADD COLUMN takes ACCESS EXCLUSIVE on members, and the UPDATE of all 24M rows in the same Alembic transaction keeps it for the whole backfill: 26 writes/s and 480 reads/s, the login among them, wait for minutes.",
           "Commit the new column first and backfill in batches outside the migration.",
           common("backfill in the DDL transaction"))
    c.pr("Membership tiers", """
         New column and its values in one go, so that nobody ever sees a member without a tier.
         """, ["members.tier with backfill", "tier in the profile"], "r-sandoval", "alder/members", 377)
    c.f("pyproject.toml", """
        [project]
        name = "members"
        version = "1.31.0"
        dependencies = ["flask~=3.0", "sqlalchemy~=2.0", "alembic~=1.13", "psycopg[binary]"]
        """)
    c.f("alembic.ini", """
        [alembic]
        script_location = migrations
        """)
    c.f("migrations/env.py", """
        import os

        from alembic import context
        from sqlalchemy import create_engine

        engine = create_engine(os.environ["DATABASE_URL"])

        with engine.connect() as connection:
            context.configure(connection=connection, target_metadata=None)
            with context.begin_transaction():
                context.run_migrations()
        """)
    c.f("migrations/versions/c41_last_login.py", """
        import sqlalchemy as sa
        from alembic import op

        revision = "c41"
        down_revision = "c40"


        def upgrade():
            op.add_column("members", sa.Column("last_login", sa.DateTime(timezone=True)))


        def downgrade():
            op.drop_column("members", "last_login")
        """)
    c.f("members/login.py", """
        from sqlalchemy import text

        from .db import engine


        def login(email: str):
            with engine.begin() as tx:
                row = tx.execute(text("SELECT id, password_hash FROM members WHERE email = :e"), {"e": email}).one_or_none()
                if row:
                    tx.execute(text("UPDATE members SET last_login = now() WHERE id = :i"), {"i": row.id})
                return row
        """)
    c.f("members/db.py", """
        import os

        from sqlalchemy import create_engine

        engine = create_engine(os.environ["DATABASE_URL"], pool_size=10, max_overflow=5)
        """)
    c.f("deploy/members.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: members
          namespace: accounts
        spec:
          replicas: 5
          selector: {matchLabels: {app: members}}
          template:
            metadata: {labels: {app: members}}
            spec:
              initContainers:
                - name: migrate
                  image: registry.alder.example/members:1.31.0
                  command: ["alembic", "upgrade", "head"]
                  envFrom: [{secretRef: {name: members-db}}]
              containers:
                - name: web
                  image: registry.alder.example/members:1.31.0
                  envFrom: [{secretRef: {name: members-db}}]
        """)
    c.h("migrations/versions/c42_member_tier.py", """
        import sqlalchemy as sa
        from alembic import op

        revision = "c42"
        down_revision = "c41"


        def upgrade():
            op.add_column("members", sa.Column("tier", sa.String(16)))
            op.execute(
                "UPDATE members SET tier = CASE WHEN lifetime_spend > 100000 THEN 'gold'"
                " WHEN lifetime_spend > 20000 THEN 'silver' ELSE 'basic' END"
            )


        def downgrade():
            op.drop_column("members", "tier")
        """)
    p = c.prod("318840556071", "eu-west-3")
    db = p.rds("members-pg", engine="postgres", engine_version="16.1", instance_class="db.r6g.xlarge")
    dep = p.k8s("prod", "accounts", "deployment", "members", replicas=5)
    gh = p.github("alder/members")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 210, amp=.45)
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 300, amp=.4)
    p.db(db, "postgres", "16.1",
         [("public", "members", 24_100_000, 6_400_000_000, 26.2, 483.0)],
         [("public", "members", "members_email_key", "CREATE UNIQUE INDEX members_email_key ON public.members USING btree (email)", 750_000, 900_000_000)],
         {"lock_timeout": "0"}, applied_migrations=["c41"])
    c.culprit("migrations/versions/c42_member_tier.py", "UPDATE members SET tier", db,
              alt=[("migrations/versions/c42_member_tier.py", 'op.add_column("members"')], alt_resources=[dep])


@case("vacuum-full-audit-entries")
def _(c):
    c.meta("VACUUM FULL scheduled on a live table at midday", "db-migration", "no-go", "confirmed",
           "The new job runs VACUUM FULL audit_entries (64 GB) at 12:00 UTC on working days: ACCESS EXCLUSIVE for the whole rewrite, while 73 inserts/s of every signed action wait.",
           "Use plain VACUUM with a tuned autovacuum, or pg_repack in a quiet hour.",
           common("VACUUM FULL on a live table"))
    c.pr("Reclaim space in audit_entries", """
         The table is 40 % air after the purge. A job gives the disk back. Midday, because that is when the DBA is at work.
         """, ["cronjob: vacuum audit_entries"], "o-lindqvist", "alder/dbops", 58)
    c.f("README.md", """
        # dbops
        Maintenance jobs of the shared PostgreSQL clusters. Argo CD syncs `jobs/`.
        """)
    c.f("jobs/analyze.yaml", """
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: analyze-audit
          namespace: dbops
        spec:
          schedule: "30 3 * * *"
          jobTemplate:
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: psql
                      image: registry.alder.example/psql:16
                      command: ["psql", "-c", "ANALYZE audit_entries"]
                      envFrom: [{secretRef: {name: audit-owner}}]
        """)
    c.f("jobs/kustomization.yaml", """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        namespace: dbops
        resources:
          - analyze.yaml
        """)
    c.f("sql/purge_audit.sql", """
        DELETE FROM audit_entries WHERE at < now() - interval '400 days';
        """)
    c.h("jobs/vacuum.yaml", """
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: vacuum-audit
          namespace: dbops
        spec:
          schedule: "0 12 * * 1-5"
          concurrencyPolicy: Forbid
          jobTemplate:
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: psql
                      image: registry.alder.example/psql:16
                      command: ["psql", "-c", "VACUUM (FULL, ANALYZE) audit_entries"]
                      envFrom: [{secretRef: {name: audit-owner}}]
        """)
    c.patch("jobs/kustomization.yaml", ("  - analyze.yaml\n", "  - analyze.yaml\n  - vacuum.yaml\n"))
    p = c.prod("318840556071", "eu-west-3")
    db = p.rds("audit-pg", engine="postgres", engine_version="16.1", instance_class="db.r6g.2xlarge")
    api = p.k8s("prod", "accounts", "deployment", "audit-api", replicas=6)
    job = p.k8s("prod", "dbops", "cronjob", "analyze-audit", schedule="30 3 * * *")
    gh = p.github("alder/dbops")
    p.edge(gh, job, "deploys_to"); p.edge(job, db, "connects_to"); p.edge(api, db, "writes_to")
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 900, amp=.4)
    p.metric(api, "http_requests_per_second", "Count/Second", diurnal, 76, amp=.45)
    p.metric(db, "FreeStorageSpace", "Bytes", flat, 2.2e11, noise=.005, trend=-.04)
    p.db(db, "postgres", "16.1",
         [("public", "audit_entries", 171_000_000, 64_000_000_000, 73.0, 21.0, {"dead_tuples": 2_100_000})],
         [("public", "audit_entries", "audit_entries_pkey", "CREATE UNIQUE INDEX audit_entries_pkey ON public.audit_entries USING btree (id)", 61_000, 3_900_000_000)],
         {"lock_timeout": "0", "statement_timeout": "0"})
    c.culprit("jobs/vacuum.yaml", "VACUUM (FULL, ANALYZE) audit_entries", db,
              alt=[("jobs/vacuum.yaml", 'schedule: "0 12')], alt_resources=[job, api])


@case("vacuum-full-retired-imports")
def _(c):
    c.meta("VACUUM FULL on a table that nobody reads or writes any more", "db-migration", "go", "refuted",
           "VACUUM FULL takes ACCESS EXCLUSIVE, but retired_imports has 0 writes/s and 0 reads/s over the week, is 1.1 GB, and there is room for the copy; nothing waits for the lock.",
           "None needed.", common("VACUUM FULL on an idle table"))
    c.pr("Reclaim space in retired_imports", """
         The table is mostly air after the purge. One job at night gives the disk back.
         """, ["cronjob: vacuum retired_imports"], "o-lindqvist", "alder/importops", 59)
    c.f("README.md", """
        # importops
        Maintenance jobs of the import database. Argo CD syncs `jobs/`.
        """)
    c.f("jobs/analyze.yaml", """
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: analyze-imports
          namespace: dbops
        spec:
          schedule: "30 3 * * *"
          jobTemplate:
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: psql
                      image: registry.alder.example/psql:16
                      command: ["psql", "-c", "ANALYZE retired_imports"]
                      envFrom: [{secretRef: {name: imports-owner}}]
        """)
    c.f("jobs/kustomization.yaml", """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        namespace: dbops
        resources:
          - analyze.yaml
        """)
    c.f("sql/purge_retired.sql", """
        DELETE FROM retired_imports WHERE finished_at < now() - interval '400 days';
        """)
    c.h("jobs/vacuum.yaml", """
        apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: vacuum-imports
          namespace: dbops
        spec:
          schedule: "0 12 1 * *"
          concurrencyPolicy: Forbid
          jobTemplate:
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: psql
                      image: registry.alder.example/psql:16
                      command: ["psql", "-c", "VACUUM (FULL, ANALYZE) retired_imports"]
                      envFrom: [{secretRef: {name: imports-owner}}]
        """)
    c.patch("jobs/kustomization.yaml", ("  - analyze.yaml\n", "  - analyze.yaml\n  - vacuum.yaml\n"))
    p = c.prod("318840556071", "eu-west-3")
    db = p.rds("imports-pg", engine="postgres", engine_version="16.1", instance_class="db.t4g.large")
    api = p.k8s("prod", "imports", "deployment", "imports-api", replicas=2)
    job = p.k8s("prod", "dbops", "cronjob", "analyze-imports", schedule="30 3 * * *")
    gh = p.github("alder/importops")
    p.edge(gh, job, "deploys_to"); p.edge(job, db, "connects_to"); p.edge(api, db, "writes_to")
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 140, amp=.4)
    p.metric(api, "http_requests_per_second", "Count/Second", diurnal, 12, amp=.45)
    p.metric(db, "FreeStorageSpace", "Bytes", flat, 1.9e11, noise=.005, trend=-.01)
    p.db(db, "postgres", "16.1",
         [("public", "retired_imports", 260_000, 1_100_000_000, 0.0, 0.0, {"dead_tuples": 3_900_000}), ("public", "imports", 1_900_000, 2_000_000_000, 11.0, 40.0)],
         [("public", "retired_imports", "retired_imports_pkey", "CREATE UNIQUE INDEX retired_imports_pkey ON public.retired_imports USING btree (id)", 0, 90_000_000)],
         {"lock_timeout": "0"}, stats_reset="2026-01-10T00:00:00Z")


@case("payouts-amount-check")
def _(c):
    c.meta("CHECK constraint added with validation on a large table", "db-migration", "no-go", "confirmed",
           "op.create_check_constraint validates immediately: payouts (72M rows, 13 GB) is scanned under ACCESS EXCLUSIVE while 29 writes/s and 150 reads/s wait.",
           "Add the constraint NOT VALID with op.execute, then VALIDATE CONSTRAINT in a later migration.",
           common("CHECK without NOT VALID"))
    c.pr("No negative payouts in the database", """
         After last month's scare. The application checks it already; the constraint is the belt to those braces.
         """, ["payouts: amount >= 0"], "f-achterberg", "corvane/payouts", 266)
    c.f("requirements.txt", """
        fastapi==0.111.0
        sqlalchemy==2.0.30
        alembic==1.13.1
        """)
    c.f("migrations/versions/20260311_currency.py", """
        import sqlalchemy as sa
        from alembic import op

        revision = "9f31"
        down_revision = "9f30"


        def upgrade():
            op.add_column("payouts", sa.Column("currency", sa.String(3), server_default="EUR", nullable=False))


        def downgrade():
            op.drop_column("payouts", "currency")
        """)
    c.f("payouts/service.py", """
        from .db import Session
        from .models import Payout


        def request_payout(account: int, amount: int) -> int:
            if amount < 0:
                raise ValueError("amount")
            with Session() as s:
                p = Payout(account_id=account, amount=amount)
                s.add(p)
                s.commit()
                return p.id
        """)
    c.f("payouts/models.py", """
        from sqlalchemy import BigInteger, String
        from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


        class Base(DeclarativeBase):
            pass


        class Payout(Base):
            __tablename__ = "payouts"
            id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
            account_id: Mapped[int] = mapped_column(BigInteger)
            amount: Mapped[int] = mapped_column(BigInteger)
            currency: Mapped[str] = mapped_column(String(3), server_default="EUR")
        """)
    c.f("payouts/db.py", """
        import os

        from sqlalchemy import create_engine
        from sqlalchemy.orm import sessionmaker

        Session = sessionmaker(create_engine(os.environ["DATABASE_URL"], pool_size=8))
        """)
    c.f("Dockerfile", """
        FROM python:3.12-slim
        WORKDIR /app
        COPY . .
        RUN pip install -r requirements.txt
        CMD ["sh", "-c", "alembic upgrade head && uvicorn payouts.api:app --host 0.0.0.0"]
        """)
    c.h("migrations/versions/20260508_amount_check.py", """
        from alembic import op

        revision = "9f32"
        down_revision = "9f31"


        def upgrade():
            op.create_check_constraint("payouts_amount_positive", "payouts", "amount >= 0")


        def downgrade():
            op.drop_constraint("payouts_amount_positive", "payouts")
        """)
    p = c.prod("902771450036", "eu-west-1")
    db = p.rds("payouts-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.2xlarge")
    svc = p.ecs("money", "payouts", desired_count=4)
    gh = p.github("corvane/payouts")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 45, amp=.4)
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 320, amp=.35)
    p.db(db, "postgres", "15.6",
         [("public", "payouts", 72_500_000, 13_100_000_000, 29.0, 152.0)],
         [("public", "payouts", "payouts_pkey", "CREATE UNIQUE INDEX payouts_pkey ON public.payouts USING btree (id)", 230_000, 1_600_000_000)],
         {"lock_timeout": "0"}, constraints=[], applied_migrations=["9f31"])
    c.culprit("migrations/versions/20260508_amount_check.py", "op.create_check_constraint", db, alt_resources=[svc])


@case("meter-readings-check-not-valid")
def _(c):
    c.meta("CHECK added NOT VALID and validated in the next migration", "db-migration", "go", "refuted",
           "The constraint on 210M rows is added NOT VALID (no scan, lock_timeout 2 s) and validated by a separate dbmate migration that takes only SHARE UPDATE EXCLUSIVE, so no reads or writes wait.",
           "None needed.", common("CHECK NOT VALID then VALIDATE"))
    c.pr("Readings are never negative", """
         Two migrations, one to add and one to validate.
         """, ["readings: check, not valid", "readings: validate check"], "a-bellweather", "gridline/meters", 90)
    c.f("go.mod", """
        module example.org/gridline/meters

        go 1.22
        """)
    c.f("db/migrations/20260210090000_readings_unit.sql", """
        -- migrate:up
        ALTER TABLE readings ADD COLUMN unit text NOT NULL DEFAULT 'kWh';

        -- migrate:down
        ALTER TABLE readings DROP COLUMN unit;
        """)
    c.f("internal/readings/add.go", """
        package readings

        import (
        	"context"
        	"database/sql"
        	"errors"
        )

        func Add(ctx context.Context, db *sql.DB, meter int64, value float64) error {
        	if value < 0 {
        		return errors.New("negative reading")
        	}
        	_, err := db.ExecContext(ctx, "INSERT INTO readings (meter_id, value) VALUES ($1, $2)", meter, value)
        	return err
        }
        """)
    c.f("Procfile", """
        release: dbmate --no-dump-schema up
        web: bin/meters
        """)
    c.h("db/migrations/20260507101500_readings_value_check.sql", """
        -- migrate:up
        SET LOCAL lock_timeout = '2s';
        ALTER TABLE readings ADD CONSTRAINT readings_value_positive CHECK (value >= 0) NOT VALID;

        -- migrate:down
        ALTER TABLE readings DROP CONSTRAINT readings_value_positive;
        """)
    c.h("db/migrations/20260507102000_readings_value_validate.sql", """
        -- migrate:up
        ALTER TABLE readings VALIDATE CONSTRAINT readings_value_positive;

        -- migrate:down
        """)
    p = c.prod("gridline-prod", "europe-west4")
    db = p.res("gcp:sql:gridline-prod/meters", "gcp.sql.instance", "meters", engine="postgres", engine_version="15.5", tier="db-custom-8-32768")
    svc = p.res("gcp:run:gridline-prod/meters", "gcp.run.service", "meters", min_instances=3)
    gh = p.github("gridline/meters")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "request_count_per_second", "Count/Second", diurnal, 160, amp=.3)
    p.metric(db, "cpu_utilization", "Percent", diurnal, 52, amp=.3, hi=95)
    p.db(db, "postgres", "15.5",
         [("public", "readings", 210_000_000, 26_000_000_000, 148.0, 35.0, {"columns": [
             {"name": "meter_id", "type": "bigint", "nullable": False}, {"name": "value", "type": "double precision", "nullable": False, "min": 0.0}, {"name": "unit", "type": "text", "nullable": False}]})],
         [("public", "readings", "readings_meter_id_idx", "CREATE INDEX readings_meter_id_idx ON public.readings USING btree (meter_id)", 120_000, 6_000_000_000)],
         {"lock_timeout": "0"}, constraints=[], longest_transaction_s=1.1)
    p.logs_from(svc, 120, lambda r, at, i: f"data quality: readings sampled=20000 negative=0 batch={i}", days=7)


@case("goose-concurrently-in-transaction")
def _(c):
    c.meta("CREATE INDEX CONCURRENTLY inside goose's transaction", "db-migration", "no-go", "confirmed",
           "goose wraps the file in a transaction unless it says NO TRANSACTION, so CREATE INDEX CONCURRENTLY fails with 25001 for certain; the migrate init container of every new pod fails and the rollout, which also carries the new code, is stuck.",
           "Put `-- +goose NO TRANSACTION` at the top of the file.",
           common("CONCURRENTLY in a transaction, 25001"))
    c.pr("Index deliveries by courier", """
         CONCURRENTLY, so no locks. 31 million rows.
         """, ["index deliveries(courier_id)"], "y-okafor", "pelican/couriers", 145)
    c.f("go.mod", """
        module example.org/pelican/couriers

        go 1.22

        require github.com/pressly/goose/v3 v3.20.0
        """)
    c.f("db/migrations/00011_delivery_state.sql", """
        -- +goose Up
        ALTER TABLE deliveries ADD COLUMN state text NOT NULL DEFAULT 'new';

        -- +goose Down
        ALTER TABLE deliveries DROP COLUMN state;
        """)
    c.f("internal/deliveries/list.go", """
        package deliveries

        import (
        	"context"
        	"database/sql"
        )

        func Open(ctx context.Context, db *sql.DB, courier int64) (*sql.Rows, error) {
        	return db.QueryContext(ctx, "SELECT id, state FROM deliveries WHERE courier_id = $1 AND state <> 'done'", courier)
        }
        """)
    c.f("deploy/couriers.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: couriers
          namespace: delivery
        spec:
          replicas: 4
          selector: {matchLabels: {app: couriers}}
          template:
            metadata: {labels: {app: couriers}}
            spec:
              initContainers:
                - name: migrate
                  image: registry.pelican.example/couriers:2.9.0
                  command: ["goose", "-dir", "/db/migrations", "postgres", "$(DATABASE_URL)", "up"]
                  envFrom: [{secretRef: {name: couriers-db}}]
              containers:
                - name: web
                  image: registry.pelican.example/couriers:2.9.0
                  envFrom: [{secretRef: {name: couriers-db}}]
        """)
    c.f("Dockerfile", """
        FROM golang:1.22 AS build
        WORKDIR /src
        COPY . .
        RUN go install github.com/pressly/goose/v3/cmd/goose@v3.20.0 && go build -o /out/couriers ./cmd/couriers

        FROM debian:12-slim
        COPY --from=build /out/couriers /go/bin/goose /usr/local/bin/
        COPY db/migrations /db/migrations
        CMD ["couriers"]
        """)
    c.h("db/migrations/00012_delivery_courier_index.sql", """
        -- +goose Up
        CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries_courier_id_idx ON deliveries (courier_id);

        -- +goose Down
        DROP INDEX CONCURRENTLY IF EXISTS deliveries_courier_id_idx;
        """)
    p = c.prod("840015527736", "eu-west-1")
    db = p.rds("couriers-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.xlarge")
    dep = p.k8s("prod", "delivery", "deployment", "couriers", replicas=4)
    gh = p.github("pelican/couriers")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 58, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 41, amp=.3)
    p.db(db, "postgres", "15.6",
         [("public", "deliveries", 31_000_000, 5_200_000_000, 19.0, 57.0)],
         [("public", "deliveries", "deliveries_pkey", "CREATE UNIQUE INDEX deliveries_pkey ON public.deliveries USING btree (id)", 210_000, 700_000_000)],
         {"lock_timeout": "0"}, applied_migrations=["9", "10", "11"])
    c.culprit("db/migrations/00012_delivery_courier_index.sql", "CREATE INDEX CONCURRENTLY", db,
              alt=[("db/migrations/00012_delivery_courier_index.sql", "-- +goose Up")], alt_resources=[dep])


@case("goose-concurrently-no-transaction")
def _(c):
    c.meta("CREATE INDEX CONCURRENTLY outside goose's transaction", "db-migration", "go", "refuted",
           "The file says NO TRANSACTION and holds one statement, a single Job applies it before the rollout, and the longest transaction lasts seconds; CONCURRENTLY blocks neither reads nor writes of the 29M rows.",
           "None needed.", common("CONCURRENTLY outside a transaction"))
    c.pr("Index stops by route", """
         CONCURRENTLY, so no locks. 29 million rows.
         """, ["index stops(route_id)"], "y-okafor", "pelican/routes", 146)
    c.f("go.mod", """
        module example.org/pelican/routes

        go 1.22

        require github.com/pressly/goose/v3 v3.20.0
        """)
    c.f("db/migrations/00011_stop_state.sql", """
        -- +goose Up
        ALTER TABLE stops ADD COLUMN state text NOT NULL DEFAULT 'new';

        -- +goose Down
        ALTER TABLE stops DROP COLUMN state;
        """)
    c.f("internal/stops/list.go", """
        package stops

        import (
        	"context"
        	"database/sql"
        )

        func Open(ctx context.Context, db *sql.DB, route int64) (*sql.Rows, error) {
        	return db.QueryContext(ctx, "SELECT id, state FROM stops WHERE route_id = $1 AND state <> 'done'", route)
        }
        """)
    c.f("deploy/migrate.yaml", """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: routes-migrate
          namespace: delivery
          annotations:
            argocd.argoproj.io/hook: PreSync
        spec:
          parallelism: 1
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: migrate
                  image: registry.pelican.example/routes:2.9.0
                  command: ["goose", "-dir", "/db/migrations", "postgres", "$(DATABASE_URL)", "up"]
                  envFrom: [{secretRef: {name: routes-db}}]
        """)
    c.f("Dockerfile", """
        FROM golang:1.22 AS build
        WORKDIR /src
        COPY . .
        RUN go install github.com/pressly/goose/v3/cmd/goose@v3.20.0 && go build -o /out/routes ./cmd/routes

        FROM debian:12-slim
        COPY --from=build /out/routes /go/bin/goose /usr/local/bin/
        COPY db/migrations /db/migrations
        CMD ["routes"]
        """)
    c.h("db/migrations/00012_stop_route_index.sql", """
        -- +goose NO TRANSACTION
        -- +goose Up
        CREATE INDEX CONCURRENTLY IF NOT EXISTS stops_route_id_idx ON stops (route_id);

        -- +goose Down
        DROP INDEX CONCURRENTLY IF EXISTS stops_route_id_idx;
        """)
    p = c.prod("840015527736", "eu-west-1")
    db = p.rds("routes-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.xlarge")
    dep = p.k8s("prod", "delivery", "deployment", "routes", replicas=4)
    gh = p.github("pelican/routes")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 52, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 47, amp=.3, spikes=2)
    p.db(db, "postgres", "15.6",
         [("public", "stops", 29_300_000, 4_900_000_000, 17.0, 51.0)],
         [("public", "stops", "stops_pkey", "CREATE UNIQUE INDEX stops_pkey ON public.stops USING btree (id)", 180_000, 660_000_000)],
         {"lock_timeout": "0"}, applied_migrations=["9", "10", "11"], longest_transaction_s=3.5)


@case("knex-wishlists-new-table")
def _(c):
    c.meta("Indexes on a table that the same migration creates", "db-migration", "go", "refuted",
           "Two CREATE INDEX without CONCURRENTLY and a NOT NULL change, but on wishlist_items, created a few lines above in the same Knex migration: the table is empty and nobody can wait for it.",
           "None needed.", common("index on a new table"), True)
    c.pr("Wishlists", """
         Tables and endpoints of the wishlist. Behind the flag `wishlist`, off for now.
         """, ["wishlist tables", "wishlist endpoints"], "g-marchetti", "sedge/catalog", 802)
    c.f("package.json", """
        {
          "name": "catalog",
          "scripts": {"start": "knex migrate:latest && node src/server.js", "test": "node --test"},
          "dependencies": {"express": "4.19.2", "knex": "3.1.0", "pg": "8.11.5"}
        }
        """)
    c.f("knexfile.js", """
        module.exports = {
          client: "pg",
          connection: process.env.DATABASE_URL,
          migrations: { directory: "./migrations" },
        };
        """)
    c.f("migrations/20260114120000_products.js", """
        exports.up = (knex) =>
          knex.schema.createTable("products", (t) => {
            t.bigIncrements("id");
            t.text("title").notNullable();
          });

        exports.down = (knex) => knex.schema.dropTable("products");
        """)
    c.f("src/server.js", """
        const express = require("express");
        const { db } = require("./db");

        const app = express();
        app.use(express.json());
        app.get("/products/:id", async (req, res) => res.json(await db("products").where({ id: req.params.id }).first()));
        app.listen(8080);
        """)
    c.f("src/db.js", """
        const knex = require("knex");

        exports.db = knex(require("../knexfile"));
        """)
    c.h("migrations/20260507090000_wishlist_items.js", """
        exports.up = async (knex) => {
          await knex.schema.createTable("wishlist_items", (t) => {
            t.bigIncrements("id");
            t.bigInteger("customer_id");
            t.bigInteger("product_id").notNullable();
            t.timestamp("added_at").notNullable().defaultTo(knex.fn.now());
          });
          await knex.raw("CREATE INDEX wishlist_items_customer_idx ON wishlist_items (customer_id)");
          await knex.raw("CREATE UNIQUE INDEX wishlist_items_once_idx ON wishlist_items (customer_id, product_id)");
          await knex.raw("ALTER TABLE wishlist_items ALTER COLUMN customer_id SET NOT NULL");
        };

        exports.down = (knex) => knex.schema.dropTable("wishlist_items");
        """)
    c.h("src/wishlist.js", """
        const express = require("express");
        const { db } = require("./db");

        const router = express.Router();
        router.post("/wishlist", async (req, res) => {
          const [row] = await db("wishlist_items").insert({ customer_id: req.body.customer, product_id: req.body.product }).returning(["id"]);
          res.status(201).json(row);
        });

        module.exports = router;
        """)
    c.patch("src/server.js", ("app.listen(8080);", 'if (process.env.WISHLIST === "on") app.use(require("./wishlist"));\napp.listen(8080);'))
    p = c.prod("730046118259", "eu-west-2")
    db = p.rds("catalog-pg", engine="postgres", engine_version="15.4", instance_class="db.r6g.xlarge")
    svc = p.ecs("shop", "catalog", desired_count=6, environment_keys=["DATABASE_URL", "NODE_ENV"])
    gh = p.github("sedge/catalog")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 310, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 73, amp=.2, hi=97)
    p.metric(db, "DatabaseConnections", "Count", diurnal, 118, amp=.2, ints=True)
    p.db(db, "postgres", "15.4",
         [("public", "products", 2_400_000, 1_900_000_000, 4.0, 980.0)],
         [("public", "products", "products_pkey", "CREATE UNIQUE INDEX products_pkey ON public.products USING btree (id)", 1_300_000, 50_000_000)],
         {"lock_timeout": "0"}, applied_migrations=["20260114120000_products.js"])


@case("sensor-samples-index-unknown-size")
def _(c):
    c.meta("CREATE INDEX without CONCURRENTLY on a table of unknown size", "db-migration", "go", "plausible",
           "The index on samples is built without CONCURRENTLY and would block its writes for as long as the build takes, but the snapshot has no statistics of this database: neither rows nor write rate are known.",
           "Use CREATE INDEX CONCURRENTLY in a file with NO TRANSACTION, or look up the size first.",
           common("CREATE INDEX, no statistics"))
    c.pr("Index samples by device", """
         The device page needs the last sample quickly.
         """, ["index samples(device_id, at)"], "a-bellweather", "gridline/telemetry", 77)
    c.f("go.mod", """
        module example.org/gridline/telemetry

        go 1.22

        require github.com/pressly/goose/v3 v3.20.0
        """)
    c.f("migrations/0003_device_model.sql", """
        -- +goose Up
        ALTER TABLE devices ADD COLUMN model text;

        -- +goose Down
        ALTER TABLE devices DROP COLUMN model;
        """)
    c.f("internal/samples/last.go", """
        package samples

        import (
        	"context"
        	"database/sql"
        )

        func Last(ctx context.Context, db *sql.DB, device int64) (v float64, err error) {
        	err = db.QueryRowContext(ctx, "SELECT value FROM samples WHERE device_id = $1 ORDER BY at DESC LIMIT 1", device).Scan(&v)
        	return v, err
        }

        func Add(ctx context.Context, db *sql.DB, device int64, v float64) error {
        	_, err := db.ExecContext(ctx, "INSERT INTO samples (device_id, value) VALUES ($1, $2)", device, v)
        	return err
        }
        """)
    c.f(".github/workflows/deploy.yml", """
        name: deploy
        on:
          push:
            branches: [main]
        jobs:
          deploy:
            runs-on: ubuntu-22.04
            steps:
              - uses: actions/checkout@v4
              - run: goose -dir migrations postgres "$DATABASE_URL" up
                env:
                  DATABASE_URL: ${{ secrets.DATABASE_URL }}
              - run: gcloud run deploy telemetry --source . --region europe-west4
        """)
    c.h("migrations/0004_samples_device_index.sql", """
        -- +goose Up
        CREATE INDEX samples_device_at_idx ON samples (device_id, at DESC);

        -- +goose Down
        DROP INDEX samples_device_at_idx;
        """)
    p = c.prod("gridline-prod", "europe-west4")
    db = p.res("gcp:sql:gridline-prod/telemetry", "gcp.sql.instance", "telemetry", engine="postgres", engine_version="15.5")
    svc = p.res("gcp:run:gridline-prod/telemetry", "gcp.run.service", "telemetry", min_instances=2)
    gh = p.github("gridline/telemetry")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "memory_utilization", "Percent", flat, 48, noise=.05)
    c.culprit("migrations/0004_samples_device_index.sql", "CREATE INDEX samples_device_at_idx", db, alt_resources=[svc])


@case("merchant-ref-unique-duplicates")
def _(c):
    c.meta("Unique index on a column that holds duplicates", "db-migration", "no-go", "confirmed",
           "The nightly check logs 1,204 duplicated external_ref in merchants, so CREATE UNIQUE INDEX CONCURRENTLY fails with 23505; migrate deploy exits non-zero, new tasks cannot start, and an INVALID index is left behind.",
           "Resolve the duplicates first, then build the index.",
           common("constraint that existing rows violate"))
    c.pr("external_ref is unique", """
         Two imports must never create the same merchant. Built concurrently; there should not be any duplicates since the importer was fixed in February.
         """, ["merchants: unique external_ref"], "d-halvorsen", "tallow/merchants", 302)
    c.f("package.json", """
        {
          "name": "merchants",
          "scripts": {"start": "sequelize-cli db:migrate && node src/index.js"},
          "dependencies": {"pg": "8.11.5", "sequelize": "6.37.3", "sequelize-cli": "6.6.2"}
        }
        """)
    c.f("migrations/20260120100000-merchant-country.js", """
        module.exports = {
          up: (qi, S) => qi.addColumn("merchants", "country", { type: S.STRING(2) }),
          down: (qi) => qi.removeColumn("merchants", "country"),
        };
        """)
    c.f("src/importer.js", """
        const { Merchant } = require("./models");

        async function importMerchant(row) {
          const found = await Merchant.findOne({ where: { external_ref: row.ref } });
          return found ? found.update(row) : Merchant.create({ external_ref: row.ref, name: row.name });
        }

        module.exports = { importMerchant };
        """)
    c.f("src/models.js", """
        const { DataTypes, Sequelize } = require("sequelize");

        const sequelize = new Sequelize(process.env.DATABASE_URL);
        const Merchant = sequelize.define("merchant", {
          external_ref: DataTypes.STRING,
          name: DataTypes.STRING,
        });

        module.exports = { sequelize, Merchant };
        """)
    c.f("src/index.js", """
        const http = require("node:http");
        const { importMerchant } = require("./importer");

        http
          .createServer(async (req, res) => {
            let body = "";
            for await (const chunk of req) body += chunk;
            await importMerchant(JSON.parse(body));
            res.writeHead(204).end();
          })
          .listen(8080);
        """)
    c.f("infra/service.tf", """
        resource "aws_ecs_service" "merchants" {
          name                               = "merchants"
          cluster                            = "core"
          desired_count                      = 3
          deployment_minimum_healthy_percent = 50
        }
        """)
    c.h("migrations/20260508100000-merchant-ref-unique.js", """
        module.exports = {
          up: (qi) =>
            qi.sequelize.query('CREATE UNIQUE INDEX CONCURRENTLY merchants_external_ref_key ON merchants (external_ref)'),
          down: (qi) => qi.sequelize.query('DROP INDEX CONCURRENTLY merchants_external_ref_key'),
        };
        """)
    p = c.prod("418820073311", "eu-central-1")
    db = p.rds("merchants-pg", engine="postgres", engine_version="15.6", instance_class="db.m6g.large")
    svc = p.ecs("core", "merchants", desired_count=3)
    dq = p.lam("data-quality", runtime="python3.12", timeout_s=300)
    gh = p.github("tallow/merchants")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to"); p.edge(dq, db, "reads_from")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 7, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 18, amp=.3)
    p.db(db, "postgres", "15.6",
         [("public", "merchants", 940_000, 410_000_000, 6.2, 38.0, {"columns": [
             {"name": "id", "type": "integer", "nullable": False}, {"name": "external_ref", "type": "character varying(255)", "nullable": True, "null_fraction": 0.0, "n_distinct": 938_600}]})],
         [("public", "merchants", "merchants_pkey", "CREATE UNIQUE INDEX merchants_pkey ON public.merchants USING btree (id)", 22_000, 21_000_000)], {})
    for day in range(7):
        p.log(END - timedelta(days=day, hours=21), dq, "WARN", f"check merchants.external_ref unique: {1204 - 3 * day} values occur more than once (table merchants)")
        p.log(END - timedelta(days=day, hours=21, minutes=-1), dq, "INFO", "check merchants.country in ISO 3166: ok")
    c.culprit("migrations/20260508100000-merchant-ref-unique.js", "CREATE UNIQUE INDEX CONCURRENTLY", db, alt_resources=[svc])


@case("vehicle-plate-unique-unknown")
def _(c):
    c.meta("Unique constraint without any data about duplicates", "db-migration", "go", "plausible",
           "UNIQUE (plate, country) fails with 23505 and stops the deploy if any pair occurs twice; the table is small and quiet, but the snapshot has nothing about its values and the old form never checked for duplicates.",
           "Count duplicates on a replica before merging.",
           common("unique constraint, duplicates unknown"))
    c.pr("A plate exists once per country", """
         The form refuses duplicates as of this release; the database should too.
         """, ["vehicles: unique(plate, country)", "form validation"], "v-petrosyan", "harbor/fleet", 61)
    c.f("requirements.txt", """
        django==5.0.6
        psycopg[binary]==3.1.19
        """)
    c.f("fleet/models.py", """
        from django.db import models


        class Vehicle(models.Model):
            plate = models.CharField(max_length=16)
            country = models.CharField(max_length=2)
            model = models.CharField(max_length=80)
        """)
    c.f("fleet/forms.py", """
        from django import forms

        from .models import Vehicle


        class VehicleForm(forms.ModelForm):
            class Meta:
                model = Vehicle
                fields = ["plate", "country", "model"]
        """)
    c.f("fleet/migrations/0007_vehicle_model.py", """
        from django.db import migrations, models


        class Migration(migrations.Migration):
            dependencies = [("fleet", "0006_vehicle")]

            operations = [migrations.AddField("vehicle", "model", models.CharField(max_length=80, default=""))]
        """)
    c.f("entrypoint.sh", """
        #!/bin/sh
        set -e
        python manage.py migrate --noinput
        exec gunicorn config.wsgi
        """)
    c.patch("fleet/models.py", ("    model = models.CharField(max_length=80)\n", """    model = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["plate", "country"], name="vehicle_plate_once")]
"""))
    c.h("fleet/migrations/0008_vehicle_plate_once.py", """
        from django.db import migrations, models


        class Migration(migrations.Migration):
            dependencies = [("fleet", "0007_vehicle_model")]

            operations = [
                migrations.AddConstraint(
                    model_name="vehicle",
                    constraint=models.UniqueConstraint(fields=("plate", "country"), name="vehicle_plate_once"),
                ),
            ]
        """)
    p = c.prod("205530778812", "ap-northeast-1")
    db = p.rds("fleet-pg", engine="postgres", engine_version="16.2", instance_class="db.t4g.medium")
    svc = p.ecs("core", "fleet", desired_count=2)
    gh = p.github("harbor/fleet")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 3, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 11, amp=.3)
    p.db(db, "postgres", "16.2",
         [("public", "fleet_vehicle", 21_400, 5_100_000, 0.05, 6.0)],
         [("public", "fleet_vehicle", "fleet_vehicle_pkey", "CREATE UNIQUE INDEX fleet_vehicle_pkey ON public.fleet_vehicle USING btree (id)", 9_000, 500_000)], {})
    c.culprit("fleet/migrations/0008_vehicle_plate_once.py", "migrations.AddConstraint(", db,
              alt=[("fleet/migrations/0008_vehicle_plate_once.py", "constraint=models.UniqueConstraint"), ("fleet/models.py", "models.UniqueConstraint(")], alt_resources=[svc])


@case("seats-label-not-null-has-nulls")
def _(c):
    c.meta("SET NOT NULL while a share of the rows is null", "db-migration", "no-go", "confirmed",
           "pg_stats says that 3.1% of seats.label are null, so SET NOT NULL fails with 23502; flyway runs at boot, so every new task dies and the release cannot go out; SeatImport would break next, it inserts seats without a label.",
           "Backfill the nulls, make the code write a label, and only then add the constraint.",
           common("constraint that existing rows violate"))
    c.pr("Seats have labels", """
         The seat map sorts by label; null labels made a mess of it. Now the database guarantees one.
         """, ["V12: seats.label not null", "sort by label"], "n-castellan", "harbor/venues", 419)
    c.f("pom.xml", """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>com.harbor</groupId>
          <artifactId>venues</artifactId>
          <version>2.7.0</version>
          <dependencies>
            <dependency><groupId>org.flywaydb</groupId><artifactId>flyway-core</artifactId><version>9.22.3</version></dependency>
          </dependencies>
        </project>
        """)
    c.f("src/main/resources/db/migration/V11__seats.sql", """
        CREATE TABLE seats (
            id bigserial PRIMARY KEY,
            venue_id bigint NOT NULL,
            row_no int NOT NULL,
            label text
        );
        """)
    c.f("src/main/java/com/harbor/venues/SeatMap.java", """
        package com.harbor.venues;

        import java.util.List;
        import org.springframework.jdbc.core.JdbcTemplate;

        public class SeatMap {
            private final JdbcTemplate jdbc;

            public SeatMap(JdbcTemplate jdbc) {
                this.jdbc = jdbc;
            }

            public List<String> labels(long venue) {
                return jdbc.queryForList("SELECT label FROM seats WHERE venue_id = ? ORDER BY row_no", String.class, venue);
            }
        }
        """)
    c.f("src/main/java/com/harbor/venues/SeatImport.java", """
        package com.harbor.venues;

        import org.springframework.jdbc.core.JdbcTemplate;

        public class SeatImport {
            private final JdbcTemplate jdbc;

            public SeatImport(JdbcTemplate jdbc) {
                this.jdbc = jdbc;
            }

            public void addRow(long venue, int row, int count) {
                for (int i = 0; i < count; i++) {
                    jdbc.update("INSERT INTO seats (venue_id, row_no) VALUES (?, ?)", venue, row);
                }
            }
        }
        """)
    c.f("src/main/resources/application.properties", """
        spring.datasource.url=${JDBC_URL}
        spring.flyway.enabled=true
        """)
    c.h("src/main/resources/db/migration/V12__seat_label.sql", """
        ALTER TABLE seats ALTER COLUMN label SET NOT NULL;
        """)
    c.patch("src/main/java/com/harbor/venues/SeatMap.java", ("ORDER BY row_no", "ORDER BY row_no, label"))
    p = c.prod("205530778812", "ap-northeast-1")
    db = p.rds("venues-pg", engine="postgres", engine_version="14.11", instance_class="db.t4g.large")
    svc = p.ecs("core", "venues", desired_count=3)
    gh = p.github("harbor/venues")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 24, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 15, amp=.3)
    p.db(db, "postgres", "14.11",
         [("public", "seats", 186_000, 21_000_000, 0.4, 55.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "venue_id", "type": "bigint", "nullable": False},
             {"name": "row_no", "type": "integer", "nullable": False}, {"name": "label", "type": "text", "nullable": True, "null_fraction": 0.031}]})],
         [("public", "seats", "seats_pkey", "CREATE UNIQUE INDEX seats_pkey ON public.seats USING btree (id)", 1_100, 4_000_000)],
         {}, constraints=[], applied_migrations=["10", "11"])
    c.culprit("src/main/resources/db/migration/V12__seat_label.sql", "SET NOT NULL", db, alt_resources=[svc])


# ---------------------------------------------------------------------------------------------
# Dropped indexes, columns, tables
# ---------------------------------------------------------------------------------------------

def _desk(c, index_field, other_field, service):
    c.f("requirements.txt", """
        django==5.0.6
        psycopg[binary]==3.1.19
        gunicorn==22.0.0
        """)
    c.f("desk/models.py", """
        from django.db import models


        class Ticket(models.Model):
            requester = models.CharField(max_length=254)
            channel = models.CharField(max_length=20)
            state = models.CharField(max_length=12)
            opened_at = models.DateTimeField(auto_now_add=True)

            class Meta:
                indexes = [
                    models.Index(fields=["requester"], name="ticket_requester_idx"),
                    models.Index(fields=["channel"], name="ticket_channel_idx"),
                ]
        """)
    c.f("desk/views.py", """
        from django.http import JsonResponse

        from .models import Ticket


        def mine(request):
            rows = Ticket.objects.filter(requester=request.user.email).values("id", "state")
            return JsonResponse({"tickets": list(rows)})


        def open_ticket(request):
            ticket = Ticket.objects.create(requester=request.user.email, channel="web", state="new")
            return JsonResponse({"id": ticket.pk}, status=201)
        """)
    c.f("desk/migrations/0030_ticket_indexes.py", """
        from django.contrib.postgres.operations import AddIndexConcurrently
        from django.db import migrations, models


        class Migration(migrations.Migration):
            atomic = False
            dependencies = [("desk", "0029_ticket")]

            operations = [
                AddIndexConcurrently("ticket", models.Index(fields=["requester"], name="ticket_requester_idx")),
                AddIndexConcurrently("ticket", models.Index(fields=["channel"], name="ticket_channel_idx")),
            ]
        """)
    c.f("Procfile", """
        release: python manage.py migrate --noinput
        web: gunicorn config.wsgi
        """)
    c.f(f"infra/{service}.tf", f"""
        resource "aws_ecs_service" "web" {{
          name          = "{service}"
          cluster       = "support"
          desired_count = 4
        }}
        """)
    c.patch("desk/models.py", (f'            models.Index(fields=["{index_field}"], name="ticket_{index_field}_idx"),\n', ""))
    c.h(f"desk/migrations/0031_drop_ticket_{index_field}_idx.py", f"""
        from django.contrib.postgres.operations import RemoveIndexConcurrently
        from django.db import migrations


        class Migration(migrations.Migration):
            atomic = False
            dependencies = [("desk", "0030_ticket_indexes")]

            operations = [
                RemoveIndexConcurrently("ticket", "ticket_{index_field}_idx"),
            ]
        """)


@case("tickets-requester-index-removed")
def _(c):
    c.meta("Index removed that serves the most frequent query of the help desk", "db-migration", "no-go", "confirmed",
           "ticket_requester_idx is scanned 88,400 times an hour by the 'my tickets' page; without it every call scans 21M rows (9 GB) and the database saturates.",
           "Keep the index; drop only those with no scans.",
           common("index dropped that is used"))
    c.pr("Drop an index of desk_ticket", """
         Writes to desk_ticket carry two secondary indexes. Searching goes through OpenSearch since the spring, so this one can go. Dropped concurrently.
         """, ["drop ticket_requester_idx"], "p-wexler", "quarry/desk", 210)
    _desk(c, "requester", "channel", "desk-web")
    p = c.prod("129944017756", "us-west-2")
    db = p.rds("desk-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.xlarge")
    svc = p.ecs("support", "desk-web", desired_count=4)
    gh = p.github("quarry/desk")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 39, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 31, amp=.3)
    p.db(db, "postgres", "15.6",
         [("public", "desk_ticket", 21_300_000, 9_100_000_000, 12.0, 27.0)],
         [("public", "desk_ticket", "ticket_requester_idx", "CREATE INDEX ticket_requester_idx ON public.desk_ticket USING btree (requester)", 88_400, 720_000_000),
          ("public", "desk_ticket", "ticket_channel_idx", "CREATE INDEX ticket_channel_idx ON public.desk_ticket USING btree (channel)", 0, 150_000_000)],
         {"lock_timeout": "0"}, stats_reset="2026-01-02T00:00:00Z")
    c.culprit("desk/migrations/0031_drop_ticket_requester_idx.py", 'RemoveIndexConcurrently("ticket"', db,
              alt=[("desk/views.py", "filter(requester=request.user.email)"), ("desk/models.py", "indexes = [")], alt_resources=[svc],
              deleted=[("desk/models.py", 'name="ticket_requester_idx"')])


@case("tickets-channel-index-removed")
def _(c):
    c.meta("Index removed that has had no scan for months", "db-migration", "go", "refuted",
           "Dropping an index of a 23M row table that is read 30 times a second looks dangerous, but ticket_channel_idx had 0 scans since the statistics were reset in January, no code filters by channel, and it is dropped concurrently.",
           "None needed.", common("unused index dropped"))
    c.pr("Drop an index of desk_ticket", """
         Writes to desk_ticket carry two secondary indexes. The channel report is gone since last year. Dropped concurrently.
         """, ["drop ticket_channel_idx"], "p-wexler", "quarry/desk-emea", 211)
    _desk(c, "channel", "requester", "desk-emea-web")
    p = c.prod("129944017756", "eu-west-1")
    db = p.rds("desk-emea-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.xlarge")
    svc = p.ecs("support", "desk-emea-web", desired_count=4)
    gh = p.github("quarry/desk-emea")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 42, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 63, amp=.3, hi=96)
    p.db(db, "postgres", "15.6",
         [("public", "desk_ticket", 23_100_000, 9_700_000_000, 13.0, 30.0)],
         [("public", "desk_ticket", "ticket_requester_idx", "CREATE INDEX ticket_requester_idx ON public.desk_ticket USING btree (requester)", 94_100, 790_000_000),
          ("public", "desk_ticket", "ticket_channel_idx", "CREATE INDEX ticket_channel_idx ON public.desk_ticket USING btree (channel)", 0, 160_000_000)],
         {"lock_timeout": "0"}, stats_reset="2026-01-02T00:00:00Z", longest_transaction_s=4.0)


def _players(c, ignored):
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "rails", "~> 7.1.3"
        gem "pg"
        gem "puma"
        """)
    c.f("app/models/player.rb", f"""
        class Player < ApplicationRecord
          {'self.ignored_columns += ["legacy_score"]' if ignored else 'validates :legacy_score, numericality: true, allow_nil: true'}
          validates :handle, presence: true
        end
        """)
    c.f("app/controllers/players_controller.rb", """
        class PlayersController < ApplicationController
          def create
            player = Player.create!(handle: params.require(:handle), rating: 1000)
            render json: player.slice(:id, :handle, :rating), status: :created
          end

          def update
            Player.find(params[:id]).update!(params.permit(:handle, :rating))
            head :no_content
          end
        end
        """)
    c.f("db/migrate/20250901080000_create_players.rb", """
        class CreatePlayers < ActiveRecord::Migration[7.1]
          def change
            create_table :players do |t|
              t.string :handle, null: false
              t.integer :rating, null: false
              t.integer :legacy_score, default: 0
              t.timestamps
            end
          end
        end
        """)
    c.f("config/database.yml", """
        production:
          adapter: postgresql
          url: <%= ENV["DATABASE_URL"] %>
          variables:
            lock_timeout: 4s
        """)


@case("players-legacy-score-dropped")
def _(c):
    c.meta("Column dropped before the rollout while deployed Rails processes still write it", "db-migration", "no-go", "confirmed",
           "The pre-sync job drops players.legacy_score before the pods are replaced. The deployed model has no ignored_columns, so Active Record has the column in its cache and writes its default in every INSERT: "
           "37 writes/s of players fail with 42703 until the rolling update of 12 pods is through, and a rollback fails for good.",
           "Release ignored_columns += [\"legacy_score\"] first and drop the column in the next release.",
           common("drop column without ignored_columns"), True)
    c.pr("Remove legacy_score", """
         Nobody looks at the old score. Removes the validation and the column; the lock is short and has a timeout.
         """, ["player: no legacy_score", "drop players.legacy_score"], "z-moreau", "fathom/arena", 655)
    _players(c, False)
    c.f("deploy/arena.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: arena
          namespace: games
        spec:
          replicas: 12
          strategy:
            rollingUpdate: {maxSurge: 1, maxUnavailable: 0}
          selector: {matchLabels: {app: arena}}
          template:
            metadata: {labels: {app: arena}}
            spec:
              containers:
                - name: web
                  image: registry.fathom.example/arena:2026.18
        """)
    c.f("deploy/migrate.yaml", """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: arena-migrate
          namespace: games
          annotations:
            argocd.argoproj.io/hook: PreSync
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: migrate
                  image: registry.fathom.example/arena:2026.18
                  command: ["bin/rails", "db:migrate"]
        """)
    c.patch("app/models/player.rb", ("  validates :legacy_score, numericality: true, allow_nil: true\n", ""))
    c.h("db/migrate/20260508070000_remove_legacy_score.rb", """
        class RemoveLegacyScore < ActiveRecord::Migration[7.1]
          def change
            remove_column :players, :legacy_score, :integer, default: 0
          end
        end
        """)
    p = c.prod("471120093384", "us-east-1")
    db = p.rds("arena-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.xlarge")
    dep = p.k8s("prod", "games", "deployment", "arena", replicas=12, image="registry.fathom.example/arena:2026.17")
    gh = p.github("fathom/arena")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 320, amp=.35, weekend=1.3)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 35, amp=.3)
    p.db(db, "postgres", "15.6",
         [("public", "players", 3_900_000, 820_000_000, 37.0, 290.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "handle", "type": "character varying", "nullable": False},
             {"name": "rating", "type": "integer", "nullable": False}, {"name": "legacy_score", "type": "integer", "nullable": True}]})],
         [("public", "players", "players_pkey", "CREATE UNIQUE INDEX players_pkey ON public.players USING btree (id)", 880_000, 88_000_000)],
         {"lock_timeout": "4s"})
    p.logs_from(dep, 160, lambda r, at, i: f'Player Create (0.9ms)  INSERT INTO "players" ("handle", "rating", "legacy_score", "created_at", "updated_at") VALUES ($1, $2, $3, $4, $5) RETURNING "id"  request={r.integers(1e8, 1e9)}', days=1)
    c.culprit("db/migrate/20260508070000_remove_legacy_score.rb", "remove_column :players, :legacy_score", db, alt_resources=[dep],
              deleted=[("app/models/player.rb", "validates :legacy_score")])


@case("players-legacy-score-ignored")
def _(c):
    c.meta("Column dropped one release after ignored_columns went live", "db-migration", "go", "refuted",
           "Dropping a column of a table with 33 writes/s breaks old processes in general, but the deployed model already ignores legacy_score, statements in the log no longer name it, nothing else reads it, and lock_timeout is set.",
           "None needed.", common("drop column after ignored_columns"))
    c.pr("Remove legacy_score, part 2", """
         Part 1 (ignored_columns) is out since 22 April.
         """, ["drop players.legacy_score"], "z-moreau", "fathom/leagues", 656)
    _players(c, True)
    c.f("deploy/migrate.yaml", """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: leagues-migrate
          namespace: games
          annotations:
            argocd.argoproj.io/hook: PreSync
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: migrate
                  image: registry.fathom.example/leagues:2026.18
                  command: ["bin/rails", "db:migrate"]
        """)
    c.h("db/migrate/20260508070000_remove_legacy_score.rb", """
        class RemoveLegacyScore < ActiveRecord::Migration[7.1]
          def change
            remove_column :players, :legacy_score, :integer, default: 0
          end
        end
        """)
    p = c.prod("471120093384", "us-east-1")
    db = p.rds("leagues-pg", engine="postgres", engine_version="15.6", instance_class="db.r6g.xlarge")
    dep = p.k8s("prod", "games", "deployment", "leagues", replicas=9, image="registry.fathom.example/leagues:2026.17")
    gh = p.github("fathom/leagues")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 280, amp=.35, weekend=1.3)
    p.metric(dep, "http_error_ratio", "Percent", diurnal, 1.1, amp=.5, noise=.2)
    p.db(db, "postgres", "15.6",
         [("public", "players", 3_600_000, 760_000_000, 33.0, 260.0, {"columns": [
             {"name": "id", "type": "bigint", "nullable": False}, {"name": "handle", "type": "character varying", "nullable": False},
             {"name": "rating", "type": "integer", "nullable": False}, {"name": "legacy_score", "type": "integer", "nullable": True}]})],
         [("public", "players", "players_pkey", "CREATE UNIQUE INDEX players_pkey ON public.players USING btree (id)", 810_000, 80_000_000)],
         {"lock_timeout": "4s"}, longest_transaction_s=0.8)
    p.logs_from(dep, 160, lambda r, at, i: f'Player Create (0.9ms)  INSERT INTO "players" ("handle", "rating", "created_at", "updated_at") VALUES ($1, $2, $3, $4) RETURNING "id"  request={r.integers(1e8, 1e9)}', days=1)


def _courier_tables(c, old, service):
    c.f("go.mod", f"""
        module example.org/pelican/{service}

        go 1.22

        require (
        	github.com/golang-migrate/migrate/v4 v4.17.1
        	github.com/lib/pq v1.10.9
        )
        """)
    c.f("migrations/000006_contact.up.sql", f"""
        ALTER TABLE {old} ADD COLUMN contact text;
        """)
    c.f("migrations/000006_contact.down.sql", f"""
        ALTER TABLE {old} DROP COLUMN contact;
        """)
    c.f("internal/api/list.go", f"""
        package api

        import (
        	"context"
        	"database/sql"
        )

        func List(ctx context.Context, db *sql.DB) (*sql.Rows, error) {{
        	return db.QueryContext(ctx, "SELECT id, name FROM {old} WHERE active")
        }}
        """)
    c.f("internal/billing/worker.go", f"""
        package billing

        import (
        	"context"
        	"database/sql"
        )

        const feeQuery = `SELECT name, fee FROM {old} WHERE id = $1`

        func Fee(ctx context.Context, db *sql.DB, id int64) (name string, fee int64, err error) {{
        	err = db.QueryRowContext(ctx, feeQuery, id).Scan(&name, &fee)
        	return
        }}
        """)
    c.f("docker-compose.prod.yml", f"""
        services:
          migrate:
            image: registry.pelican.example/{service}:latest
            command: ["migrate", "-path", "/migrations", "-database", "${{DATABASE_URL}}", "up"]
          api:
            image: registry.pelican.example/{service}:latest
            depends_on:
              migrate: {{condition: service_completed_successfully}}
          billing:
            image: registry.pelican.example/{service}:latest
            command: ["billing"]
        """)


@case("carriers-table-rename")
def _(c):
    c.meta("Table renamed while the billing worker still reads the old name", "db-migration", "no-go", "confirmed",
           "carriers becomes transport_partners, the API query was changed, but internal/billing/worker.go still selects FROM carriers; every fee lookup (about 46/s) fails with 42P01 from the moment of the migration.",
           "Leave a view with the old name in place, change every reader, drop the view later.",
           common("table renamed, reader left behind"))
    c.pr("carriers are transport partners now", """
         Follows the glossary of the domain team. Pure rename.
         """, ["rename table", "api: new name"], "y-okafor", "pelican/partners", 149)
    _courier_tables(c, "carriers", "partners")
    c.h("migrations/000007_transport_partners.up.sql", """
        ALTER TABLE carriers RENAME TO transport_partners;
        """)
    c.h("migrations/000007_transport_partners.down.sql", """
        ALTER TABLE transport_partners RENAME TO carriers;
        """)
    c.patch("internal/api/list.go", ("FROM carriers", "FROM transport_partners"))
    p = c.prod("840015527736", "eu-west-1")
    db = p.rds("partners-pg", engine="postgres", engine_version="15.6")
    api = p.ecs("delivery", "partners-api", desired_count=3); bill = p.ecs("delivery", "partners-billing", desired_count=2)
    gh = p.github("pelican/partners")
    p.edge(gh, api, "deploys_to"); p.edge(gh, bill, "deploys_to"); p.edge(api, db, "reads_from"); p.edge(bill, db, "reads_from")
    p.metric(bill, "FeeLookupsPerSecond", "Count/Second", diurnal, 46, amp=.4)
    p.metric(api, "RequestCountPerSecond", "Count/Second", diurnal, 5, amp=.4)
    p.db(db, "postgres", "15.6", [("public", "carriers", 4_100, 1_200_000, 0.01, 51.0)],
         [("public", "carriers", "carriers_pkey", "CREATE UNIQUE INDEX carriers_pkey ON public.carriers USING btree (id)", 165_000, 110_000)],
         {}, applied_migrations=["5", "6"])
    c.culprit("migrations/000007_transport_partners.up.sql", "RENAME TO transport_partners", db,
              alt=[("internal/billing/worker.go", "FROM carriers"), ("internal/api/list.go", "FROM transport_partners")], alt_resources=[bill])


@case("vendors-table-rename-view")
def _(c):
    c.meta("Table renamed with an updatable view under the old name", "db-migration", "go", "refuted",
           "The rename would break the billing worker and the running API, but the same migration, in one transaction, leaves a view vendors over the renamed table; old SELECTs go on working and the table has 3,800 rows.",
           "None needed.", common("table renamed behind a view"), True)
    c.pr("vendors are supply partners now", """
         Follows the glossary of the domain team. The view goes in the release after next.
         """, ["rename table, keep view", "api: new name"], "y-okafor", "pelican/suppliers", 150)
    _courier_tables(c, "vendors", "suppliers")
    c.h("migrations/000007_supply_partners.up.sql", """
        BEGIN;
        SET LOCAL lock_timeout = '2s';
        ALTER TABLE vendors RENAME TO supply_partners;
        CREATE VIEW vendors AS SELECT * FROM supply_partners;
        COMMIT;
        """)
    c.h("migrations/000007_supply_partners.down.sql", """
        BEGIN;
        DROP VIEW vendors;
        ALTER TABLE supply_partners RENAME TO vendors;
        COMMIT;
        """)
    c.patch("internal/api/list.go", ("FROM vendors", "FROM supply_partners"))
    p = c.prod("840015527736", "eu-west-1")
    db = p.rds("suppliers-pg", engine="postgres", engine_version="15.6")
    api = p.ecs("delivery", "suppliers-api", desired_count=3); bill = p.ecs("delivery", "suppliers-billing", desired_count=2)
    gh = p.github("pelican/suppliers")
    p.edge(gh, api, "deploys_to"); p.edge(gh, bill, "deploys_to"); p.edge(api, db, "reads_from"); p.edge(bill, db, "reads_from")
    p.metric(bill, "FeeLookupsPerSecond", "Count/Second", diurnal, 41, amp=.4)
    p.metric(api, "RequestCountPerSecond", "Count/Second", diurnal, 6, amp=.4)
    p.db(db, "postgres", "15.6", [("public", "vendors", 3_800, 1_100_000, 0.01, 47.0)],
         [("public", "vendors", "vendors_pkey", "CREATE UNIQUE INDEX vendors_pkey ON public.vendors USING btree (id)", 150_000, 110_000)],
         {}, applied_migrations=["5", "6"], longest_transaction_s=0.4)


@case("drop-old-sessions-table")
def _(c):
    c.meta("Table dropped that nothing has touched since the statistics began", "db-migration", "go", "refuted",
           "DROP TABLE sessions_v1 is irreversible, but the table has had 0 reads and 0 writes a second since November, its index 0 scans, no code names it and the PR says where the dump is.",
           "None needed.", common("unused table dropped"))
    c.pr("Drop sessions_v1", """
         Sessions live in Redis since October. Dump is in s3://fathom-archive/2026-05/sessions_v1.dump.
         """, ["drop sessions_v1"], "z-moreau", "fathom/identity", 88)
    c.f("package.json", """
        {"name": "identity", "scripts": {"start": "db-migrate up && node dist/main.js"}, "dependencies": {"db-migrate-pg": "1.5.2", "ioredis": "5.4.1", "pg": "8.11.5"}}
        """)
    c.f("migrations/20251020-users-seen.sql", """
        ALTER TABLE users ADD COLUMN seen_at timestamptz;
        """)
    c.f("src/session.ts", """
        import Redis from "ioredis";

        const redis = new Redis(process.env.REDIS_URL ?? "redis://localhost:6379");

        export const load = (id: string) => redis.get(`session:${id}`);
        export const save = (id: string, value: string) => redis.set(`session:${id}`, value, "EX", 86400);
        """)
    c.f("src/users.ts", """
        import { Pool } from "pg";

        const pool = new Pool({ connectionString: process.env.DATABASE_URL });

        export async function seen(id: number) {
          await pool.query("UPDATE users SET seen_at = now() WHERE id = $1", [id]);
        }
        """)
    c.f("infra/identity.tf", """
        resource "aws_ecs_service" "identity" {
          name          = "identity"
          cluster       = "core"
          desired_count = 5
        }
        """)
    c.h("migrations/20260506-drop-sessions-v1.sql", """
        SET lock_timeout = '2s';
        DROP TABLE sessions_v1;
        """)
    p = c.prod("471120093384", "us-east-1")
    db = p.rds("identity-pg", engine="postgres", engine_version="15.6"); svc = p.ecs("core", "identity", desired_count=5)
    rd = p.redis("identity-sessions", engine="redis", node_type="cache.r6g.large"); gh = p.github("fathom/identity")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to"); p.edge(svc, rd, "connects_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 410, amp=.35)
    p.metric(rd, "DatabaseMemoryUsagePercentage", "Percent", diurnal, 78, amp=.1, hi=95)
    p.db(db, "postgres", "15.6",
         [("public", "sessions_v1", 18_700_000, 6_300_000_000, 0.0, 0.0), ("public", "users", 2_900_000, 900_000_000, 55.0, 300.0)],
         [("public", "sessions_v1", "sessions_v1_pkey", "CREATE UNIQUE INDEX sessions_v1_pkey ON public.sessions_v1 USING btree (id)", 0, 800_000_000),
          ("public", "users", "users_pkey", "CREATE UNIQUE INDEX users_pkey ON public.users USING btree (id)", 1_100_000, 66_000_000)],
         {}, stats_reset="2025-11-03T00:00:00Z", constraints=[{"schema": "public", "table": "sessions_v1", "name": "sessions_v1_pkey", "type": "primary key", "definition": "PRIMARY KEY (id)", "validated": True}])


@case("suppliers-vat-id-narrowed")
def _(c):
    c.meta("varchar narrowed with no knowledge of the values", "db-migration", "go", "plausible",
           "vat_id goes from varchar(64) to varchar(16): the statement fails with 22001 if any value is longer, and the form accepts 64 characters today. The table is small, so no lock trouble, but the snapshot holds no lengths.",
           "SELECT max(length(vat_id)) on a replica, clean up, narrow afterwards.",
           common("type narrowing"))
    c.pr("VAT ids have at most 14 characters", """
         16 to be on the safe side. Saves us from the copy-paste mess of the sales team.
         """, ["suppliers: vat_id varchar(16)"], "e-fontaine", "quarry/procure", 36)
    c.f("requirements.txt", """
        flask==3.0.3
        sqlalchemy==2.0.30
        alembic==1.13.1
        """)
    c.f("migrations/versions/a7_supplier_iban.py", """
        import sqlalchemy as sa
        from alembic import op

        revision = "a7"
        down_revision = "a6"


        def upgrade():
            op.add_column("suppliers", sa.Column("iban", sa.String(34)))


        def downgrade():
            op.drop_column("suppliers", "iban")
        """)
    c.f("procure/models.py", """
        from sqlalchemy import String
        from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


        class Base(DeclarativeBase):
            pass


        class Supplier(Base):
            __tablename__ = "suppliers"
            id: Mapped[int] = mapped_column(primary_key=True)
            vat_id: Mapped[str | None] = mapped_column(String(64))
            iban: Mapped[str | None] = mapped_column(String(34))
        """)
    c.f("procure/forms.py", """
        MAX_VAT_ID = 64


        def clean_vat_id(value: str) -> str:
            value = value.strip()
            if len(value) > MAX_VAT_ID:
                raise ValueError("VAT id too long")
            return value
        """)
    c.f("Procfile", """
        release: alembic upgrade head
        web: gunicorn procure.app:app
        """)
    c.patch("procure/models.py", ("String(64)", "String(16)"))
    c.patch("procure/forms.py", ("MAX_VAT_ID = 64", "MAX_VAT_ID = 16"))
    c.h("migrations/versions/a8_supplier_vat_id.py", """
        import sqlalchemy as sa
        from alembic import op

        revision = "a8"
        down_revision = "a7"


        def upgrade():
            op.alter_column("suppliers", "vat_id", existing_type=sa.String(64), type_=sa.String(16))


        def downgrade():
            op.alter_column("suppliers", "vat_id", existing_type=sa.String(16), type_=sa.String(64))
        """)
    p = c.prod("129944017756", "us-west-2")
    db = p.rds("procure-pg", engine="postgres", engine_version="16.2"); svc = p.ecs("office", "procure", desired_count=2); gh = p.github("quarry/procure")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 2, amp=.6)
    p.db(db, "postgres", "16.2", [("public", "suppliers", 14_300, 4_400_000, 0.02, 3.0, {"columns": [
        {"name": "id", "type": "integer", "nullable": False}, {"name": "vat_id", "type": "character varying(64)", "nullable": True}, {"name": "iban", "type": "character varying(34)", "nullable": True}]})],
         [("public", "suppliers", "suppliers_pkey", "CREATE UNIQUE INDEX suppliers_pkey ON public.suppliers USING btree (id)", 5_000, 350_000)], {}, applied_migrations=["a7"])
    c.culprit("migrations/versions/a8_supplier_vat_id.py", "existing_type=sa.String(64), type_=sa.String(16)", db, alt=[("procure/models.py", "String(16)")], alt_resources=[svc])


# ---------------------------------------------------------------------------------------------
# Migration order
# ---------------------------------------------------------------------------------------------

def _manual_sql(c, table, column, service):
    c.f("package.json", f"""
        {{"name": "{service}", "scripts": {{"start": "node dist/server.js", "build": "tsc"}}, "dependencies": {{"express": "4.19.2", "pg": "8.11.5"}}, "devDependencies": {{"typescript": "5.4.5"}}}}
        """)
    c.f("README.md", f"""
        # {service}

        Database changes live in `manual-sql/`. A DBA runs them by hand; nothing applies them on deploy.
        """)
    c.f("manual-sql/2026-02-note.sql", f"""
        ALTER TABLE {table} ADD COLUMN note text;
        """)
    c.f("src/db.ts", """
        import { Pool } from "pg";

        export const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
        """)
    c.f("src/create.ts", f"""
        import {{ pool }} from "./db";

        export async function create(customer: number, total: number, note: string | null) {{
          const res = await pool.query("INSERT INTO {table} (customer_id, total, note) VALUES ($1, $2, $3) RETURNING id", [customer, total, note]);
          return res.rows[0].id as number;
        }}
        """)
    c.f("src/server.ts", """
        import express from "express";
        import { create } from "./create";

        const app = express();
        app.use(express.json());
        app.post("/", async (req, res) => {
          const id = await create(req.body.customer, req.body.total, req.body.note ?? null);
          res.status(201).json({ id });
        });
        app.listen(8080);
        """)
    c.f(".github/workflows/deploy.yml", f"""
        name: deploy
        on:
          push:
            branches: [main]
        jobs:
          deploy:
            runs-on: ubuntu-22.04
            steps:
              - uses: actions/checkout@v4
              - run: npm ci && npm run build
              - run: aws ecs update-service --cluster shop --service {service} --force-new-deployment
        """)
    c.h(f"manual-sql/2026-05-{column.replace('_', '-')}.sql", f"""
        ALTER TABLE {table} ADD COLUMN {column} text;
        """)
    c.h("src/create.ts", f"""
        import {{ pool }} from "./db";

        export async function create(customer: number, total: number, note: string | null, code: string | null) {{
          const res = await pool.query(
            "INSERT INTO {table} (customer_id, total, note, {column}) VALUES ($1, $2, $3, $4) RETURNING id",
            [customer, total, note, code],
          );
          return res.rows[0].id as number;
        }}
        """)
    c.patch("src/server.ts", ("req.body.note ?? null);", "req.body.note ?? null, req.body.code ?? null);"))


@case("promo-code-manual-column")
def _(c):
    c.meta("Code inserts into a column whose migration is applied by hand and has not been", "migration-order", "no-go", "confirmed",
           "Every purchase inserts promo_code, but the column is added by a file in manual-sql/ that nothing applies on deploy; production's purchases table has no such column, so every INSERT (15/s) fails with 42703.",
           "Have the column added first, verify it, then merge the code.",
           common("manual migration after the code"))
    c.pr("Store the promo code with the purchase", """
         Marketing wants to know which code was used. SQL for the DBA is included.
         """, ["purchases: promo_code", "sql"], "c-nwosu", "sedge/purchases", 520)
    _manual_sql(c, "purchases", "promo_code", "purchases")
    p = c.prod("730046118259", "eu-west-2")
    db = p.rds("purchases-pg", engine="postgres", engine_version="15.4"); svc = p.ecs("shop", "purchases", desired_count=5, environment_keys=["DATABASE_URL"]); gh = p.github("sedge/purchases")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 15, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 22, amp=.3)
    p.db(db, "postgres", "15.4", [("public", "purchases", 9_900_000, 2_100_000_000, 15.0, 31.0, {"columns": [
        {"name": "id", "type": "bigint", "nullable": False}, {"name": "customer_id", "type": "bigint", "nullable": False},
        {"name": "total", "type": "integer", "nullable": False}, {"name": "note", "type": "text", "nullable": True}]})],
         [("public", "purchases", "purchases_pkey", "CREATE UNIQUE INDEX purchases_pkey ON public.purchases USING btree (id)", 90_000, 210_000_000)], {})
    c.culprit("src/create.ts", "INSERT INTO purchases", db, alt=[("manual-sql/2026-05-promo-code.sql", "ADD COLUMN promo_code")], alt_resources=[svc])


@case("giftcard-manual-column-applied")
def _(c):
    c.meta("Code inserts into a column that was already added by hand", "migration-order", "go", "refuted",
           "The column comes from manual-sql/, which nothing applies on deploy, but production's redemptions table already has gift_code text, so the new INSERT works, and old INSERTs leave it null.",
           "None needed.", common("manual migration applied before the code"))
    c.pr("Store the gift code with the redemption", """
         Marketing wants to know which code was used. SQL for the DBA is included for the record.
         """, ["redemptions: gift_code", "sql"], "c-nwosu", "sedge/redemptions", 521)
    _manual_sql(c, "redemptions", "gift_code", "redemptions")
    p = c.prod("730046118259", "eu-west-2")
    db = p.rds("redemptions-pg", engine="postgres", engine_version="15.4"); svc = p.ecs("shop", "redemptions", desired_count=5, environment_keys=["DATABASE_URL"]); gh = p.github("sedge/redemptions")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 12, amp=.5)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 26, amp=.3)
    p.db(db, "postgres", "15.4", [("public", "redemptions", 7_200_000, 1_600_000_000, 12.0, 25.0, {"columns": [
        {"name": "id", "type": "bigint", "nullable": False}, {"name": "customer_id", "type": "bigint", "nullable": False},
        {"name": "total", "type": "integer", "nullable": False}, {"name": "note", "type": "text", "nullable": True}, {"name": "gift_code", "type": "text", "nullable": True, "null_fraction": 1.0}]})],
         [("public", "redemptions", "redemptions_pkey", "CREATE UNIQUE INDEX redemptions_pkey ON public.redemptions USING btree (id)", 70_000, 160_000_000)], {})


@case("golang-migrate-older-id-skipped")
def _(c):
    c.meta("Migration with an id below production's version is skipped in silence", "migration-order", "no-go", "confirmed",
           "golang-migrate keeps one version; production is at 20260506120000, the new file is 20260420093000 (a long-lived branch), so `up` skips it without an error. The same change selects tariffs.valid_to, which production lacks: 23 reads/s fail with 42703.",
           "Renumber the migration above 20260506120000.",
           "https://github.com/golang-migrate/migrate/issues/179")
    c.pr("Tariffs end", """
         Started before Easter, finally finished. Rebased on main, all tests pass on a fresh database.
         """, ["tariffs.valid_to", "respect the end of a tariff", "merge main"], "l-ravn", "gridline/tariffs", 133)
    c.f("go.mod", """
        module example.org/gridline/tariffs

        go 1.22

        require github.com/golang-migrate/migrate/v4 v4.17.1
        """)
    c.f("db/20260301100000_tariffs.up.sql", """
        CREATE TABLE tariffs (id bigserial PRIMARY KEY, name text NOT NULL, valid_from date NOT NULL);
        """)
    c.f("db/20260301100000_tariffs.down.sql", """
        DROP TABLE tariffs;
        """)
    c.f("db/20260506120000_tariff_region.up.sql", """
        ALTER TABLE tariffs ADD COLUMN region text NOT NULL DEFAULT 'NL';
        """)
    c.f("db/20260506120000_tariff_region.down.sql", """
        ALTER TABLE tariffs DROP COLUMN region;
        """)
    c.f("internal/tariff/current.go", """
        package tariff

        import (
        	"context"
        	"database/sql"
        )

        func Current(ctx context.Context, db *sql.DB, region string) (id int64, err error) {
        	err = db.QueryRowContext(ctx, `SELECT id FROM tariffs WHERE region = $1 AND valid_from <= now() ORDER BY valid_from DESC LIMIT 1`, region).Scan(&id)
        	return
        }
        """)
    c.f("cmd/tariffs/main.go", """
        package main

        import (
        	"log"
        	"os"

        	"github.com/golang-migrate/migrate/v4"
        )

        func main() {
        	m, err := migrate.New("file:///db", os.Getenv("DATABASE_URL"))
        	if err != nil {
        		log.Fatal(err)
        	}
        	if err := m.Up(); err != nil && err != migrate.ErrNoChange {
        		log.Fatal(err)
        	}
        	serve()
        }
        """)
    c.f("cmd/tariffs/serve.go", """
        package main

        import "net/http"

        func serve() { _ = http.ListenAndServe(":8080", nil) }
        """)
    c.h("db/20260420093000_tariff_valid_to.up.sql", """
        ALTER TABLE tariffs ADD COLUMN valid_to date;
        """)
    c.h("db/20260420093000_tariff_valid_to.down.sql", """
        ALTER TABLE tariffs DROP COLUMN valid_to;
        """)
    c.patch("internal/tariff/current.go", ("AND valid_from <= now() ORDER", "AND valid_from <= now() AND (valid_to IS NULL OR valid_to >= now()) ORDER"))
    p = c.prod("gridline-prod", "europe-west4")
    db = p.res("gcp:sql:gridline-prod/tariffs", "gcp.sql.instance", "tariffs", engine="postgres", engine_version="15.5")
    svc = p.res("gcp:run:gridline-prod/tariffs", "gcp.run.service", "tariffs", min_instances=2); gh = p.github("gridline/tariffs")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "reads_from")
    p.metric(svc, "request_count_per_second", "Count/Second", diurnal, 23, amp=.4)
    p.metric(db, "cpu_utilization", "Percent", diurnal, 9, amp=.3)
    p.db(db, "postgres", "15.5", [("public", "tariffs", 640, 120_000, 0.0, 23.0, {"columns": [
        {"name": "id", "type": "bigint", "nullable": False}, {"name": "name", "type": "text", "nullable": False},
        {"name": "valid_from", "type": "date", "nullable": False}, {"name": "region", "type": "text", "nullable": False}]})],
         [("public", "tariffs", "tariffs_pkey", "CREATE UNIQUE INDEX tariffs_pkey ON public.tariffs USING btree (id)", 400, 40_000)], {}, applied_migrations=["20260506120000"])
    c.culprit("db/20260420093000_tariff_valid_to.up.sql", "ADD COLUMN valid_to", db, alt=[("internal/tariff/current.go", "valid_to IS NULL")], alt_resources=[svc])


@case("alembic-two-heads")
def _(c):
    c.meta("Second Alembic head stops the migration of every new pod", "migration-order", "no-go", "confirmed",
           "e52_seat_count names e50 as its parent although e51 (merged and applied in production) does so already: two heads, `alembic upgrade head` exits with an error in the init container, no new pod starts and the release cannot go out.",
           "Set down_revision to e51, or add a merge revision.",
           "https://github.com/vstorm-co/agenticos/issues/1059")
    c.pr("Plans have a seat count", """
         Adds seat_count (nullable). CI is green.
         """, ["plans.seat_count"], "b-tanaka", "lumen/plans", 71)
    c.f("requirements.txt", """
        fastapi==0.111.0
        sqlalchemy==2.0.30
        alembic==1.13.1
        """)
    for rev, down, col in (("e50", "e49", "trial_days"), ("e51", "e50", "currency")):
        c.f(f"alembic/versions/{rev}_{col}.py", f"""
            import sqlalchemy as sa
            from alembic import op

            revision = "{rev}"
            down_revision = "{down}"


            def upgrade():
                op.add_column("plans", sa.Column("{col}", sa.String(8)))


            def downgrade():
                op.drop_column("plans", "{col}")
            """)
    c.f("alembic/versions/e49_plans.py", """
        import sqlalchemy as sa
        from alembic import op

        revision = "e49"
        down_revision = None


        def upgrade():
            op.create_table("plans", sa.Column("id", sa.BigInteger, primary_key=True), sa.Column("name", sa.Text))


        def downgrade():
            op.drop_table("plans")
        """)
    c.f("plans/models.py", """
        from sqlalchemy import BigInteger, String, Text
        from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


        class Base(DeclarativeBase):
            pass


        class Plan(Base):
            __tablename__ = "plans"
            id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
            name: Mapped[str] = mapped_column(Text)
            trial_days: Mapped[str | None] = mapped_column(String(8))
            currency: Mapped[str | None] = mapped_column(String(8))
        """)
    c.f("k8s/plans.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: plans, namespace: billing}
        spec:
          replicas: 3
          selector: {matchLabels: {app: plans}}
          template:
            metadata: {labels: {app: plans}}
            spec:
              initContainers:
                - name: migrate
                  image: registry.lumen.example/plans:104
                  command: ["alembic", "upgrade", "head"]
              containers:
                - name: plans
                  image: registry.lumen.example/plans:104
        """)
    c.h("alembic/versions/e52_seat_count.py", """
        import sqlalchemy as sa
        from alembic import op

        revision = "e52"
        down_revision = "e50"


        def upgrade():
            op.add_column("plans", sa.Column("seat_count", sa.Integer))


        def downgrade():
            op.drop_column("plans", "seat_count")
        """)
    c.patch("plans/models.py", ("BigInteger, String, Text", "BigInteger, Integer, String, Text"),
            ("    currency: Mapped[str | None] = mapped_column(String(8))\n", "    currency: Mapped[str | None] = mapped_column(String(8))\n    seat_count: Mapped[int | None] = mapped_column(Integer)\n"))
    p = c.prod("667300912245", "eu-north-1")
    db = p.rds("plans-pg", engine="postgres", engine_version="15.4"); dep = p.k8s("prod", "billing", "deployment", "plans", replicas=3); gh = p.github("lumen/plans")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, db, "writes_to")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 48, amp=.4)
    p.db(db, "postgres", "15.4", [("public", "plans", 120, 65_000, 0.0, 48.0)],
         [("public", "plans", "plans_pkey", "CREATE UNIQUE INDEX plans_pkey ON public.plans USING btree (id)", 170_000, 16_000)], {}, applied_migrations=["e51"])
    c.culprit("alembic/versions/e52_seat_count.py", 'down_revision = "e50"', dep, alt_resources=[db])


# ---------------------------------------------------------------------------------------------
# Endpoints
# ---------------------------------------------------------------------------------------------

def _fastapi_routes(c, noun, service):
    """Two versions of one resource; the change removes /v1."""
    c.f("requirements.txt", """
        fastapi==0.111.0
        uvicorn==0.29.0
        """)
    c.f("app/main.py", """
        from fastapi import FastAPI

        from .v1 import router as v1
        from .v2 import router as v2

        app = FastAPI()
        app.include_router(v1, prefix="/v1")
        app.include_router(v2, prefix="/v2")
        """)
    c.f("app/v1.py", f"""
        from fastapi import APIRouter

        from .store import find

        router = APIRouter()


        @router.get("/{noun}/{{item_id}}")
        def show(item_id: str):
            row = find(item_id)
            return {{"id": row["id"], "price": row["price"] / 100}}
        """)
    c.f("app/v2.py", f"""
        from fastapi import APIRouter

        from .store import find

        router = APIRouter()


        @router.get("/{noun}/{{item_id}}")
        def show(item_id: str):
            row = find(item_id)
            return {{"id": row["id"], "price": {{"amount": row["price"], "currency": "EUR"}}}}
        """)
    c.f("app/store.py", """
        import os

        import httpx


        def find(item_id: str) -> dict:
            return httpx.get(f"{os.environ['STORE_URL']}/{item_id}", timeout=2).json()
        """)
    c.f("k8s/deployment.yaml", f"""
        apiVersion: apps/v1
        kind: Deployment
        metadata: {{name: {service}, namespace: pricing}}
        spec:
          replicas: 4
          selector: {{matchLabels: {{app: {service}}}}}
          template:
            metadata: {{labels: {{app: {service}}}}}
            spec:
              containers:
                - name: {service}
                  image: registry.tallow.example/{service}:61
                  env: [{{name: STORE_URL, value: "http://store.pricing"}}]
        """)
    c.patch("app/main.py", ("from .v1 import router as v1\n", ""), ('app.include_router(v1, prefix="/v1")\n', ""))
    c.rm("app/v1.py")


@case("quotes-v1-route-removed")
def _(c):
    c.meta("Endpoint removed that still gets hundreds of calls a minute", "api", "no-go", "confirmed",
           "GET /v1/quotes/{item_id} is removed; production counts about 190 calls in five minutes on it at the mean, all answered 200 for broker-portal and an iOS app, and they will all get 404.",
           "Move the callers to /v2 first, announce a date, watch the route until it is at zero.",
           common("endpoint removed with callers"))
    c.pr("Remove v1 of quotes", """
         v2 exists since last year and v1 returns floats for money. Time to let go.
         """, ["drop v1 router"], "i-marchetti", "tallow/quotes", 260)
    _fastapi_routes(c, "quotes", "quotes")
    p = c.prod("418820073311", "eu-central-1")
    dep = p.k8s("prod", "pricing", "deployment", "quotes", replicas=4, environment_keys=["STORE_URL"]); lb = p.alb("pricing", "77aa01"); gh = p.github("tallow/quotes")
    portal = p.k8s("prod", "brokers", "deployment", "broker-portal", replicas=3)
    p.edge(gh, dep, "deploys_to"); p.edge(lb, dep, "routes_to"); p.edge(portal, dep, "invokes")
    p.metric(dep, "Count{route=/v1/quotes/{item_id}}", "Count", diurnal, 190, amp=.5, ints=True)
    p.metric(dep, "Count{route=/v2/quotes/{item_id}}", "Count", diurnal, 2400, amp=.5, ints=True)
    p.metric(lb, "TargetResponseTime.p95", "Seconds", flat, .09, noise=.1)
    p.logs_from(dep, 220, lambda r, at, i: (f'GET /v1/quotes/Q{r.integers(1e5, 1e6)} 200 {r.integers(8, 60)}ms ua="broker-portal/4.12"' if r.random() < .15
                                            else f'GET /v2/quotes/Q{r.integers(1e5, 1e6)} 200 {r.integers(8, 60)}ms ua="web/2026.4"'), days=1)
    c.culprit("app/main.py", 'app.include_router(v2', dep, alt_resources=[portal, lb], deleted=[("app/main.py", "app.include_router(v1"), ("app/v1.py", "@router.get")])


@case("rates-v1-route-removed")
def _(c):
    c.meta("Endpoint removed that nobody called all week", "api", "go", "refuted",
           "GET /v1/rates/{item_id} is removed, but its count is zero in every interval of the week, no client in the logs uses it, and the gateway in front routes only /v2.",
           "None needed.", common("endpoint removed without callers"))
    c.pr("Remove v1 of rates", """
         v2 exists since last year and v1 returns floats for money. Time to let go.
         """, ["drop v1 router"], "i-marchetti", "tallow/rates", 261)
    _fastapi_routes(c, "rates", "rates")
    p = c.prod("418820073311", "eu-central-1")
    dep = p.k8s("prod", "pricing", "deployment", "rates", replicas=4, environment_keys=["STORE_URL"]); lb = p.alb("rates", "77aa02", routes=["/v2/*"]); gh = p.github("tallow/rates")
    p.edge(gh, dep, "deploys_to"); p.edge(lb, dep, "routes_to")
    p.metric(dep, "Count{route=/v1/rates/{item_id}}", "Count", zeros)
    p.metric(dep, "Count{route=/v2/rates/{item_id}}", "Count", diurnal, 2900, amp=.5, ints=True)
    p.metric(lb, "HTTPCode_Target_5XX_Count", "Count", sparse, 60)
    p.logs_from(dep, 220, lambda r, at, i: f'GET /v2/rates/R{r.integers(1e5, 1e6)} 200 {r.integers(8, 60)}ms ua="web/2026.4"', days=1)


@case("orders-required-slot")
def _(c):
    c.meta("New required body field that the app in the same repository does not send", "api", "no-go", "confirmed",
           "deliverySlot becomes required in POST /v2/orders, but apps/mobile/src/api.ts does not send it and installed apps never will: the access log shows iOS and Android bodies without it on 55 orders in five minutes, which all turn into 400.",
           "Keep the field optional with a default slot until clients without it are gone.",
           common("new required field"))
    c.pr("Orders carry a delivery slot", """
         The planner needs a slot for each order. The web shop already sends it.
         """, ["orders: deliverySlot", "planner: use slot"], "u-lindgren", "sedge/ordering", 930)
    c.f("package.json", """
        {"name": "ordering", "private": true, "workspaces": ["apps/*", "services/*"], "devDependencies": {"typescript": "5.4.5"}}
        """)
    c.f("services/orders/src/schema.ts", """
        import { z } from "zod";

        export const Order = z.object({
          customer: z.string().uuid(),
          lines: z.array(z.object({ sku: z.string(), quantity: z.number().int().positive() })).min(1),
          note: z.string().max(200).optional(),
        });

        export type Order = z.infer<typeof Order>;
        """)
    c.f("services/orders/src/server.ts", """
        import express from "express";
        import { Order } from "./schema";
        import { plan } from "./planner";

        const app = express();
        app.use(express.json());

        app.post("/v2/orders", async (req, res) => {
          const parsed = Order.safeParse(req.body);
          if (!parsed.success) return res.status(400).json(parsed.error.flatten());
          res.status(201).json(await plan(parsed.data));
        });

        app.listen(8080);
        """)
    c.f("services/orders/src/planner.ts", """
        import type { Order } from "./schema";

        export async function plan(order: Order) {
          return { customer: order.customer, lines: order.lines.length, slot: "next" };
        }
        """)
    c.f("apps/mobile/src/api.ts", """
        import { BASE } from "./config";

        export async function placeOrder(customer: string, lines: { sku: string; quantity: number }[]) {
          const res = await fetch(`${BASE}/v2/orders`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ customer, lines }),
          });
          if (!res.ok) throw new Error(`order failed: ${res.status}`);
          return res.json();
        }
        """)
    c.f("apps/mobile/src/config.ts", """
        export const BASE = "https://api.sedge.example";
        """)
    c.f("infra/main.tf", """
        resource "aws_ecs_service" "orders" {
          name          = "orders"
          cluster       = "shop"
          desired_count = 6
        }
        """)
    c.patch("services/orders/src/schema.ts", ("  note: z.string().max(200).optional(),\n", '  note: z.string().max(200).optional(),\n  deliverySlot: z.enum(["morning", "noon", "evening"]),\n'))
    c.patch("services/orders/src/planner.ts", ('slot: "next"', "slot: order.deliverySlot"))
    p = c.prod("730046118259", "eu-west-2")
    svc = p.ecs("shop", "orders", desired_count=6); lb = p.alb("api", "5a5a11"); gh = p.github("sedge/ordering")
    p.edge(gh, svc, "deploys_to"); p.edge(lb, svc, "routes_to")
    p.metric(svc, "Count{route=/v2/orders}", "Count", diurnal, 130, amp=.5, ints=True)
    p.metric(svc, "Count{status=400}", "Count", sparse, 120)
    p.metric(svc, "Count{client=mobile}", "Count", diurnal, 55, amp=.5, ints=True)
    p.logs_from(svc, 260, lambda r, at, i: (f'POST /v2/orders 201 keys=customer,lines ua="sedge-ios/{r.integers(6, 9)}.{r.integers(0, 9)}"' if r.random() < .42
                                            else 'POST /v2/orders 201 keys=customer,lines,deliverySlot ua="Mozilla/5.0 web"'), days=1)
    c.culprit("services/orders/src/schema.ts", "deliverySlot: z.enum", svc, alt=[("apps/mobile/src/api.ts", "JSON.stringify({ customer, lines })"), ("services/orders/src/planner.ts", "order.deliverySlot")], alt_resources=[lb])


@case("grpc-reserve-removed")
def _(c):
    c.meta("gRPC method removed that the basket service calls", "api", "no-go", "confirmed",
           "rpc Reserve goes from the proto and the server; the running basket service still calls Inventory/Reserve (grpc_server_handled_total grows by about 24/s), and gets UNIMPLEMENTED for every basket.",
           "Keep Reserve as a wrapper of Allocate until the counter is at zero.",
           common("RPC removed with callers"))
    c.pr("inventory: Allocate replaces Reserve", """
         Allocate can do all that Reserve could, and more than one warehouse.
         """, ["proto: remove Reserve", "server: remove Reserve"], "w-adomako", "brindle/inventory", 317)
    c.f("go.mod", """
        module example.org/brindle/inventory

        go 1.22

        require google.golang.org/grpc v1.63.2
        """)
    c.f("proto/inventory.proto", """
        syntax = "proto3";

        package brindle.inventory.v1;

        option go_package = "example.org/brindle/inventory/gen";

        service Inventory {
          rpc Reserve(ReserveRequest) returns (ReserveReply);
          rpc Allocate(AllocateRequest) returns (AllocateReply);
        }

        message ReserveRequest { string sku = 1; int32 quantity = 2; }
        message ReserveReply { string reservation = 1; }
        message AllocateRequest { string sku = 1; int32 quantity = 2; repeated string warehouses = 3; }
        message AllocateReply { repeated string allocations = 1; }
        """)
    c.f("internal/server/server.go", """
        package server

        import (
        	"context"

        	pb "example.org/brindle/inventory/gen"
        )

        type Server struct {
        	pb.UnimplementedInventoryServer
        }

        func (Server) Reserve(ctx context.Context, r *pb.ReserveRequest) (*pb.ReserveReply, error) {
        	return &pb.ReserveReply{Reservation: r.Sku}, nil
        }

        func (Server) Allocate(ctx context.Context, r *pb.AllocateRequest) (*pb.AllocateReply, error) {
        	return &pb.AllocateReply{Allocations: []string{r.Sku}}, nil
        }
        """)
    c.f("cmd/inventory/main.go", """
        package main

        import (
        	"log"
        	"net"

        	"google.golang.org/grpc"

        	pb "example.org/brindle/inventory/gen"
        	"example.org/brindle/inventory/internal/server"
        )

        func main() {
        	l, err := net.Listen("tcp", ":9090")
        	if err != nil {
        		log.Fatal(err)
        	}
        	s := grpc.NewServer()
        	pb.RegisterInventoryServer(s, server.Server{})
        	log.Fatal(s.Serve(l))
        }
        """)
    c.f("k8s/inventory.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: inventory, namespace: shop}
        spec:
          replicas: 5
          selector: {matchLabels: {app: inventory}}
          template:
            metadata: {labels: {app: inventory}}
            spec:
              containers: [{name: inventory, image: "registry.brindle.example/inventory:310"}]
        """)
    c.patch("proto/inventory.proto", ("  rpc Reserve(ReserveRequest) returns (ReserveReply);\n", ""),
            ("message ReserveRequest { string sku = 1; int32 quantity = 2; }\nmessage ReserveReply { string reservation = 1; }\n", ""))
    c.patch("internal/server/server.go", ("""func (Server) Reserve(ctx context.Context, r *pb.ReserveRequest) (*pb.ReserveReply, error) {
	return &pb.ReserveReply{Reservation: r.Sku}, nil
}

""", ""))
    p = c.prod("550917264408", "us-east-1")
    dep = p.k8s("main", "shop", "deployment", "inventory", replicas=5); bas = p.k8s("main", "shop", "deployment", "basket", replicas=6); gh = p.github("brindle/inventory")
    p.edge(gh, dep, "deploys_to"); p.edge(bas, dep, "invokes")
    p.metric(dep, "grpc_server_handled_per_second{grpc_method=Reserve}", "Count/Second", diurnal, 24, amp=.45)
    p.metric(dep, "grpc_server_handled_per_second{grpc_method=Allocate}", "Count/Second", diurnal, 3, amp=.45)
    p.logs_from(dep, 150, lambda r, at, i: f"grpc method=/brindle.inventory.v1.Inventory/{'Reserve' if r.random() < .88 else 'Allocate'} code=OK peer={'basket' if r.random() < .95 else 'backoffice'} ms={r.integers(1, 9)}", days=1)
    c.culprit("proto/inventory.proto", "service Inventory {", dep, alt=[("internal/server/server.go", "pb.UnimplementedInventoryServer")], alt_resources=[bas],
              deleted=[("proto/inventory.proto", "rpc Reserve("), ("internal/server/server.go", "func (Server) Reserve")])


@case("graphql-legacy-rating-field")
def _(c):
    c.meta("GraphQL field removed that no operation asked for", "api", "go", "refuted",
           "Recipe.legacyRating is removed from the schema; the field counter of the router is zero for the whole week and the logged operations do not select it, so no query becomes invalid.",
           "None needed.", common("GraphQL field removed without usage"))
    c.pr("schema: remove Recipe.legacyRating", """
         Deprecated since 2024.
         """, ["remove legacyRating"], "x-bergeron", "plover/recipes", 84)
    c.f("package.json", """
        {"name": "recipes", "type": "module", "dependencies": {"@apollo/server": "4.10.4", "graphql": "16.8.1"}}
        """)
    c.f("schema.graphql", """
        type Query {
          recipe(id: ID!): Recipe
          recipes(first: Int = 20): [Recipe!]!
        }

        type Recipe {
          id: ID!
          title: String!
          rating: Float
          legacyRating: Int @deprecated(reason: "Use rating")
        }
        """)
    c.f("src/resolvers.js", """
        import { byId, list } from "./store.js";

        export const resolvers = {
          Query: {
            recipe: (_, { id }) => byId(id),
            recipes: (_, { first }) => list(first),
          },
          Recipe: {
            legacyRating: (r) => Math.round(r.rating * 20),
          },
        };
        """)
    c.f("src/store.js", """
        const rows = new Map();

        export const byId = (id) => rows.get(id);
        export const list = (n) => [...rows.values()].slice(0, n);
        """)
    c.f("web/queries.js", """
        export const RECIPE = `query Recipe($id: ID!) { recipe(id: $id) { id title rating } }`;
        export const RECIPES = `query Recipes { recipes(first: 20) { id title } }`;
        """)
    c.f("fly.toml", """
        app = "recipes"
        primary_region = "ams"

        [http_service]
        internal_port = 4000
        """)
    c.patch("schema.graphql", ('  legacyRating: Int @deprecated(reason: "Use rating")\n', ""))
    c.patch("src/resolvers.js", ("""  Recipe: {
    legacyRating: (r) => Math.round(r.rating * 20),
  },
""", ""))
    p = c.prod("plover", "ams")
    app = p.res("fly:app:recipes", "fly.app", "recipes", machines=3); gh = p.github("plover/recipes")
    p.edge(gh, app, "deploys_to")
    p.metric(app, "graphql_field_requests{field=Recipe.legacyRating}", "Count", zeros)
    p.metric(app, "graphql_field_requests{field=Recipe.rating}", "Count", diurnal, 5200, amp=.5, ints=True)
    p.metric(app, "http_error_ratio", "Percent", diurnal, 1.6, amp=.5, noise=.2)
    p.logs_from(app, 120, lambda r, at, i: f"operation={'Recipe' if r.random() < .7 else 'Recipes'} fields={'id,title,rating' if r.random() < .7 else 'id,title'} client=web ms={r.integers(4, 40)}", days=1)


@case("invoices-path-renamed-no-access-data")
def _(c):
    c.meta("Path of a controller changed without access data", "api", "go", "plausible",
           "The base path of InvoiceController moves from /api/invoice to /api/v1/invoices with no redirect. Anything that still calls the old path gets 404, but the snapshot has neither counts per route nor access logs, and callers are unknown.",
           "Keep the old mapping as a second path and count its calls before removing it.",
           common("endpoint changed, callers unknown"))
    c.pr("Versioned, plural paths", """
         API guideline 4.2. The front end gets its base URL from configuration.
         """, ["InvoiceController under /api/v1/invoices"], "q-silva", "corvane/invoices", 501)
    c.f("build.gradle", """
        plugins {
            id 'java'
            id 'org.springframework.boot' version '3.2.5'
        }
        """)
    c.f("src/main/java/com/corvane/invoices/InvoiceController.java", """
        package com.corvane.invoices;

        import org.springframework.web.bind.annotation.GetMapping;
        import org.springframework.web.bind.annotation.PathVariable;
        import org.springframework.web.bind.annotation.PostMapping;
        import org.springframework.web.bind.annotation.RequestBody;
        import org.springframework.web.bind.annotation.RequestMapping;
        import org.springframework.web.bind.annotation.RestController;

        @RestController
        @RequestMapping("/api/invoice")
        public class InvoiceController {
            private final InvoiceService invoices;

            public InvoiceController(InvoiceService invoices) {
                this.invoices = invoices;
            }

            @GetMapping("/{id}")
            public Invoice get(@PathVariable long id) {
                return invoices.get(id);
            }

            @PostMapping
            public Invoice create(@RequestBody Invoice invoice) {
                return invoices.create(invoice);
            }
        }
        """)
    c.f("src/main/java/com/corvane/invoices/Invoice.java", """
        package com.corvane.invoices;

        public record Invoice(long id, long customer, long cents) {
        }
        """)
    c.f("src/main/java/com/corvane/invoices/InvoiceService.java", """
        package com.corvane.invoices;

        public interface InvoiceService {
            Invoice get(long id);

            Invoice create(Invoice invoice);
        }
        """)
    c.f("k8s/invoices.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: invoices, namespace: money}
        spec:
          replicas: 3
          selector: {matchLabels: {app: invoices}}
          template:
            metadata: {labels: {app: invoices}}
            spec:
              containers: [{name: invoices, image: "registry.corvane.example/invoices:4.0"}]
        """)
    c.patch("src/main/java/com/corvane/invoices/InvoiceController.java", ('"/api/invoice"', '"/api/v1/invoices"'))
    p = c.prod("902771450036", "eu-west-1")
    dep = p.k8s("prod", "money", "deployment", "invoices", replicas=3); gh = p.github("corvane/invoices")
    p.edge(gh, dep, "deploys_to")
    p.metric(dep, "memory_utilization", "Percent", flat, 61, noise=.04)
    p.metric(dep, "cpu_utilization", "Percent", diurnal, 17, amp=.3)
    c.culprit("src/main/java/com/corvane/invoices/InvoiceController.java", '@RequestMapping("/api/v1/invoices")', dep,
              deleted=[("src/main/java/com/corvane/invoices/InvoiceController.java", '@RequestMapping("/api/invoice")')])


@case("express-routes-moved")
def _(c):
    c.meta("Routes moved into a router of their own with the same paths", "api", "go", "refuted",
           "Three busy routes vanish from server.js, but routes/locations.js declares the same methods and paths and is mounted at /locations: the set of routes before and after is equal.",
           "None needed.", common("routes moved, not removed"), True)
    c.pr("Split server.js", """
         No change of behaviour.
         """, ["routes/locations.js"], "g-marchetti", "sedge/places", 118)
    c.f("package.json", """
        {"name": "places", "scripts": {"start": "node server.js"}, "dependencies": {"express": "4.19.2"}}
        """)
    c.f("server.js", """
        const express = require("express");
        const store = require("./store");

        const app = express();
        app.use(express.json());

        app.get("/locations", async (req, res) => res.json(await store.near(req.query.lat, req.query.lon)));
        app.get("/locations/:id", async (req, res) => res.json(await store.get(req.params.id)));
        app.delete("/locations/:id", async (req, res) => {
          await store.remove(req.params.id);
          res.status(204).end();
        });
        app.get("/health", (_req, res) => res.send("ok"));

        app.listen(8080);
        """)
    c.f("store.js", """
        const rows = new Map();

        exports.near = async () => [...rows.values()];
        exports.get = async (id) => rows.get(id);
        exports.remove = async (id) => rows.delete(id);
        """)
    c.f("Dockerfile", """
        FROM node:20-slim
        WORKDIR /app
        COPY . .
        RUN npm ci --omit=dev
        CMD ["node", "server.js"]
        """)
    c.f("infra/main.tf", """
        resource "aws_ecs_service" "places" {
          name          = "places"
          cluster       = "shop"
          desired_count = 4
        }
        """)
    c.h("routes/locations.js", """
        const express = require("express");
        const store = require("../store");

        const router = express.Router();

        router.get("/", async (req, res) => res.json(await store.near(req.query.lat, req.query.lon)));
        router.get("/:locationId", async (req, res) => res.json(await store.get(req.params.locationId)));
        router.delete("/:locationId", async (req, res) => {
          await store.remove(req.params.locationId);
          res.status(204).end();
        });

        module.exports = router;
        """)
    c.h("server.js", """
        const express = require("express");

        const app = express();
        app.use(express.json());

        app.use("/locations", require("./routes/locations"));
        app.get("/health", (_req, res) => res.send("ok"));

        app.listen(8080);
        """)
    p = c.prod("730046118259", "eu-west-2")
    svc = p.ecs("shop", "places", desired_count=4); gh = p.github("sedge/places")
    p.edge(gh, svc, "deploys_to")
    p.metric(svc, "Count{route=GET /locations/:id}", "Count", diurnal, 3900, amp=.5, ints=True)
    p.metric(svc, "Count{route=DELETE /locations/:id}", "Count", diurnal, 12, amp=.5, ints=True)
    p.metric(svc, "CPUUtilization", "Percent", diurnal, 71, amp=.25, hi=97)


@case("apigw-webhook-route-removed")
def _(c):
    c.meta("API Gateway route removed that a payment provider calls", "api", "no-go", "confirmed",
           "The Terraform route POST /hooks/payments is deleted; API Gateway counts about 85 calls in five minutes on it, from the payment provider, which will get 404 and payments stay pending.",
           "Point the provider at the new URL and wait until the old route is silent before deleting it.",
           common("gateway route removed with callers"))
    c.pr("Remove the old webhook route", """
         The event bus integration replaces it.
         """, ["apigw: remove hooks route"], "b-castell", "corvane/gateway", 77)
    c.f("api.tf", """
        resource "aws_apigatewayv2_api" "public" {
          name          = "public"
          protocol_type = "HTTP"
        }

        resource "aws_apigatewayv2_integration" "checkout" {
          api_id                 = aws_apigatewayv2_api.public.id
          integration_type       = "AWS_PROXY"
          integration_uri        = aws_lambda_function.checkout.invoke_arn
          payload_format_version = "2.0"
        }
        """)
    c.f("routes.tf", """
        resource "aws_apigatewayv2_route" "checkout" {
          api_id    = aws_apigatewayv2_api.public.id
          route_key = "POST /checkout"
          target    = "integrations/${aws_apigatewayv2_integration.checkout.id}"
        }

        resource "aws_apigatewayv2_route" "payment_hook" {
          api_id    = aws_apigatewayv2_api.public.id
          route_key = "POST /hooks/payments"
          target    = "integrations/${aws_apigatewayv2_integration.checkout.id}"
        }
        """)
    c.f("lambda.tf", """
        resource "aws_lambda_function" "checkout" {
          function_name = "checkout"
          handler       = "checkout.handler"
          runtime       = "python3.12"
          role          = var.role_arn
          filename      = "checkout.zip"
        }
        """)
    c.f("variables.tf", """
        variable "role_arn" {
          type = string
        }
        """)
    c.f("src/checkout.py", """
        import json


        def handler(event, _context):
            if event["routeKey"] == "POST /hooks/payments":
                return settle(json.loads(event["body"]))
            return {"statusCode": 202}


        def settle(hook):
            print("settled", hook["payment_id"])
            return {"statusCode": 204}
        """)
    c.patch("routes.tf", ("""
resource "aws_apigatewayv2_route" "payment_hook" {
  api_id    = aws_apigatewayv2_api.public.id
  route_key = "POST /hooks/payments"
  target    = "integrations/${aws_apigatewayv2_integration.checkout.id}"
}
""", ""))
    p = c.prod("902771450036", "eu-west-1")
    api = p.res("arn:aws:apigateway:eu-west-1::/apis/p7k2m1", "aws.apigatewayv2.api", "public", routes=["POST /checkout", "POST /hooks/payments"])
    f = p.lam("checkout", runtime="python3.12", timeout_s=10); psp = p.res("external:payment-provider", "external.http", "payment-provider", region="global"); gh = p.github("corvane/gateway")
    p.edge(gh, api, "deploys_to"); p.edge(api, f, "invokes"); p.edge(psp, api, "invokes")
    p.metric(api, "Count{route=POST /hooks/payments}", "Count", diurnal, 85, amp=.5, ints=True)
    p.metric(api, "Count{route=POST /checkout}", "Count", diurnal, 92, amp=.5, ints=True)
    p.metric(f, "Duration.p95", "Milliseconds", flat, 210, noise=.08)
    p.logs_from(f, 140, lambda r, at, i: f"settled pay_{r.integers(1e7, 1e8)} route=POST /hooks/payments source=payment-provider", days=1)
    c.culprit("routes.tf", 'target    = "integrations/${aws_apigatewayv2_integration.checkout.id}"', api, alt=[("src/checkout.py", 'event["routeKey"] == "POST /hooks/payments"')], alt_resources=[f, psp],
              deleted=[("routes.tf", '"payment_hook"'), ("routes.tf", '"POST /hooks/payments"')])


@case("graphql-search-argument-required")
def _(c):
    c.meta("GraphQL argument becomes required with no usage data", "api", "go", "plausible",
           "search(region) turns from String to String!; every operation that leaves region out fails validation. The web client in the repository sends it, but partners use the same endpoint and the snapshot has no operations or usage.",
           "Keep it nullable with a default value, or look at the operations of the last month first.",
           common("required argument, usage unknown"))
    c.pr("search needs a region", """
         A search without a region scans all partitions. Our own client has always sent one.
         """, ["schema: region is required"], "x-bergeron", "plover/search", 85)
    c.f("package.json", """
        {"name": "search", "type": "module", "dependencies": {"@apollo/server": "4.10.4", "graphql": "16.8.1"}}
        """)
    c.f("schema.graphql", """
        type Query {
          search(text: String!, region: String): [Hit!]!
        }

        type Hit {
          id: ID!
          title: String!
        }
        """)
    c.f("src/resolvers.ts", """
        import { query } from "./engine";

        export const resolvers = {
          Query: {
            search: (_: unknown, args: { text: string; region?: string }) => query(args.text, args.region ?? "*"),
          },
        };
        """)
    c.f("src/engine.ts", """
        export async function query(text: string, region: string) {
          const res = await fetch(`${process.env.ENGINE_URL}/${region}?q=${encodeURIComponent(text)}`);
          return res.json();
        }
        """)
    c.f("web/search.ts", """
        export const SEARCH = `query Search($text: String!, $region: String!) { search(text: $text, region: $region) { id title } }`;
        """)
    c.f("fly.toml", """
        app = "search"
        primary_region = "ams"

        [http_service]
        internal_port = 4000
        """)
    c.patch("schema.graphql", ("region: String)", "region: String!)"))
    c.patch("src/resolvers.ts", ("region?: string }) => query(args.text, args.region ?? \"*\")", "region: string }) => query(args.text, args.region)"))
    p = c.prod("plover", "ams")
    app = p.res("fly:app:search", "fly.app", "search", machines=4, environment_keys=["ENGINE_URL"]); gh = p.github("plover/search")
    partner = p.res("external:partner-sites", "external.http", "partner-sites", region="global")
    p.edge(gh, app, "deploys_to"); p.edge(partner, app, "invokes")
    p.metric(app, "memory_utilization", "Percent", flat, 52, noise=.04)
    c.culprit("schema.graphql", "region: String!", app, alt=[("src/resolvers.ts", "region: string }")], alt_resources=[partner])


# ---------------------------------------------------------------------------------------------
# Environment, secrets, bindings
# ---------------------------------------------------------------------------------------------

@case("settlement-ledger-token-missing")
def _(c):
    c.meta("Environment variable read at import that exists nowhere in production", "config", "no-go", "confirmed",
           "settlement/ledger.py reads os.environ[\"LEDGER_TOKEN\"] at import. Neither the task definition in Terraform nor the running service has it (seven other names do), so every new task dies with KeyError at start.",
           "Create the secret and add it to the task definition first.",
           common("environment variable created nowhere"))
    c.pr("Authenticate against the ledger", """
         The ledger team turns on tokens at the end of the month. `.env.example` and the README are updated.
         """, ["ledger client sends a token", "docs"], "s-quill", "corvane/settlement", 188)
    c.f("requirements.txt", """
        flask==3.0.3
        requests==2.32.2
        gunicorn==22.0.0
        """)
    c.f("settlement/__init__.py", """
        """)
    c.f("settlement/ledger.py", """
        import os

        import requests

        URL = os.environ["LEDGER_URL"]


        def book(batch: dict) -> str:
            r = requests.post(f"{URL}/batches", json=batch, timeout=10)
            r.raise_for_status()
            return r.json()["id"]
        """)
    c.f("settlement/app.py", """
        from flask import Flask, request

        from .ledger import book

        app = Flask(__name__)


        @app.post("/settle")
        def settle():
            return {"batch": book(request.get_json())}
        """)
    c.f(".env.example", """
        LEDGER_URL=http://localhost:9000
        DATABASE_URL=postgres://localhost/settlement
        """)
    c.f("infra/task.tf", """
        resource "aws_ecs_task_definition" "settlement" {
          family = "settlement"
          container_definitions = jsonencode([{
            name  = "settlement"
            image = "registry.corvane.example/settlement:77"
            environment = [
              { name = "LEDGER_URL", value = "https://ledger.corvane.example" },
              { name = "LOG_LEVEL", value = "info" },
            ]
            secrets = [
              { name = "DATABASE_URL", valueFrom = var.database_url_arn },
            ]
          }])
        }
        """)
    c.f("infra/variables.tf", """
        variable "database_url_arn" {
          type = string
        }
        """)
    c.patch("settlement/ledger.py", ('URL = os.environ["LEDGER_URL"]\n', 'URL = os.environ["LEDGER_URL"]\nTOKEN = os.environ["LEDGER_TOKEN"]\n'),
            ("json=batch, timeout=10)", 'json=batch, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=10)'))
    c.patch(".env.example", ("LEDGER_URL=http://localhost:9000\n", "LEDGER_URL=http://localhost:9000\nLEDGER_TOKEN=local\n"))
    p = c.prod("902771450036", "eu-west-1")
    svc = p.ecs("money", "settlement", desired_count=3, environment_keys=["AWS_REGION", "DATABASE_URL", "LEDGER_URL", "LOG_LEVEL", "OTEL_SERVICE_NAME", "PORT", "SENTRY_DSN"])
    led = p.ecs("money", "ledger-web", desired_count=6); gh = p.github("corvane/settlement")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, led, "invokes")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 11, amp=.4)
    p.metric(led, "CPUUtilization", "Percent", diurnal, 44, amp=.3)
    p.logs_from(svc, 80, lambda r, at, i: f"POST /settle 200 {r.integers(80, 400)}ms", days=1)
    c.culprit("settlement/ledger.py", 'os.environ["LEDGER_TOKEN"]', svc)


@case("pdf-page-size-default")
def _(c):
    c.meta("New environment variables with defaults equal to the old constants", "config", "go", "refuted",
           "PAGE_SIZE and MAX_PAGES are not set in production, but the zod schema defaults to A4 and 40, the old constants, so the service starts and behaves as before.",
           "None needed.", common("environment variable with a default"))
    c.pr("Configurable page size", """
         The US office wants Letter. They set it on their stack.
         """, ["config: PAGE_SIZE, MAX_PAGES"], "u-lindgren", "quarry/renderer", 39)
    c.f("package.json", """
        {"name": "renderer", "dependencies": {"zod": "3.23.8", "pdf-lib": "1.17.1"}, "devDependencies": {"typescript": "5.4.5"}}
        """)
    c.f("src/config.ts", """
        import { z } from "zod";

        export const config = z
          .object({
            BUCKET: z.string().min(1),
            PORT: z.coerce.number().default(8080),
          })
          .parse(process.env);
        """)
    c.f("src/render.ts", """
        const PAGE_SIZE = "A4";
        const MAX_PAGES = 40;

        export function layout(pages: string[]) {
          if (pages.length > MAX_PAGES) throw new Error("too many pages");
          return pages.map((body, i) => ({ number: i + 1, size: PAGE_SIZE, body }));
        }
        """)
    c.f("src/server.ts", """
        import { createServer } from "node:http";
        import { config } from "./config";
        import { layout } from "./render";

        createServer((_req, res) => res.end(JSON.stringify(layout([])))).listen(config.PORT);
        """)
    c.f("docker-compose.prod.yml", """
        services:
          renderer:
            image: registry.quarry.example/renderer:12
            environment:
              BUCKET: quarry-rendered
            deploy:
              replicas: 2
        """)
    c.patch("src/config.ts", ("    PORT: z.coerce.number().default(8080),\n", '    PORT: z.coerce.number().default(8080),\n    PAGE_SIZE: z.enum(["A4", "Letter"]).default("A4"),\n    MAX_PAGES: z.coerce.number().int().positive().default(40),\n'))
    c.patch("src/render.ts", ('const PAGE_SIZE = "A4";\nconst MAX_PAGES = 40;\n', 'import { config } from "./config";\n\nconst { PAGE_SIZE, MAX_PAGES } = config;\n'))
    p = c.prod("129944017756", "us-west-2")
    svc = p.res("docker:service:renderer", "docker.service", "renderer", replicas=2, environment_keys=["BUCKET"]); b = p.s3("quarry-rendered"); gh = p.github("quarry/renderer")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, b, "writes_to")
    p.metric(svc, "http_requests_per_second", "Count/Second", diurnal, 9, amp=.4)
    p.metric(svc, "memory_utilization", "Percent", diurnal, 74, amp=.1, hi=93)


@case("webhook-signing-key-created")
def _(c):
    c.meta("Required environment variable created in the manifest of the same change", "config", "go", "refuted",
           "The Go service now exits without SIGNING_KEY, which production does not have yet, but the same change sets it in the Deployment from Secret webhook-signing, which already exists in the cluster with that key, so each new pod starts with it.",
           "None needed.", common("environment variable created in the same diff"))
    c.pr("Sign outgoing webhooks", """
         Partners verify the signature from June. The secret is in the cluster since Thursday.
         """, ["sign webhooks", "k8s: SIGNING_KEY"], "j-farkas", "brindle/hooks", 53)
    c.f("go.mod", """
        module example.org/brindle/hooks

        go 1.22
        """)
    c.f("cmd/hooks/main.go", """
        package main

        import (
        	"log"
        	"os"

        	"example.org/brindle/hooks/internal/send"
        )

        func main() {
        	url := os.Getenv("QUEUE_URL")
        	if url == "" {
        		log.Fatal("QUEUE_URL is not set")
        	}
        	send.Run(url)
        }
        """)
    c.f("internal/send/send.go", """
        package send

        import "net/http"

        func Run(queue string) {
        	for m := range receive(queue) {
        		req, _ := http.NewRequest(http.MethodPost, m.URL, m.Body())
        		_, _ = http.DefaultClient.Do(req)
        	}
        }
        """)
    c.f("internal/send/receive.go", """
        package send

        import (
        	"io"
        	"strings"
        )

        type Message struct{ URL, Text string }

        func (m Message) Body() io.Reader { return strings.NewReader(m.Text) }

        func receive(string) <-chan Message { return make(chan Message) }
        """)
    c.f("k8s/hooks.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: hooks
          namespace: partners
        spec:
          replicas: 3
          selector: {matchLabels: {app: hooks}}
          template:
            metadata: {labels: {app: hooks}}
            spec:
              containers:
                - name: hooks
                  image: registry.brindle.example/hooks:18
                  env:
                    - name: QUEUE_URL
                      value: https://sqs.us-east-1.amazonaws.com/550917264408/hooks
        """)
    c.patch("cmd/hooks/main.go", ("	send.Run(url)\n", """	key := os.Getenv("SIGNING_KEY")
	if key == "" {
		log.Fatal("SIGNING_KEY is not set")
	}
	send.Run(url, []byte(key))
"""))
    c.h("internal/send/send.go", """
        package send

        import (
        	"crypto/hmac"
        	"crypto/sha256"
        	"encoding/hex"
        	"net/http"
        )

        func Run(queue string, key []byte) {
        	for m := range receive(queue) {
        		mac := hmac.New(sha256.New, key)
        		mac.Write([]byte(m.Text))
        		req, _ := http.NewRequest(http.MethodPost, m.URL, m.Body())
        		req.Header.Set("X-Signature", hex.EncodeToString(mac.Sum(nil)))
        		_, _ = http.DefaultClient.Do(req)
        	}
        }
        """)
    c.patch("k8s/hooks.yaml", ("              value: https://sqs.us-east-1.amazonaws.com/550917264408/hooks\n", """              value: https://sqs.us-east-1.amazonaws.com/550917264408/hooks
            - name: SIGNING_KEY
              valueFrom:
                secretKeyRef: {name: webhook-signing, key: SIGNING_KEY}
"""))
    p = c.prod("550917264408", "us-east-1")
    dep = p.k8s("main", "partners", "deployment", "hooks", replicas=3, environment_keys=["QUEUE_URL"]); q = p.sqs("hooks", visibility_timeout_s=60)
    sec = p.k8s("main", "partners", "secret", "webhook-signing", keys=["SIGNING_KEY"]); gh = p.github("brindle/hooks")
    p.edge(gh, dep, "deploys_to"); p.edge(dep, q, "reads_from"); p.edge(dep, sec, "reads_from")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 900, amp=.5, ints=True)
    p.metric(q, "ApproximateAgeOfOldestMessage", "Seconds", diurnal, 45, amp=.6, noise=.3)


def _tax(c, key, prop, service):
    c.f("build.gradle", """
        plugins {
            id 'java'
            id 'org.springframework.boot' version '3.2.5'
        }

        dependencies {
            implementation 'org.springframework.boot:spring-boot-starter-web'
        }
        """)
    c.f("src/main/resources/application.yml", """
        server:
          port: 8080
        management:
          endpoints.web.exposure.include: health,prometheus
        """)
    c.f("src/main/java/com/alder/tax/TaxController.java", """
        package com.alder.tax;

        import org.springframework.web.bind.annotation.GetMapping;
        import org.springframework.web.bind.annotation.RequestParam;
        import org.springframework.web.bind.annotation.RestController;

        @RestController
        public class TaxController {
            private final TaxEngine engine;

            public TaxController(TaxEngine engine) {
                this.engine = engine;
            }

            @GetMapping("/tax")
            public long tax(@RequestParam long cents, @RequestParam String country) {
                return engine.tax(cents, country);
            }
        }
        """)
    c.f("src/main/java/com/alder/tax/TaxEngine.java", """
        package com.alder.tax;

        import org.springframework.stereotype.Component;

        @Component
        public class TaxEngine {
            public long tax(long cents, String country) {
                return "DE".equals(country) ? cents * 19 / 100 : cents * 20 / 100;
            }
        }
        """)
    c.f("deploy/values.yaml", f"""
        name: {service}
        replicas: 4
        env:
          JAVA_OPTS: -Xmx512m
          SPRING_PROFILES_ACTIVE: prod
        """)
    c.f("README.md", f"""
        # {service}
        Taxes for checkout. Names in `deploy/values.yaml`, secrets come from the vault of the platform.
        """)
    c.h("src/main/java/com/alder/tax/TaxEngine.java", f"""
        package com.alder.tax;

        import org.springframework.beans.factory.annotation.Value;
        import org.springframework.stereotype.Component;

        @Component
        public class TaxEngine {{
            private final String {prop};

            public TaxEngine(@Value("${{{key}}}") String {prop}) {{
                this.{prop} = {prop};
            }}

            public long tax(long cents, String country) {{
                return "DE".equals(country) ? cents * 19 / 100 : new Rates({prop}).of(country) * cents / 100;
            }}
        }}
        """)
    c.h("src/main/java/com/alder/tax/Rates.java", """
        package com.alder.tax;

        class Rates {
            private final String origin;

            Rates(String origin) {
                this.origin = origin;
            }

            long of(String country) {
                return origin.isEmpty() ? 20 : country.length() * 10L;
            }
        }
        """)


@case("tax-engine-url-missing")
def _(c):
    c.meta("Spring placeholder without default and without a value in production", "config", "no-go", "confirmed",
           "@Value(\"${TAX_RATES_URL}\") has no default; neither values.yaml nor application.yml nor the running deployment's eight environment names hold it, so the context of every new pod fails to start.",
           "Set TAX_RATES_URL in values.yaml in the same change.",
           common("Spring placeholder created nowhere"))
    c.pr("Tax rates from the rates service", """
         Hard-coded rates are wrong in five countries.
         """, ["tax: remote rates"], "r-sandoval", "alder/tax", 240)
    _tax(c, "TAX_RATES_URL", "ratesUrl", "tax")
    p = c.prod("318840556071", "eu-west-3")
    dep = p.k8s("prod", "checkout", "deployment", "tax", replicas=4,
                environment_keys=["JAVA_OPTS", "SPRING_PROFILES_ACTIVE", "POD_NAME", "POD_IP", "OTEL_EXPORTER_OTLP_ENDPOINT", "SENTRY_DSN", "VAULT_ADDR", "TZ"])
    chk = p.k8s("prod", "checkout", "deployment", "checkout-api", replicas=9); gh = p.github("alder/tax")
    p.edge(gh, dep, "deploys_to"); p.edge(chk, dep, "invokes")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 66, amp=.5)
    p.metric(dep, "jvm_memory_used_ratio", "Percent", flat, 54, noise=.05)
    c.culprit("src/main/java/com/alder/tax/TaxEngine.java", '@Value("${TAX_RATES_URL}")', dep, alt_resources=[chk])


@case("tax-engine-region-present")
def _(c):
    c.meta("Spring placeholder without default whose value the platform sets", "config", "go", "refuted",
           "@Value(\"${PLATFORM_REGION}\") has no default and is in no manifest of the repository, but the running deployment already has PLATFORM_REGION among its environment names, so new pods start.",
           "None needed.", common("environment variable present at the provider"))
    c.pr("Duty rates by region", """
         Hard-coded rates are wrong in five regions.
         """, ["duty: region"], "r-sandoval", "alder/duty", 241)
    _tax(c, "PLATFORM_REGION", "region", "duty")
    p = c.prod("318840556071", "eu-west-3")
    dep = p.k8s("prod", "checkout", "deployment", "duty", replicas=4,
                environment_keys=["JAVA_OPTS", "SPRING_PROFILES_ACTIVE", "POD_NAME", "POD_IP", "PLATFORM_REGION", "SENTRY_DSN", "VAULT_ADDR", "TZ"])
    chk = p.k8s("prod", "checkout", "deployment", "checkout-api", replicas=9); gh = p.github("alder/duty")
    p.edge(gh, dep, "deploys_to"); p.edge(chk, dep, "invokes")
    p.metric(dep, "http_requests_per_second", "Count/Second", diurnal, 59, amp=.5)
    p.metric(chk, "http_error_ratio", "Percent", diurnal, 1.9, amp=.5, noise=.2)


@case("smtp-host-removed-from-configmap")
def _(c):
    c.meta("Key removed from a ConfigMap while the worker still fetches it", "config", "no-go", "confirmed",
           "SMTP_HOST is removed from ConfigMap mailer-env, but app/workers/digest_worker.rb still calls ENV.fetch(\"SMTP_HOST\") for each digest; restarted workers raise KeyError on about 310 jobs in five minutes and no digest goes out.",
           "Move the digest worker to the mail API first, then remove the key.",
           common("environment variable removed while read"))
    c.pr("Mailer uses the mail API", """
         SMTP is history: the transactional mails go through the API since Monday.
         """, ["mailer: drop smtp", "k8s: drop SMTP_HOST"], "h-brandt", "sedge/mailer", 119)
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "sidekiq", "~> 7.2"
        gem "mail"
        gem "faraday"
        """)
    c.f("app/mail_api.rb", """
        require "faraday"

        module MailApi
          def self.deliver(message)
            Faraday.post(ENV.fetch("MAIL_API_URL"), message.to_json)
          end
        end
        """)
    c.f("app/smtp.rb", """
        require "mail"

        module Smtp
          def self.settings
            { address: ENV.fetch("SMTP_HOST"), port: 587 }
          end
        end
        """)
    c.f("app/workers/transactional_worker.rb", """
        class TransactionalWorker
          include Sidekiq::Job

          def perform(message)
            MailApi.deliver(message)
          end
        end
        """)
    c.f("app/workers/digest_worker.rb", """
        class DigestWorker
          include Sidekiq::Job

          def perform(user_id)
            mail = Digest.for(user_id)
            mail.delivery_method(:smtp, address: ENV.fetch("SMTP_HOST"), port: 587)
            mail.deliver!
          end
        end
        """)
    c.f("k8s/configmap.yaml", """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: mailer-env, namespace: mail}
        data:
          MAIL_API_URL: https://mail-api.sedge.example/v1/send
          SMTP_HOST: smtp.sedge.example
          REDIS_URL: redis://mailer-redis:6379
        """)
    c.f("k8s/worker.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: mailer-worker, namespace: mail}
        spec:
          replicas: 3
          selector: {matchLabels: {app: mailer-worker}}
          template:
            metadata: {labels: {app: mailer-worker}}
            spec:
              containers:
                - name: worker
                  image: registry.sedge.example/mailer:90
                  envFrom: [{configMapRef: {name: mailer-env}}]
        """)
    c.patch("k8s/configmap.yaml", ("  SMTP_HOST: smtp.sedge.example\n", ""))
    c.patch("k8s/worker.yaml", ("mailer:90", "mailer:91"))
    c.rm("app/smtp.rb")
    p = c.prod("730046118259", "eu-west-2")
    w = p.k8s("prod", "mail", "deployment", "mailer-worker", replicas=3, environment_keys=["MAIL_API_URL", "SMTP_HOST", "REDIS_URL"])
    cm = p.k8s("prod", "mail", "configmap", "mailer-env", keys=["MAIL_API_URL", "SMTP_HOST", "REDIS_URL"]); gh = p.github("sedge/mailer")
    p.edge(gh, w, "deploys_to"); p.edge(w, cm, "reads_from")
    p.metric(w, "Count{job=DigestWorker}", "Count", diurnal, 310, amp=.4, ints=True)
    p.metric(w, "Count{job=TransactionalWorker}", "Count", diurnal, 1200, amp=.4, ints=True)
    p.logs_from(w, 120, lambda r, at, i: f"{'DigestWorker' if r.random() < .3 else 'TransactionalWorker'} JID-{r.integers(1e8, 1e9)} done: {r.random():.3f} sec", days=1)
    c.culprit("k8s/configmap.yaml", "MAIL_API_URL", w, alt=[("app/workers/digest_worker.rb", 'ENV.fetch("SMTP_HOST")')], alt_resources=[cm], deleted=[("k8s/configmap.yaml", "SMTP_HOST")])


@case("search-legacy-url-unread")
def _(c):
    c.meta("Variable removed from serverless.yml that no code reads any more", "config", "go", "refuted",
           "LEGACY_SEARCH_URL disappears from the provider environment, but neither base nor head reads it: the client has used SEARCH_URL since the last release, so functions see no difference.",
           "None needed.", common("unread environment variable removed"))
    c.pr("Drop LEGACY_SEARCH_URL", """
         Unused since the new search client.
         """, ["serverless: tidy environment"], "u-lindgren", "quarry/finder", 44)
    c.f("serverless.yml", """
        service: finder
        provider:
          name: aws
          runtime: nodejs20.x
          region: us-west-2
          environment:
            SEARCH_URL: https://search.quarry.example
            LEGACY_SEARCH_URL: https://solr.quarry.example
            PAGE: "25"
        functions:
          find:
            name: finder-find
            handler: src/find.handler
            events:
              - httpApi: GET /find
        """)
    c.f("src/find.js", """
        const { search } = require("./client");

        exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(await search(event.queryStringParameters.q)) });
        """)
    c.f("src/client.js", """
        exports.search = async (q) => {
          const res = await fetch(`${process.env.SEARCH_URL}/q?text=${encodeURIComponent(q)}&size=${process.env.PAGE}`);
          return res.json();
        };
        """)
    c.f("package.json", """
        {"name": "finder", "devDependencies": {"serverless": "3.38.0"}}
        """)
    c.patch("serverless.yml", ("    LEGACY_SEARCH_URL: https://solr.quarry.example\n", ""))
    p = c.prod("129944017756", "us-west-2")
    f = p.lam("finder-find", runtime="nodejs20.x", timeout_s=6, environment_keys=["SEARCH_URL", "LEGACY_SEARCH_URL", "PAGE"]); gh = p.github("quarry/finder")
    p.edge(gh, f, "deploys_to")
    p.metric(f, "Invocations", "Count", diurnal, 4200, amp=.5, ints=True)
    p.metric(f, "Errors", "Count", sparse, 90)


@case("sms-gateway-key-unknown")
def _(c):
    c.meta("Required environment variable of unknown origin", "config", "go", "plausible",
           "ENV.fetch(\"SMS_GATEWAY_KEY\") raises at boot when it is missing. No manifest of the repository lists names (they come from a vault template elsewhere) and the snapshot has no environment names of the service.",
           "Confirm the name in the vault template before the release.",
           common("environment variable, provider unknown"))
    c.pr("SMS through the new gateway", """
         The contract with the old one ends in July.
         """, ["sms: new gateway"], "h-brandt", "sedge/notify", 301)
    c.f("Gemfile", """
        source "https://rubygems.org"
        gem "sinatra"
        gem "puma"
        gem "faraday"
        """)
    c.f("config.ru", """
        require_relative "app/server"
        run Server
        """)
    c.f("app/server.rb", """
        require "sinatra/base"
        require_relative "sms"

        class Server < Sinatra::Base
          post "/sms" do
            Sms.send_text(params[:to], params[:text])
            204
          end
        end
        """)
    c.f("app/sms.rb", """
        require "faraday"

        module Sms
          URL = "https://old-gateway.example/send"

          def self.send_text(to, text)
            Faraday.post(URL, { to: to, text: text }.to_json)
          end
        end
        """)
    c.f("nomad/notify.hcl", """
        job "notify" {
          datacenters = ["eu1"]
          group "web" {
            count = 3
            task "web" {
              driver = "docker"
              config { image = "registry.sedge.example/notify:33" }
              template {
                source      = "/etc/nomad/templates/notify.env.tpl"
                destination = "secrets/env"
                env         = true
              }
            }
          }
        }
        """)
    c.patch("app/sms.rb", ('URL = "https://old-gateway.example/send"\n', 'URL = "https://gateway-two.example/v3/messages"\n  KEY = ENV.fetch("SMS_GATEWAY_KEY")\n'),
            ("Faraday.post(URL, { to: to, text: text }.to_json)", 'Faraday.post(URL, { to: to, text: text }.to_json, "Authorization" => "Key #{KEY}")'))
    p = c.prod("sedge-dc", "eu1")
    svc = p.res("nomad:job:notify", "nomad.job", "notify", count=3); gh = p.github("sedge/notify")
    p.edge(gh, svc, "deploys_to")
    p.metric(svc, "http_requests_per_second", "Count/Second", diurnal, 2.4, amp=.5)
    c.culprit("app/sms.rb", 'ENV.fetch("SMS_GATEWAY_KEY")', svc)


@case("worker-env-production-kv")
def _(c):
    c.meta("New KV binding defined at the top level only, production is a named environment", "config", "no-go", "confirmed",
           "THROTTLE is bound at the top level of wrangler.toml, but bindings are not inherited by env.production, which is what the deploy uses; the deployed Worker lists only LINKS. env.THROTTLE.get throws on undefined on every redirect, 140 requests/s.",
           "Repeat the binding under [[env.production.kv_namespaces]].",
           "https://github.com/cloudflare/workers-sdk/issues/751", True)
    c.pr("Throttle abusive clients", """
         Counts per IP in KV. Works on the preview deployment.
         """, ["throttle", "wrangler: THROTTLE namespace"], "k-vesely", "plover/go-links", 29)
    c.f("wrangler.toml", """
        name = "go-links"
        main = "src/index.ts"
        compatibility_date = "2024-05-01"

        [[kv_namespaces]]
        binding = "LINKS"
        id = "0aa1b2c3d4e5f60718293a4b5c6d7e8f"

        [env.production]
        name = "go-links-production"
        route = { pattern = "go.plover.example/*", zone_name = "plover.example" }

        [[env.production.kv_namespaces]]
        binding = "LINKS"
        id = "9ff8e7d6c5b4a39281706f5e4d3c2b1a"
        """)
    c.f("src/index.ts", """
        export interface Env {
          LINKS: KVNamespace;
        }

        export default {
          async fetch(req: Request, env: Env): Promise<Response> {
            const target = await env.LINKS.get(new URL(req.url).pathname.slice(1));
            return target ? Response.redirect(target, 302) : new Response("unknown link", { status: 404 });
          },
        };
        """)
    c.f("package.json", """
        {"name": "go-links", "scripts": {"deploy": "wrangler deploy --env production"}, "devDependencies": {"wrangler": "3.57.0"}}
        """)
    c.f(".github/workflows/deploy.yml", """
        name: deploy
        on:
          push:
            branches: [main]
        jobs:
          deploy:
            runs-on: ubuntu-22.04
            steps:
              - uses: actions/checkout@v4
              - run: npm ci && npm run deploy
                env:
                  CLOUDFLARE_API_TOKEN: ${{ secrets.CLOUDFLARE_API_TOKEN }}
        """)
    c.patch("wrangler.toml", ('id = "0aa1b2c3d4e5f60718293a4b5c6d7e8f"\n', 'id = "0aa1b2c3d4e5f60718293a4b5c6d7e8f"\n\n[[kv_namespaces]]\nbinding = "THROTTLE"\nid = "11c2d3e4f5061728394a5b6c7d8e9f00"\n'))
    c.h("src/throttle.ts", """
        export async function tooMany(ip: string, store: KVNamespace): Promise<boolean> {
          const seen = Number((await store.get(ip)) ?? 0);
          if (seen > 600) return true;
          await store.put(ip, String(seen + 1), { expirationTtl: 60 });
          return false;
        }
        """)
    c.patch("src/index.ts", ("  LINKS: KVNamespace;\n", "  LINKS: KVNamespace;\n  THROTTLE: KVNamespace;\n"), ("export interface Env", 'import { tooMany } from "./throttle";\n\nexport interface Env'),
            ("    const target =", '    const ip = req.headers.get("cf-connecting-ip") ?? "";\n    if (await tooMany(ip, env.THROTTLE)) return new Response("slow down", { status: 429 });\n    const target ='))
    p = c.prod("cf-acct-8c11", "global")
    w = p.worker("go-links-production", routes=["go.plover.example/*"], bindings={"LINKS": "kv_namespace"}); kv = p.res("cloudflare:kv:go-links-LINKS", "cloudflare.kv_namespace", "go-links-LINKS", key_count=41200)
    gh = p.github("plover/go-links")
    p.edge(gh, w, "deploys_to"); p.edge(w, kv, "reads_from")
    p.metric(w, "RequestsPerSecond", "Count/Second", diurnal, 140, amp=.5)
    p.metric(w, "ErrorsPerSecond", "Count/Second", flat, .02, noise=.4)
    c.culprit("src/index.ts", "env.THROTTLE", w, alt=[("wrangler.toml", 'binding = "THROTTLE"')], alt_resources=[kv])


@case("flyway-applied-comment-edited")
def _(c):
    c.meta("Comment corrected in a Flyway migration that production has applied", "migration-order", "no-go", "confirmed",
           "Only a comment of V14 changes, but V14 is applied in production and Flyway validates checksums at boot: every new task stops with 'Migration checksum mismatch for migration version 14' and the release cannot start.",
           "Leave applied files alone; put the explanation elsewhere.",
           common("applied Flyway migration edited"), True)
    c.pr("Fix a misleading comment", """
         The comment said gross, it is net. No functional change.
         """, ["V14: net, not gross"], "q-silva", "corvane/pricing", 614)
    c.f("pom.xml", """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>com.corvane</groupId>
          <artifactId>pricing</artifactId>
          <version>6.1.0</version>
          <dependencies>
            <dependency><groupId>org.flywaydb</groupId><artifactId>flyway-core</artifactId><version>9.22.3</version></dependency>
          </dependencies>
        </project>
        """)
    c.f("src/main/resources/application.properties", """
        spring.datasource.url=${JDBC_URL}
        spring.flyway.enabled=true
        spring.flyway.validate-on-migrate=true
        """)
    c.f("src/main/resources/db/migration/V14__price_cents.sql", """
        -- gross price in cents
        ALTER TABLE prices ADD COLUMN cents bigint;
        """)
    c.f("src/main/resources/db/migration/V15__price_currency.sql", """
        ALTER TABLE prices ADD COLUMN currency char(3);
        """)
    c.f("src/main/java/com/corvane/pricing/Price.java", """
        package com.corvane.pricing;

        public record Price(long id, long cents, String currency) {
        }
        """)
    c.patch("src/main/resources/db/migration/V14__price_cents.sql", ("-- gross price in cents", "-- net price in cents"))
    p = c.prod("902771450036", "eu-west-1")
    db = p.rds("pricing-pg", engine="postgres", engine_version="15.6"); svc = p.ecs("money", "pricing", desired_count=4); gh = p.github("corvane/pricing")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 70, amp=.4)
    p.db(db, "postgres", "15.6", [("public", "prices", 800_000, 120_000_000, 1.0, 140.0), ("public", "flyway_schema_history", 15, 16_384, 0.0, 0.0)],
         [("public", "prices", "prices_pkey", "CREATE UNIQUE INDEX prices_pkey ON public.prices USING btree (id)", 400_000, 18_000_000)], {}, applied_migrations=["13", "14", "15"])
    p.logs_from(svc, 12, lambda r, at, i: "o.f.core.internal.command.DbValidate : Successfully validated 15 migrations (execution time 00:00.031s)", days=7)
    c.culprit("src/main/resources/db/migration/V14__price_cents.sql", "-- net price in cents", svc, alt_resources=[db], deleted=[("src/main/resources/db/migration/V14__price_cents.sql", "-- gross price")])


@case("golang-migrate-applied-comment-edited")
def _(c):
    c.meta("Comment corrected in a golang-migrate file that production has applied", "migration-order", "go", "refuted",
           "An applied migration is edited, but only its comment, and golang-migrate keeps a version number and no checksum: production is at 15, so file 14 is never looked at again.",
           "None needed.", common("applied migration edited, no checksums"), True)
    c.pr("Fix a misleading comment", """
         The comment said gross, it is net. No functional change.
         """, ["000014: net, not gross"], "q-silva", "corvane/discounts", 615)
    c.f("go.mod", """
        module example.org/corvane/discounts

        go 1.22

        require github.com/golang-migrate/migrate/v4 v4.17.1
        """)
    c.f("migrations/000014_price_cents.up.sql", """
        -- gross price in cents
        ALTER TABLE discounts ADD COLUMN cents bigint;
        """)
    c.f("migrations/000014_price_cents.down.sql", """
        ALTER TABLE discounts DROP COLUMN cents;
        """)
    c.f("migrations/000015_currency.up.sql", """
        ALTER TABLE discounts ADD COLUMN currency char(3);
        """)
    c.f("migrations/000015_currency.down.sql", """
        ALTER TABLE discounts DROP COLUMN currency;
        """)
    c.f("Makefile", """
        release:
        	migrate -path migrations -database "$(DATABASE_URL)" up
        """)
    c.patch("migrations/000014_price_cents.up.sql", ("-- gross price in cents", "-- net price in cents"))
    p = c.prod("902771450036", "eu-west-1")
    db = p.rds("discounts-pg", engine="postgres", engine_version="15.6"); svc = p.ecs("money", "discounts", desired_count=4); gh = p.github("corvane/discounts")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 64, amp=.4)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 72, amp=.2, hi=97)
    p.db(db, "postgres", "15.6", [("public", "discounts", 90_000, 15_000_000, 1.0, 120.0)],
         [("public", "discounts", "discounts_pkey", "CREATE UNIQUE INDEX discounts_pkey ON public.discounts USING btree (id)", 390_000, 2_000_000)], {}, applied_migrations=["15"])


# ---------------------------------------------------------------------------------------------
# Queues, topics, streams
# ---------------------------------------------------------------------------------------------

def _sns(c, topic, consumer, kept):
    c.f("main.tf", f"""
        resource "aws_sns_topic" "{topic.replace('-', '_')}" {{
          name = "{topic}"
        }}

        resource "aws_sqs_queue" "{consumer.replace('-', '_')}" {{
          name                       = "{consumer}"
          visibility_timeout_seconds = 180
        }}
        """)
    c.f("subscriptions.tf", f"""
        resource "aws_sns_topic_subscription" "{kept.replace('-', '_')}" {{
          topic_arn = aws_sns_topic.{topic.replace('-', '_')}.arn
          protocol  = "lambda"
          endpoint  = "arn:aws:lambda:eu-west-2:730046118259:function:{kept}"
        }}

        resource "aws_sns_topic_subscription" "{consumer.replace('-', '_')}" {{
          topic_arn = aws_sns_topic.{topic.replace('-', '_')}.arn
          protocol  = "sqs"
          endpoint  = aws_sqs_queue.{consumer.replace('-', '_')}.arn
        }}
        """)
    c.f("lambda.tf", f"""
        resource "aws_lambda_event_source_mapping" "{consumer.replace('-', '_')}" {{
          event_source_arn = aws_sqs_queue.{consumer.replace('-', '_')}.arn
          function_name    = "{consumer}-worker"
          batch_size       = 10
        }}
        """)
    c.f("versions.tf", """
        terraform {
          required_version = ">= 1.6"
        }
        """)
    c.f("README.md", f"""
        # {topic}
        Fan-out of {topic}. Publishers live in their own repositories.
        """)
    c.patch("subscriptions.tf", (f"""
resource "aws_sns_topic_subscription" "{consumer.replace('-', '_')}" {{
  topic_arn = aws_sns_topic.{topic.replace('-', '_')}.arn
  protocol  = "sqs"
  endpoint  = aws_sqs_queue.{consumer.replace('-', '_')}.arn
}}
""", ""))


@case("stock-topic-subscription-removed")
def _(c):
    c.meta("Topic subscription removed that feeds a working consumer", "queue", "no-go", "confirmed",
           "The subscription of search-feed to stock-changed is removed; the topic publishes about 1,500 messages in five minutes and the worker behind the queue indexes each, so the search shows stale stock from the apply on and messages are lost for good.",
           "Keep the subscription until the replacement consumes from the topic.",
           common("subscription removed while used"))
    c.pr("Clean up subscriptions of stock-changed", """
         Search was rewritten; I do not think it needs SNS any more.
         """, ["terraform: remove subscription"], "d-halvorsen", "sedge/stock-events", 66)
    _sns(c, "stock-changed", "search-feed", "stock-audit")
    p = c.prod("730046118259", "eu-west-2")
    t = p.sns("stock-changed"); q = p.sqs("search-feed", visibility_timeout_s=180); w = p.lam("search-feed-worker", runtime="python3.12", timeout_s=30, event_source_batch_size=10)
    a = p.lam("stock-audit", runtime="python3.12", timeout_s=10); gh = p.github("sedge/stock-events")
    p.edge(gh, t, "deploys_to"); p.edge(t, q, "publishes_to"); p.edge(t, a, "invokes"); p.edge(q, w, "triggers")
    p.metric(t, "NumberOfMessagesPublished", "Count", diurnal, 1500, amp=.5, ints=True)
    p.metric(q, "NumberOfMessagesReceived", "Count", diurnal, 1500, amp=.5, ints=True)
    p.metric(w, "Invocations", "Count", diurnal, 210, amp=.5, ints=True)
    p.logs_from(w, 120, lambda r, at, i: f"indexed {r.integers(1, 10)} stock changes into products-v3", days=1)
    c.culprit("subscriptions.tf", 'endpoint  = "arn:aws:lambda', q, alt=[("lambda.tf", "aws_sqs_queue.search_feed.arn")], alt_resources=[t, w],
              deleted=[("subscriptions.tf", 'aws_sns_topic_subscription" "search_feed"'), ("subscriptions.tf", "endpoint  = aws_sqs_queue.search_feed.arn")])


@case("legacy-price-topic-subscription-removed")
def _(c):
    c.meta("Topic subscription removed from a topic that publishes nothing", "queue", "go", "refuted",
           "The subscription of price-cache goes, but legacy-price-changed has published 0 messages all week, its queue is empty and the worker was never invoked; nothing is lost.",
           "None needed.", common("subscription of a silent topic removed"))
    c.pr("Clean up subscriptions of legacy-price-changed", """
         Prices come from the pricing service since March.
         """, ["terraform: remove subscription"], "d-halvorsen", "sedge/price-events", 67)
    _sns(c, "legacy-price-changed", "price-cache", "price-audit")
    p = c.prod("730046118259", "eu-west-2")
    t = p.sns("legacy-price-changed"); q = p.sqs("price-cache", visibility_timeout_s=180); w = p.lam("price-cache-worker", runtime="python3.12", timeout_s=30, event_source_batch_size=10)
    a = p.lam("price-audit", runtime="python3.12", timeout_s=10); other = p.sqs("orders-export", visibility_timeout_s=300); gh = p.github("sedge/price-events")
    p.edge(gh, t, "deploys_to"); p.edge(t, q, "publishes_to"); p.edge(t, a, "invokes"); p.edge(q, w, "triggers"); p.edge(gh, other, "deploys_to")
    p.metric(t, "NumberOfMessagesPublished", "Count", zeros)
    p.metric(q, "ApproximateNumberOfMessagesVisible", "Count", zeros)
    p.metric(w, "Invocations", "Count", zeros)
    p.metric(other, "ApproximateAgeOfOldestMessage", "Seconds", diurnal, 900, amp=.6, noise=.2)


def _loyal(c):
    c.f("settings.gradle.kts", """
        rootProject.name = "points"
        include("checkout")
        """)
    c.f("checkout/src/main/kotlin/points/PurchaseEvent.kt", """
        package points

        import com.fasterxml.jackson.annotation.JsonProperty

        data class PurchaseEvent(
            @JsonProperty("purchaseId") val purchaseId: String,
            @JsonProperty("customerId") val customerId: String,
            @JsonProperty("cents") val cents: Long,
        )
        """)
    c.f("checkout/src/main/kotlin/points/Publisher.kt", """
        package points

        import com.fasterxml.jackson.databind.ObjectMapper
        import software.amazon.awssdk.services.sqs.SqsClient

        class Publisher(private val sqs: SqsClient, private val queueUrl: String) {
            private val json = ObjectMapper()

            fun publish(event: PurchaseEvent) {
                sqs.sendMessage { it.queueUrl(queueUrl).messageBody(json.writeValueAsString(event)) }
            }
        }
        """)
    c.f("worker/handler.py", """
        import json

        from points import credit


        def handler(event, _context):
            for record in event["Records"]:
                purchase = json.loads(record["body"])
                credit(purchase["customerId"], purchase["cents"] // 100)
        """)
    c.f("worker/points.py", """
        import boto3

        table = boto3.resource("dynamodb").Table("points")


        def credit(customer: str, points: int) -> None:
            table.update_item(
                Key={"customer": customer},
                UpdateExpression="ADD points :p",
                ExpressionAttributeValues={":p": points},
            )
        """)


@case("loyalty-message-field-renamed")
def _(c):
    c.meta("Producer renames a message field that the consumer reads", "queue", "no-go", "confirmed",
           "PurchaseEvent serialises customerId as customer_id from now on, while worker/handler.py still reads purchase[\"customerId\"]: every message (about 1,100 in five minutes) raises KeyError, is retried three times and ends in the DLQ, and no points are credited.",
           "Let the consumer accept both names, deploy it, then switch the producer.",
           common("message schema mismatch"))
    c.pr("snake_case in events", """
         Event guideline: field names are snake_case. Tests of checkout pass.
         """, ["PurchaseEvent: snake_case"], "n-castellan", "lumen/points", 207)
    _loyal(c)
    c.f("template.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Transform: AWS::Serverless-2016-10-31
        Resources:
          Purchases:
            Type: AWS::SQS::Queue
            Properties:
              QueueName: purchases
              VisibilityTimeout: 120
              RedrivePolicy: {deadLetterTargetArn: !GetAtt PurchasesDead.Arn, maxReceiveCount: 3}
          PurchasesDead:
            Type: AWS::SQS::Queue
            Properties: {QueueName: purchases-dead}
          Points:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: points-credit
              CodeUri: worker/
              Handler: handler.handler
              Runtime: python3.12
              Timeout: 20
              Events:
                Purchases:
                  Type: SQS
                  Properties: {Queue: !GetAtt Purchases.Arn, BatchSize: 10}
        """)
    c.patch("checkout/src/main/kotlin/points/PurchaseEvent.kt", ('@JsonProperty("purchaseId")', '@JsonProperty("purchase_id")'), ('@JsonProperty("customerId")', '@JsonProperty("customer_id")'))
    p = c.prod("667300912245", "eu-north-1")
    q = p.sqs("purchases", visibility_timeout_s=120, redrive_max_receive_count=3); d = p.sqs("purchases-dead"); f = p.lam("points-credit", runtime="python3.12", timeout_s=20, event_source_batch_size=10)
    chk = p.ecs("shop", "checkout", desired_count=6); gh = p.github("lumen/points")
    p.edge(gh, chk, "deploys_to"); p.edge(gh, f, "deploys_to"); p.edge(chk, q, "publishes_to"); p.edge(q, f, "triggers"); p.edge(q, d, "publishes_to")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 1100, amp=.5, ints=True)
    p.metric(f, "Errors", "Count", zeros)
    p.metric(d, "ApproximateNumberOfMessagesVisible", "Count", zeros)
    c.culprit("checkout/src/main/kotlin/points/PurchaseEvent.kt", '"customer_id"', q, alt=[("worker/handler.py", 'purchase["customerId"]')], alt_resources=[f, chk, d])


@case("loyalty-message-field-added")
def _(c):
    c.meta("Producer adds a message field that the consumer ignores", "queue", "go", "refuted",
           "PurchaseEvent gets a new field, but the consumer reads only customerId and cents from a plain dict, both unchanged, so messages of either shape are processed alike.",
           "None needed.", common("additive message schema"))
    c.pr("Purchases carry their channel", """
         The warehouse will read it later. Old and new messages are both fine.
         """, ["PurchaseEvent: channel"], "n-castellan", "lumen/bonus", 208)
    _loyal(c)
    c.f("template.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Transform: AWS::Serverless-2016-10-31
        Resources:
          Purchases:
            Type: AWS::SQS::Queue
            Properties: {QueueName: bonus-purchases, VisibilityTimeout: 120}
          Points:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: bonus-credit
              CodeUri: worker/
              Handler: handler.handler
              Runtime: python3.12
              Timeout: 20
              Events:
                Purchases:
                  Type: SQS
                  Properties: {Queue: !GetAtt Purchases.Arn, BatchSize: 10}
        """)
    c.patch("checkout/src/main/kotlin/points/PurchaseEvent.kt", ('    @JsonProperty("cents") val cents: Long,\n', '    @JsonProperty("cents") val cents: Long,\n    @JsonProperty("channel") val channel: String = "web",\n'))
    p = c.prod("667300912245", "eu-north-1")
    q = p.sqs("bonus-purchases", visibility_timeout_s=120); f = p.lam("bonus-credit", runtime="python3.12", timeout_s=20, event_source_batch_size=10)
    chk = p.ecs("shop", "bonus-checkout", desired_count=6); gh = p.github("lumen/bonus")
    p.edge(gh, chk, "deploys_to"); p.edge(gh, f, "deploys_to"); p.edge(chk, q, "publishes_to"); p.edge(q, f, "triggers")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 1000, amp=.5, ints=True)
    p.metric(f, "Duration.p99", "Milliseconds", flat, 640, noise=.08)
    p.metric(chk, "CPUUtilization", "Percent", diurnal, 70, amp=.2, hi=97)


def _visibility(c, name, fn_timeout, what):
    c.f("queue.tf", f"""
        resource "aws_sqs_queue" "jobs" {{
          name                       = "{name}-jobs"
          visibility_timeout_seconds = 900
          message_retention_seconds  = 345600
        }}
        """)
    c.f("lambda.tf", f"""
        resource "aws_lambda_function" "{name}" {{
          function_name = "{name}"
          handler       = "{name}.handler"
          runtime       = "python3.12"
          role          = var.role_arn
          filename      = "{name}.zip"
          memory_size   = 2048
          timeout       = {fn_timeout}
        }}

        resource "aws_lambda_event_source_mapping" "{name}" {{
          event_source_arn = aws_sqs_queue.jobs.arn
          function_name    = aws_lambda_function.{name}.arn
          batch_size       = 1
        }}
        """)
    c.f("variables.tf", """
        variable "role_arn" {
          type = string
        }
        """)
    c.f(f"{name}.py", f"""
        import json

        from work import {what}


        def handler(event, _context):
            for record in event["Records"]:
                job = json.loads(record["body"])
                {what}(job["source"], job["target"])
        """)
    c.f("work.py", f"""
        import subprocess


        def {what}(source: str, target: str) -> None:
            subprocess.run(["/opt/bin/{what}", source, target], check=True)
        """)
    c.patch("queue.tf", ("visibility_timeout_seconds = 900", "visibility_timeout_seconds = 60"))


@case("transcode-visibility-60")
def _(c):
    c.meta("Visibility timeout set below the time that a job takes", "queue", "no-go", "confirmed",
           "Visibility goes from 900 s to 60 s while transcode runs 140 s at the median, 260 s at p95 (function timeout 300 s): each job becomes visible again while it runs and is transcoded several times in parallel, which multiplies load and bills.",
           "Keep visibility at six times the function timeout (1800 s).",
           common("visibility below processing time"))
    c.pr("Faster retries for jobs", """
         When a job crashes it takes 15 minutes until it is tried again. One minute is friendlier.
         """, ["visibility 60 s"], "j-lund", "fathom/video", 95)
    _visibility(c, "transcode", 300, "encode")
    p = c.prod("471120093384", "us-east-1")
    q = p.sqs("transcode-jobs", visibility_timeout_s=900, message_retention_s=345600); f = p.lam("transcode", runtime="python3.12", timeout_s=300, memory_mb=2048, event_source_batch_size=1); gh = p.github("fathom/video")
    p.edge(gh, f, "deploys_to"); p.edge(q, f, "triggers")
    p.metric(f, "Duration.p50", "Milliseconds", flat, 140000, noise=.05)
    p.metric(f, "Duration.p95", "Milliseconds", flat, 258000, noise=.04, hi=290000)
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 46, amp=.5, ints=True)
    p.metric(f, "ConcurrentExecutions.max", "Count", diurnal, 24, amp=.4, ints=True)
    c.culprit("queue.tf", "visibility_timeout_seconds = 60", q, alt_resources=[f])


@case("thumbs-visibility-60")
def _(c):
    c.meta("Visibility timeout lowered but still far above the time a job takes", "queue", "go", "refuted",
           "Visibility goes from 900 s to 60 s, which is six times the function timeout of 10 s, and the slowest thumbnail of the week took under 4 s; no job becomes visible while it runs.",
           "None needed.", common("visibility above processing time"))
    c.pr("Faster retries for jobs", """
         When a job crashes it takes 15 minutes until it is tried again. One minute is friendlier.
         """, ["visibility 60 s"], "j-lund", "fathom/thumbs", 96)
    _visibility(c, "thumbs", 10, "shrink")
    p = c.prod("471120093384", "us-east-1")
    q = p.sqs("thumbs-jobs", visibility_timeout_s=900, message_retention_s=345600); f = p.lam("thumbs", runtime="python3.12", timeout_s=10, memory_mb=2048, event_source_batch_size=1); gh = p.github("fathom/thumbs")
    p.edge(gh, f, "deploys_to"); p.edge(q, f, "triggers")
    p.metric(f, "Duration.p50", "Milliseconds", flat, 480, noise=.05)
    p.metric(f, "Duration.max", "Milliseconds", flat, 3100, noise=.08, hi=3900)
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 1900, amp=.5, ints=True)
    p.metric(f, "Errors", "Count", sparse, 70)


@case("geocode-batch-100")
def _(c):
    c.meta("Batch of 100 that cannot finish within the function timeout", "queue", "no-go", "confirmed",
           "BatchSize goes from 10 to 100; a batch of 10 takes 13.8 s at the median (1.4 s an item, one geocoder call each), so 100 take about 138 s against a timeout of 60 s. Arrivals of 20/s fill the batches, all of them time out, nothing is deleted and after three tries everything is in the DLQ.",
           "Keep the batch at 10, or raise the timeout and call the geocoder in parallel.",
           common("batch size times item time against the timeout"))
    c.pr("Larger geocode batches", """
         We pay for a lot of invocations with ten messages each.
         """, ["cfn: BatchSize 100"], "l-ravn", "pelican/geocode", 33)
    c.f("stack.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Resources:
          Addresses:
            Type: AWS::SQS::Queue
            Properties:
              QueueName: addresses
              VisibilityTimeout: 360
              RedrivePolicy:
                deadLetterTargetArn: !GetAtt AddressesDead.Arn
                maxReceiveCount: 3
          AddressesDead:
            Type: AWS::SQS::Queue
            Properties: {QueueName: addresses-dead}
          Geocode:
            Type: AWS::Lambda::Function
            Properties:
              FunctionName: geocode
              Runtime: nodejs20.x
              Handler: geocode.handler
              Role: !ImportValue geocode-role
              Timeout: 60
              MemorySize: 512
              Code: {S3Bucket: pelican-code, S3Key: geocode.zip}
          Mapping:
            Type: AWS::Lambda::EventSourceMapping
            Properties:
              EventSourceArn: !GetAtt Addresses.Arn
              FunctionName: !Ref Geocode
              BatchSize: 10
        """)
    c.f("geocode.js", """
        const { locate } = require("./geocoder");

        exports.handler = async (event) => {
          for (const record of event.Records) {
            const address = JSON.parse(record.body);
            await locate(address);
          }
        };
        """)
    c.f("geocoder.js", """
        exports.locate = async (address) => {
          const res = await fetch(`${process.env.GEOCODER_URL}?q=${encodeURIComponent(address.text)}`);
          return res.json();
        };
        """)
    c.f("package.json", """
        {"name": "geocode", "private": true}
        """)
    c.patch("stack.yaml", ("      BatchSize: 10\n", "      BatchSize: 100\n      MaximumBatchingWindowInSeconds: 20\n"))
    p = c.prod("840015527736", "eu-west-1")
    q = p.sqs("addresses", visibility_timeout_s=360, redrive_max_receive_count=3); d = p.sqs("addresses-dead")
    f = p.lam("geocode", runtime="nodejs20.x", timeout_s=60, memory_mb=512, event_source_batch_size=10); gh = p.github("pelican/geocode")
    p.edge(gh, f, "deploys_to"); p.edge(q, f, "triggers"); p.edge(q, d, "publishes_to")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 6000, amp=.3, ints=True)
    p.metric(f, "Duration.p50", "Milliseconds", flat, 13800, noise=.04)
    p.metric(f, "Duration.p99", "Milliseconds", flat, 19500, noise=.05)
    p.metric(q, "ApproximateAgeOfOldestMessage", "Seconds", flat, 9, noise=.3)
    c.culprit("stack.yaml", "BatchSize: 100", f, alt=[("stack.yaml", "MaximumBatchingWindowInSeconds")], alt_resources=[q, d])


@case("charge-max-receive-1")
def _(c):
    c.meta("maxReceiveCount of 1 while transient errors are cured by retries", "queue", "no-go", "confirmed",
           "redrive maxReceiveCount goes from 5 to 1. About 2.4% of the charges fail at first with a 503 of the bank and succeed at the second attempt; from now on each of them (some 18 in five minutes) goes straight to the DLQ and is not charged.",
           "Keep at least 3 receives and alarm on the DLQ.",
           common("max receive count against transient errors"))
    c.pr("Fail fast to the DLQ", """
         Poison messages annoy us five times each.
         """, ["maxReceiveCount 1"], "f-achterberg", "corvane/charges", 142)
    c.f("queues.tf", """
        resource "aws_sqs_queue" "charges" {
          name                       = "charges"
          visibility_timeout_seconds = 120
          redrive_policy = jsonencode({
            deadLetterTargetArn = aws_sqs_queue.charges_dead.arn
            maxReceiveCount     = 5
          })
        }

        resource "aws_sqs_queue" "charges_dead" {
          name                      = "charges-dead"
          message_retention_seconds = 1209600
        }
        """)
    c.f("service.tf", """
        resource "aws_ecs_service" "charger" {
          name          = "charger"
          cluster       = "money"
          desired_count = 3
        }
        """)
    c.f("charger/main.go", """
        package main

        import (
        	"context"
        	"log"
        )

        func main() {
        	ctx := context.Background()
        	for {
        		for _, m := range receive(ctx) {
        			if err := charge(ctx, m); err != nil {
        				log.Printf("charge %s attempt=%d failed: %v", m.ID, m.Receives, err)
        				continue
        			}
        			remove(ctx, m)
        		}
        	}
        }
        """)
    c.f("charger/queue.go", """
        package main

        import "context"

        type message struct {
        	ID       string
        	Receives int
        }

        func receive(context.Context) []message          { return nil }
        func remove(context.Context, message)            {}
        func charge(context.Context, message) error      { return nil }
        """)
    c.patch("queues.tf", ("maxReceiveCount     = 5", "maxReceiveCount     = 1"))
    p = c.prod("902771450036", "eu-west-1")
    q = p.sqs("charges", visibility_timeout_s=120, redrive_max_receive_count=5); d = p.sqs("charges-dead", message_retention_s=1209600); svc = p.ecs("money", "charger", desired_count=3); gh = p.github("corvane/charges")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, q, "reads_from"); p.edge(q, d, "publishes_to")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 750, amp=.4, ints=True)
    p.metric(q, "NumberOfMessagesReceived", "Count", diurnal, 768, amp=.4, ints=True)
    p.metric(svc, "Count{outcome=failed_first_attempt}", "Count", diurnal, 18, amp=.4, ints=True)
    p.metric(d, "ApproximateNumberOfMessagesVisible", "Count", flat, 3, noise=.02, ints=True)
    p.logs_from(svc, 240, lambda r, at, i: ("WARN", f"charge ch_{r.integers(1e6, 1e7)} attempt=1 failed: bank answered 503") if r.random() < .3 else f"charge ch_{r.integers(1e6, 1e7)} attempt={2 if r.random() < .3 else 1} ok", days=1)
    c.culprit("queues.tf", "maxReceiveCount     = 1", q, alt_resources=[d, svc])


def _parcel_stack(c, prefix):
    c.f("template.yaml", f"""
        AWSTemplateFormatVersion: "2010-09-09"
        Transform: AWS::Serverless-2016-10-31
        Resources:
          ParcelEvents:
            Type: AWS::SQS::Queue
            Properties:
              QueueName: {prefix}-events
              VisibilityTimeout: 60
              MessageRetentionPeriod: 345600
              RedrivePolicy:
                deadLetterTargetArn: !GetAtt ParcelDead.Arn
                maxReceiveCount: 4
          ParcelDead:
            Type: AWS::SQS::Queue
            Properties: {{QueueName: {prefix}-events-dead, MessageRetentionPeriod: 1209600}}
          Tracker:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: {prefix}-tracker
              Handler: tracker.handler
              Runtime: python3.12
              Timeout: 10
              Events:
                Parcel:
                  Type: SQS
                  Properties: {{Queue: !GetAtt ParcelEvents.Arn, BatchSize: 10}}
        """)
    c.f("tracker.py", """
        import json

        from store import move


        def handler(event, _context):
            for record in event["Records"]:
                scan = json.loads(record["body"])
                move(scan["parcel"], scan["depot"])
        """)
    c.f("store.py", """
        import boto3

        table = boto3.resource("dynamodb").Table("parcels")


        def move(parcel: str, depot: str) -> None:
            table.update_item(Key={"parcel": parcel}, UpdateExpression="SET depot = :d", ExpressionAttributeValues={":d": depot})
        """)
    c.f("samconfig.toml", """
        version = 0.1

        [default.deploy.parameters]
        stack_name = "tracking"
        """)


@case("parcel-events-redrive-removed")
def _(c):
    c.meta("Redrive policy removed from a queue that receives poison messages all day", "queue", "no-go", "confirmed",
           "Without RedrivePolicy a malformed scan is retried every 60 s for four days. The DLQ grew from 200 to about 3,700 messages this week, so poison is constant; the handler fails whole batches of ten, so each poison message keeps good scans with it in the loop and the backlog grows without limit.",
           "Keep the redrive policy; return batchItemFailures and drop malformed scans in the handler.",
           common("redrive policy removed"))
    c.pr("No more dead letters", """
         Nobody looks at the dead letter queue. Messages should be retried until they succeed.
         """, ["sam: remove DLQ"], "m-oduya", "tallow/tracking", 77)
    _parcel_stack(c, "parcel")
    c.patch("template.yaml", ("""      RedrivePolicy:
        deadLetterTargetArn: !GetAtt ParcelDead.Arn
        maxReceiveCount: 4
  ParcelDead:
    Type: AWS::SQS::Queue
    Properties: {QueueName: parcel-events-dead, MessageRetentionPeriod: 1209600}
""", ""))
    p = c.prod("418820073311", "eu-central-1")
    q = p.sqs("parcel-events", visibility_timeout_s=60, message_retention_s=345600, redrive_max_receive_count=4); d = p.sqs("parcel-events-dead", message_retention_s=1209600)
    f = p.lam("parcel-tracker", runtime="python3.12", timeout_s=10, event_source_batch_size=10); gh = p.github("tallow/tracking")
    p.edge(gh, f, "deploys_to"); p.edge(q, f, "triggers"); p.edge(q, d, "publishes_to")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 2600, amp=.5, ints=True)
    p.metric(d, "ApproximateNumberOfMessagesVisible", "Count", flat, 200, noise=.002, trend=17.5, ints=True)
    p.metric(f, "Errors", "Count", diurnal, 7, amp=.4, noise=.2, ints=True)
    p.logs_from(f, 160, lambda r, at, i: ("ERROR", "KeyError: 'depot' in tracker.handler") if r.random() < .25 else f"moved {r.integers(1, 10)} parcels", days=2)
    c.culprit("template.yaml", "MessageRetentionPeriod: 345600", q, alt_resources=[d, f], deleted=[("template.yaml", "RedrivePolicy:"), ("template.yaml", "maxReceiveCount: 4"), ("template.yaml", "deadLetterTargetArn")])


@case("parcel-events-redrive-moved")
def _(c):
    c.meta("Redrive policy moved to a shared dead letter queue created in the same change", "queue", "go", "refuted",
           "The old DLQ and its reference vanish from the template, but the same change creates ops-dead-letters and points the redrive policy at it with the same maxReceiveCount; the removed DLQ has been empty all week.",
           "None needed.", common("redrive target replaced"), True)
    c.pr("One dead letter queue", """
         Ops watches one queue instead of nine.
         """, ["sam: shared DLQ"], "m-oduya", "tallow/returns-tracking", 78)
    _parcel_stack(c, "homeward")
    c.patch("template.yaml", ("        deadLetterTargetArn: !GetAtt ParcelDead.Arn\n", "        deadLetterTargetArn: !GetAtt OpsDeadLetters.Arn\n"),
            ("  ParcelDead:\n", "  OpsDeadLetters:\n"), ("{QueueName: homeward-events-dead, MessageRetentionPeriod: 1209600}", "{QueueName: ops-dead-letters, MessageRetentionPeriod: 1209600}"))
    p = c.prod("418820073311", "eu-central-1")
    q = p.sqs("homeward-events", visibility_timeout_s=60, message_retention_s=345600, redrive_max_receive_count=4); d = p.sqs("homeward-events-dead", message_retention_s=1209600)
    f = p.lam("homeward-tracker", runtime="python3.12", timeout_s=10, event_source_batch_size=10); gh = p.github("tallow/returns-tracking")
    p.edge(gh, f, "deploys_to"); p.edge(q, f, "triggers"); p.edge(q, d, "publishes_to")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 900, amp=.5, ints=True)
    p.metric(d, "ApproximateNumberOfMessagesVisible", "Count", zeros)
    p.metric(f, "Errors", "Count", zeros)


@case("clickstream-mapping-removed")
def _(c):
    c.meta("Event source mapping of a Kinesis stream removed while records keep coming", "queue", "no-go", "confirmed",
           "The mapping is the only consumer of clickstream, which takes about 190,000 records in five minutes; retention is 24 h, so recommendations go stale at once and records are lost after a day.",
           "Deploy and verify the new consumer, then remove the mapping.",
           common("stream consumer removed"))
    c.pr("Retire the old aggregator", """
         The Flink job does this now (see the data platform's announcement).
         """, ["cfn: remove mapping", "remove aggregator code"], "e-fontaine", "plover/clicks", 19)
    c.f("stack.json", """
        {
          "AWSTemplateFormatVersion": "2010-09-09",
          "Resources": {
            "Clicks": {
              "Type": "AWS::Kinesis::Stream",
              "Properties": {"Name": "clickstream", "ShardCount": 4, "RetentionPeriodHours": 24}
            },
            "Aggregator": {
              "Type": "AWS::Lambda::Function",
              "Properties": {
                "FunctionName": "click-aggregator",
                "Runtime": "python3.12",
                "Handler": "aggregate.handler",
                "Role": {"Fn::ImportValue": "aggregator-role"},
                "Timeout": 60,
                "Code": {"S3Bucket": "plover-code", "S3Key": "aggregate.zip"}
              }
            },
            "Mapping": {
              "Type": "AWS::Lambda::EventSourceMapping",
              "Properties": {
                "EventSourceArn": {"Fn::GetAtt": ["Clicks", "Arn"]},
                "FunctionName": {"Ref": "Aggregator"},
                "StartingPosition": "LATEST",
                "BatchSize": 500
              }
            }
          }
        }
        """)
    c.f("aggregate.py", """
        import base64
        import json
        from collections import Counter

        from store import add


        def handler(event, _context):
            clicks = Counter()
            for record in event["Records"]:
                clicks[json.loads(base64.b64decode(record["kinesis"]["data"]))["item"]] += 1
            add(clicks)
        """)
    c.f("store.py", """
        import boto3

        table = boto3.resource("dynamodb").Table("item-clicks")


        def add(clicks) -> None:
            for item, n in clicks.items():
                table.update_item(Key={"item": item}, UpdateExpression="ADD clicks :n", ExpressionAttributeValues={":n": n})
        """)
    c.f("README.md", """
        # clicks
        Counts clicks per item for the recommendations.
        """)
    c.patch("stack.json", (""",
    "Mapping": {
      "Type": "AWS::Lambda::EventSourceMapping",
      "Properties": {
        "EventSourceArn": {"Fn::GetAtt": ["Clicks", "Arn"]},
        "FunctionName": {"Ref": "Aggregator"},
        "StartingPosition": "LATEST",
        "BatchSize": 500
      }
    }""", ""))
    p = c.prod("246810975310", "eu-west-1")
    s = p.res("arn:aws:kinesis:eu-west-1:246810975310:stream/clickstream", "aws.kinesis.stream", "clickstream", shards=4, retention_hours=24, consumers=["lambda:click-aggregator"])
    f = p.lam("click-aggregator", runtime="python3.12", timeout_s=60, event_source_batch_size=500); t = p.ddb("item-clicks", hash_key="item", billing_mode="PAY_PER_REQUEST")
    r = p.ecs("web", "recommendations", desired_count=4); gh = p.github("plover/clicks")
    p.edge(gh, f, "deploys_to"); p.edge(s, f, "triggers"); p.edge(f, t, "writes_to"); p.edge(r, t, "reads_from")
    p.metric(s, "IncomingRecords", "Count", diurnal, 190000, amp=.5, ints=True)
    p.metric(f, "Invocations", "Count", diurnal, 410, amp=.5, ints=True)
    p.metric(f, "IteratorAge.max", "Milliseconds", diurnal, 900, amp=.4, noise=.2)
    c.culprit("stack.json", '"Code": {"S3Bucket": "plover-code"', s, alt=[("stack.json", '"Aggregator": {')], alt_resources=[f, t], deleted=[("stack.json", '"Mapping": {'), ("stack.json", "AWS::Lambda::EventSourceMapping")])


@case("orders-stream-consumer-moved")
def _(c):
    c.meta("Stream event moved from one function to another in the same template", "queue", "go", "refuted",
           "The DynamoDB stream event disappears from OrderIndexer, but the same change gives it to OrderProjector, which calls the same index code and starts at TRIM_HORIZON, so records written during the deploy are read; indexing twice is idempotent (put by id).",
           "None needed.", common("stream consumer replaced in the same change"), True)
    c.pr("OrderProjector takes over the stream", """
         One function for both projections.
         """, ["sam: stream to OrderProjector", "remove OrderIndexer"], "g-marchetti", "sedge/projections", 50)
    c.f("template.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Transform: AWS::Serverless-2016-10-31
        Resources:
          OrderIndexer:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: order-indexer
              Handler: indexer.handler
              Runtime: python3.12
              Timeout: 30
              Events:
                Stream:
                  Type: DynamoDB
                  Properties:
                    Stream: !ImportValue orders-stream-arn
                    StartingPosition: LATEST
                    BatchSize: 100
          OrderProjector:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: order-projector
              Handler: projector.handler
              Runtime: python3.12
              Timeout: 60
              Events:
                Nightly:
                  Type: Schedule
                  Properties: {Schedule: "cron(0 3 * * ? *)"}
        """)
    c.f("indexer.py", """
        from index import put


        def handler(event, _context):
            for record in event["Records"]:
                put(record["dynamodb"]["NewImage"])
        """)
    c.f("projector.py", """
        from totals import rebuild


        def handler(event, _context):
            rebuild()
        """)
    c.f("index.py", """
        def put(image: dict) -> None:
            print("indexed", image["id"]["S"])
        """)
    c.f("totals.py", """
        def rebuild() -> None:
            print("totals rebuilt")
        """)
    c.patch("template.yaml", ("""  OrderIndexer:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: order-indexer
      Handler: indexer.handler
      Runtime: python3.12
      Timeout: 30
      Events:
        Stream:
          Type: DynamoDB
          Properties:
            Stream: !ImportValue orders-stream-arn
            StartingPosition: LATEST
            BatchSize: 100
""", ""), ("""          Properties: {Schedule: "cron(0 3 * * ? *)"}
""", """          Properties: {Schedule: "cron(0 3 * * ? *)"}
        Stream:
          Type: DynamoDB
          Properties:
            Stream: !ImportValue orders-stream-arn
            StartingPosition: TRIM_HORIZON
            BatchSize: 100
"""))
    c.rm("indexer.py")
    c.h("projector.py", """
        from index import put
        from totals import rebuild


        def handler(event, _context):
            if "Records" not in event:
                return rebuild()
            for record in event["Records"]:
                put(record["dynamodb"]["NewImage"])
        """)
    p = c.prod("730046118259", "eu-west-2")
    t = p.ddb("orders", hash_key="id", billing_mode="PAY_PER_REQUEST", stream="NEW_IMAGE"); a = p.lam("order-indexer", runtime="python3.12", timeout_s=30); b = p.lam("order-projector", runtime="python3.12", timeout_s=60); gh = p.github("sedge/projections")
    p.edge(gh, a, "deploys_to"); p.edge(gh, b, "deploys_to"); p.edge(t, a, "triggers")
    p.metric(a, "Invocations", "Count", diurnal, 260, amp=.5, ints=True)
    p.metric(a, "Duration.p99", "Milliseconds", flat, 940, noise=.1)
    p.metric(b, "Duration.max", "Milliseconds", nightly, 3, 5, 21000)


@case("crm-sync-event-disabled")
def _(c):
    c.meta("Queue event of a function disabled with no data about the queue", "queue", "go", "plausible",
           "enabled: false stops the only function that reads crm-sync. If anything still sends, messages pile up and expire after four days; the producer is in another account and the snapshot has neither metrics nor attributes that show traffic.",
           "Look at NumberOfMessagesSent of crm-sync first.",
           common("event source disabled, traffic unknown"))
    c.pr("Pause crm-sync", """
         The CRM is moved this month. As far as I know nothing is sent any more.
         """, ["serverless: disable event"], "p-wexler", "quarry/crm-sync", 25)
    c.f("serverless.yml", """
        service: crm-sync
        provider: {name: aws, runtime: nodejs20.x, region: us-west-2}
        functions:
          sync:
            name: crm-sync
            handler: src/sync.handler
            timeout: 30
            events:
              - sqs:
                  arn: arn:aws:sqs:us-west-2:129944017756:crm-sync
                  batchSize: 5
        """)
    c.f("src/sync.ts", """
        import type { SQSEvent } from "aws-lambda";
        import { push } from "./crm";

        export const handler = async (event: SQSEvent) => {
          for (const r of event.Records) await push(JSON.parse(r.body));
        };
        """)
    c.f("src/crm.ts", """
        export const push = (contact: unknown) =>
          fetch(`${process.env.CRM_URL}/contacts`, { method: "PUT", body: JSON.stringify(contact) });
        """)
    c.f("package.json", """
        {"name": "crm-sync", "devDependencies": {"serverless": "3.38.0", "typescript": "5.4.5"}}
        """)
    c.patch("serverless.yml", ("          batchSize: 5\n", "          batchSize: 5\n          enabled: false\n"))
    p = c.prod("129944017756", "us-west-2")
    q = p.sqs("crm-sync"); f = p.lam("crm-sync", runtime="nodejs20.x", timeout_s=30); gh = p.github("quarry/crm-sync")
    p.edge(gh, f, "deploys_to"); p.edge(q, f, "triggers")
    c.culprit("serverless.yml", "enabled: false", q, alt_resources=[f])


@case("invoice-ocr-batch-unknown-duration")
def _(c):
    c.meta("Batch size raised with no duration data", "queue", "go", "plausible",
           "batch_size goes from 2 to 10 and each scan is sent to an OCR engine in turn within a timeout of 120 s. How long a scan takes is unknown: the snapshot has no Duration and no logs of the function, so five times the work may or may not fit.",
           "Look at Duration.p99 first; 10 items fit only if one takes less than about 10 s.",
           common("batch size, duration unknown"))
    c.pr("OCR: ten scans a batch", """
         Fewer invocations at the end of the month.
         """, ["batch_size 10"], "b-castell", "corvane/ocr", 12)
    c.f("main.tf", """
        resource "aws_sqs_queue" "scans" {
          name                       = "scans"
          visibility_timeout_seconds = 720
        }

        resource "aws_lambda_function" "ocr" {
          function_name = "invoice-ocr"
          handler       = "ocr.handler"
          runtime       = "python3.12"
          role          = var.role_arn
          filename      = "ocr.zip"
          timeout       = 120
        }

        resource "aws_lambda_event_source_mapping" "scans" {
          event_source_arn = aws_sqs_queue.scans.arn
          function_name    = aws_lambda_function.ocr.arn
          batch_size       = 2
        }
        """)
    c.f("variables.tf", """
        variable "role_arn" {
          type = string
        }
        """)
    c.f("ocr.py", """
        import json

        from engine import read


        def handler(event, _context):
            for record in event["Records"]:
                read(json.loads(record["body"])["key"])
        """)
    c.f("engine.py", """
        import os

        import requests


        def read(key: str) -> str:
            return requests.post(os.environ["OCR_URL"], json={"key": key}, timeout=110).json()["text"]
        """)
    c.patch("main.tf", ("batch_size       = 2", "batch_size       = 10"))
    p = c.prod("902771450036", "eu-west-1")
    q = p.sqs("scans", visibility_timeout_s=720); f = p.lam("invoice-ocr", runtime="python3.12", timeout_s=120, event_source_batch_size=2, environment_keys=["OCR_URL"]); gh = p.github("corvane/ocr")
    p.edge(gh, f, "deploys_to"); p.edge(q, f, "triggers")
    p.metric(q, "NumberOfMessagesSent", "Count", diurnal, 40, amp=.5, ints=True)
    c.culprit("main.tf", "batch_size       = 10", f, alt_resources=[q])


# ---------------------------------------------------------------------------------------------
# Nothing to look at
# ---------------------------------------------------------------------------------------------

@case("only-go-tests")
def _(c):
    c.meta("Tests only", "tests", "go", "none", "Only _test.go files change; they are not part of the binary.", "None needed.", common("tests only"))
    c.pr("Tests for the fee table", """
         Covers the rounding and the drop of an order. Needs TEST_DATABASE_URL locally.
         """, ["fees: more tests"], "w-adomako", "brindle/fees", 61)
    c.f("go.mod", """
        module example.org/brindle/fees

        go 1.22
        """)
    c.f("fees/fees.go", """
        package fees

        func Of(cents int64) int64 {
        	if cents < 10_000 {
        		return 99
        	}
        	return cents / 100
        }
        """)
    c.f("fees/fees_test.go", """
        package fees

        import "testing"

        func TestSmall(t *testing.T) {
        	if Of(5_000) != 99 {
        		t.Fatal("small")
        	}
        }
        """)
    c.f("cmd/fees/main.go", """
        package main

        import (
        	"fmt"

        	"example.org/brindle/fees/fees"
        )

        func main() { fmt.Println(fees.Of(12_000)) }
        """)
    c.h("fees/fees_test.go", """
        package fees

        import "testing"

        func TestSmall(t *testing.T) {
        	if Of(5_000) != 99 {
        		t.Fatal("small")
        	}
        }

        func TestLarge(t *testing.T) {
        	if Of(20_000) != 200 {
        		t.Fatal("large")
        	}
        }
        """)
    c.h("fees/store_test.go", """
        package fees

        import (
        	"database/sql"
        	"os"
        	"testing"
        )

        func TestStore(t *testing.T) {
        	url := os.Getenv("TEST_DATABASE_URL")
        	if url == "" {
        		t.Skip("no database")
        	}
        	db, err := sql.Open("postgres", url)
        	if err != nil {
        		t.Fatal(err)
        	}
        	if _, err := db.Exec("DROP TABLE IF EXISTS fee_orders; CREATE TABLE fee_orders (id bigint)"); err != nil {
        		t.Fatal(err)
        	}
        }
        """)
    p = c.prod("550917264408", "us-east-1")
    svc = p.k8s("main", "shop", "deployment", "fees", replicas=3); gh = p.github("brindle/fees"); db = p.rds("fees-pg", engine="postgres", engine_version="15.6")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "reads_from")
    p.metric(svc, "http_requests_per_second", "Count/Second", diurnal, 140, amp=.4)
    p.metric(db, "CPUUtilization", "Percent", diurnal, 76, amp=.2, hi=98)


@case("only-java-comments")
def _(c):
    c.meta("Comments and Javadoc only", "comments", "go", "none", "Only comments in a Java file change; the bytecode stays the same.", "None needed.", common("comments only"))
    c.pr("Explain the retry policy", """
         Somebody asked why three attempts. Now it is written down.
         """, ["docs in RetryPolicy"], "i-marchetti", "tallow/clearing", 208)
    c.f("pom.xml", """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>com.tallow</groupId>
          <artifactId>clearing</artifactId>
          <version>1.0.4</version>
        </project>
        """)
    c.f("src/main/java/com/tallow/clearing/RetryPolicy.java", """
        package com.tallow.clearing;

        public class RetryPolicy {
            // three attempts
            static final int ATTEMPTS = 3;
            static final long TIMEOUT_MS = 2000;

            boolean again(int attempt) {
                return attempt < ATTEMPTS;
            }
        }
        """)
    c.f("src/main/java/com/tallow/clearing/Client.java", """
        package com.tallow.clearing;

        public class Client {
            private final RetryPolicy policy = new RetryPolicy();

            public boolean send(Runnable call) {
                for (int i = 0; policy.again(i); i++) {
                    try {
                        call.run();
                        return true;
                    } catch (RuntimeException e) {
                        continue;
                    }
                }
                return false;
            }
        }
        """)
    c.f("k8s/clearing.yaml", """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: clearing, namespace: money}
        spec:
          replicas: 3
          selector: {matchLabels: {app: clearing}}
          template:
            metadata: {labels: {app: clearing}}
            spec:
              containers: [{name: clearing, image: "registry.tallow.example/clearing:41"}]
        """)
    c.patch("src/main/java/com/tallow/clearing/RetryPolicy.java", ("    // three attempts\n", """    /**
     * Three attempts: with ten, and no timeout, the outage of 2023 took the clearing house down with us.
     * Do not raise ATTEMPTS without a budget, and do not set TIMEOUT_MS to 0 (it means forever).
     */
"""))
    p = c.prod("418820073311", "eu-central-1")
    dep = p.k8s("prod", "money", "deployment", "clearing", replicas=3); gh = p.github("tallow/clearing")
    p.edge(gh, dep, "deploys_to")
    p.metric(dep, "http_error_ratio", "Percent", diurnal, 3.1, amp=.5, noise=.2)
    p.metric(dep, "cpu_utilization", "Percent", diurnal, 81, amp=.15, hi=99)


@case("local-variable-renamed")
def _(c):
    c.meta("Local variable renamed", "refactoring", "go", "none", "A local name and a comprehension change; inputs, calls and results of the function stay the same.", "None needed.", common("rename of a local variable"))
    c.pr("Readable names in the quota check", """
         `x` and `d` are not names.
         """, ["quota: rename locals"], "b-tanaka", "lumen/quota", 73)
    c.f("requirements.txt", """
        flask==3.0.3
        redis==5.0.4
        """)
    c.f("quota/__init__.py", """
        """)
    c.f("quota/check.py", """
        import os

        import redis

        r = redis.Redis.from_url(os.environ["REDIS_URL"])
        LIMIT = 600


        def allowed(tenant: str) -> bool:
            x = r.incr(f"quota:{tenant}")
            if x == 1:
                r.expire(f"quota:{tenant}", 60)
            return x <= LIMIT


        def left(tenants: list[str]) -> dict[str, int]:
            d = {}
            for t in tenants:
                d[t] = max(0, LIMIT - int(r.get(f"quota:{t}") or 0))
            return d
        """)
    c.f("quota/app.py", """
        from flask import Flask

        from .check import allowed

        app = Flask(__name__)


        @app.get("/allowed/<tenant>")
        def show(tenant: str):
            return {"allowed": allowed(tenant)}
        """)
    c.f("infra/quota.tf", """
        resource "aws_ecs_service" "quota" {
          name          = "quota"
          cluster       = "core"
          desired_count = 3
        }
        """)
    c.patch("quota/check.py", ("""    x = r.incr(f"quota:{tenant}")
    if x == 1:
        r.expire(f"quota:{tenant}", 60)
    return x <= LIMIT
""", """    used = r.incr(f"quota:{tenant}")
    if used == 1:
        r.expire(f"quota:{tenant}", 60)
    return used <= LIMIT
"""), ("""    d = {}
    for t in tenants:
        d[t] = max(0, LIMIT - int(r.get(f"quota:{t}") or 0))
    return d
""", """    return {tenant: max(0, LIMIT - int(r.get(f"quota:{tenant}") or 0)) for tenant in tenants}
"""))
    p = c.prod("667300912245", "eu-north-1")
    svc = p.ecs("core", "quota", desired_count=3, environment_keys=["REDIS_URL"]); rd = p.redis("quota-redis", engine="redis", node_type="cache.t4g.medium"); gh = p.github("lumen/quota")
    p.edge(gh, svc, "deploys_to"); p.edge(svc, rd, "connects_to")
    p.metric(rd, "EngineCPUUtilization", "Percent", diurnal, 58, amp=.3, hi=95)
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 510, amp=.4)


@case("ci-matrix-only")
def _(c):
    c.meta("CI workflow of pull requests only", "ci", "go", "none", "Only the test workflow of pull requests changes; what is built and deployed comes from another file, which stays the same.", "None needed.", common("CI only"))
    c.pr("CI: test on Node 22 too", """
         And a PostgreSQL service for the integration tests, with throw-away credentials.
         """, ["ci: matrix", "ci: postgres service"], "t-adeyemi", "lumen/feeds", 91)
    c.f(".github/workflows/test.yml", """
        name: test
        on: pull_request
        jobs:
          test:
            runs-on: ubuntu-22.04
            steps:
              - uses: actions/checkout@v4
              - uses: actions/setup-node@v4
                with: {node-version: 20}
              - run: npm ci && npm test
        """)
    c.f(".github/workflows/deploy.yml", """
        name: deploy
        on:
          push:
            branches: [main]
        jobs:
          deploy:
            runs-on: ubuntu-22.04
            steps:
              - uses: actions/checkout@v4
              - run: npm ci && npm run build && npx serverless deploy --stage prod
        """)
    c.f("package.json", """
        {"name": "feeds", "scripts": {"test": "node --test", "build": "tsc"}, "devDependencies": {"serverless": "3.38.0", "typescript": "5.4.5"}}
        """)
    c.f("src/feed.ts", """
        export const handler = async () => ({ statusCode: 200, body: "[]" });
        """)
    c.f("serverless.yml", """
        service: feeds
        provider: {name: aws, runtime: nodejs20.x, region: eu-north-1}
        functions:
          feed:
            name: feeds-feed
            handler: dist/feed.handler
            events: [{httpApi: "GET /feed"}]
        """)
    c.h(".github/workflows/test.yml", """
        name: test
        on: pull_request
        jobs:
          test:
            runs-on: ubuntu-22.04
            strategy:
              matrix: {node: [20, 22]}
            services:
              postgres:
                image: postgres:16
                env: {POSTGRES_PASSWORD: test}
                ports: ["5432:5432"]
            steps:
              - uses: actions/checkout@v4
              - uses: actions/setup-node@v4
                with: {node-version: "${{ matrix.node }}"}
              - run: npm ci && npm test
                env:
                  TEST_DATABASE_URL: postgres://postgres:test@localhost/postgres
        """)
    p = c.prod("667300912245", "eu-north-1")
    f = p.lam("feeds-feed", runtime="nodejs20.x", timeout_s=6, memory_mb=256); gh = p.github("lumen/feeds")
    p.edge(gh, f, "deploys_to")
    p.metric(f, "Throttles", "Count", sparse, 300)
    p.metric(f, "Invocations", "Count", diurnal, 7000, amp=.5, ints=True)


@case("black-reformat")
def _(c):
    c.meta("Pure reformatting of Python files", "formatting", "go", "none", "The syntax trees before and after are identical.", "None needed.", common("formatting"))
    c.pr("Run the formatter", """
         Line length 100, trailing commas.
         """, ["format"], "b-tanaka", "lumen/exporter", 34)
    c.f("pyproject.toml", """
        [project]
        name = "exporter"
        version = "0.9.0"
        dependencies = ["boto3", "sqlalchemy~=2.0"]
        """)
    c.f("exporter/__init__.py", """
        """)
    c.f("exporter/query.py", """
        from sqlalchemy import text

        ROWS = text("SELECT id, total FROM orders WHERE created_at >= :since ORDER BY id LIMIT :n")

        def rows(engine, since, n = 5000):
            with engine.connect() as c:
                return list(c.execute(ROWS, {"since": since, 'n': n}))
        """)
    c.f("exporter/upload.py", """
        import boto3
        s3 = boto3.client("s3")

        def upload(bucket, key, body):
            s3.put_object(Bucket = bucket, Key = key, Body = body, ServerSideEncryption = "aws:kms")

        def remove(bucket, keys):
            for key in keys: s3.delete_object(Bucket=bucket, Key=key)
        """)
    c.f("template.yaml", """
        AWSTemplateFormatVersion: "2010-09-09"
        Transform: AWS::Serverless-2016-10-31
        Resources:
          Export:
            Type: AWS::Serverless::Function
            Properties:
              FunctionName: orders-exporter
              Handler: exporter.main.handler
              Runtime: python3.12
              Timeout: 300
        """)
    c.h("exporter/query.py", """
        from sqlalchemy import text

        ROWS = text("SELECT id, total FROM orders WHERE created_at >= :since ORDER BY id LIMIT :n")


        def rows(engine, since, n=5000):
            with engine.connect() as c:
                return list(c.execute(ROWS, {"since": since, "n": n}))
        """)
    c.h("exporter/upload.py", """
        import boto3

        s3 = boto3.client("s3")


        def upload(bucket, key, body):
            s3.put_object(
                Bucket=bucket,
                Key=key,
                Body=body,
                ServerSideEncryption="aws:kms",
            )


        def remove(bucket, keys):
            for key in keys:
                s3.delete_object(Bucket=bucket, Key=key)
        """)
    p = c.prod("667300912245", "eu-north-1")
    f = p.lam("orders-exporter", runtime="python3.12", timeout_s=300, memory_mb=1024); b = p.s3("lumen-exports", versioning=True); gh = p.github("lumen/exporter")
    p.edge(gh, f, "deploys_to"); p.edge(f, b, "writes_to")
    p.metric(f, "Duration.max", "Milliseconds", nightly, 2, 15, 262000)
    p.metric(f, "Errors", "Count", sparse, 2)


@case("dev-dependency-bump")
def _(c):
    c.meta("Development dependencies bumped", "dependencies", "go", "none", "Only devDependencies change (test runner and linter); the image installs with --omit=dev.", "None needed.", common("dev dependency bump"))
    c.pr("Bump vitest and eslint", """
         Bumps the development group with 2 updates.
         """, ["build(deps-dev): bump the development group"], "dependency-bot", "plover/inbox", 402)
    c.f("package.json", """
        {
          "name": "inbox",
          "scripts": {"start": "node dist/main.js", "test": "vitest run", "lint": "eslint src"},
          "dependencies": {"fastify": "4.26.2"},
          "devDependencies": {"eslint": "8.57.0", "typescript": "5.4.5", "vitest": "1.5.0"}
        }
        """)
    c.f("Dockerfile", """
        FROM node:20-slim
        WORKDIR /app
        COPY package.json package-lock.json ./
        RUN npm ci --omit=dev
        COPY dist dist
        CMD ["node", "dist/main.js"]
        """)
    c.f("src/main.ts", """
        import Fastify from "fastify";

        const app = Fastify();
        app.get("/inbox/:user", async () => []);
        app.listen({ port: 8080, host: "0.0.0.0" });
        """)
    c.f("eslint.config.js", """
        module.exports = [{ rules: { "no-unused-vars": "error" } }];
        """)
    c.patch("package.json", ('"eslint": "8.57.0"', '"eslint": "9.2.0"'), ('"vitest": "1.5.0"', '"vitest": "1.6.0"'))
    p = c.prod("246810975310", "eu-west-1")
    svc = p.ecs("web", "inbox", desired_count=4); gh = p.github("plover/inbox")
    p.edge(gh, svc, "deploys_to")
    p.metric(svc, "MemoryUtilization", "Percent", diurnal, 84, amp=.08, hi=97)
    p.metric(svc, "RequestCountPerSecond", "Count/Second", diurnal, 95, amp=.4)


@case("runbook-with-sql")
def _(c):
    c.meta("Runbook with destructive SQL in Markdown", "docs", "go", "none", "Only Markdown changes; the statements in it are run by nobody on deploy.", "None needed.", common("docs only"))
    c.pr("Runbook: disk full on the archive database", """
         Written down after Tuesday.
         """, ["docs: runbook"], "o-lindqvist", "alder/archive", 91)
    c.f("README.md", """
        # archive
        Old documents.
        """)
    c.f("docs/runbooks/README.md", """
        # Runbooks

        - restore
        """)
    c.f("migrations/0001_documents.sql", """
        CREATE TABLE documents (id bigserial PRIMARY KEY, body bytea NOT NULL, stored_at timestamptz NOT NULL DEFAULT now());
        """)
    c.f("archive/store.py", """
        def store(conn, body: bytes) -> int:
            return conn.execute("INSERT INTO documents (body) VALUES (%s) RETURNING id", (body,)).fetchone()[0]
        """)
    c.patch("docs/runbooks/README.md", ("- restore\n", "- restore\n- [disk full](disk-full.md)\n"))
    c.h("docs/runbooks/disk-full.md", """
        # Disk full

        1. Scale the volume (`aws rds modify-db-instance --allocated-storage`).
        2. Only when that is impossible, in the maintenance window:

        ```sql
        DROP INDEX documents_body_hash_idx;
        VACUUM FULL documents;
        ALTER TABLE documents ALTER COLUMN stored_at SET NOT NULL;
        ```

        3. Set `ARCHIVE_READ_ONLY=1` on the service if writes must stop.
        """)
    p = c.prod("318840556071", "eu-west-3")
    db = p.rds("archive-pg", engine="postgres", engine_version="16.1"); gh = p.github("alder/archive"); svc = p.ecs("core", "archive", desired_count=2, environment_keys=["DATABASE_URL"])
    p.edge(gh, svc, "deploys_to"); p.edge(svc, db, "writes_to")
    p.metric(db, "FreeStorageSpace", "Bytes", flat, 6e10, noise=.005, trend=-.45)
    p.metric(db, "WriteIOPS", "Count/Second", diurnal, 220, amp=.4)
    p.db(db, "postgres", "16.1", [("public", "documents", 52_000_000, 410_000_000_000, 22.0, 4.0)],
         [("public", "documents", "documents_body_hash_idx", "CREATE INDEX documents_body_hash_idx ON public.documents USING btree (md5(body))", 14_000, 3_000_000_000)], {})
