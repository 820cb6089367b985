module github.com/fieldgrid/ingest

go 1.22

require (
	github.com/golang-migrate/migrate/v4 v4.17.1
	github.com/jackc/pgx/v5 v5.6.0
)
