module github.com/gymlane/members

go 1.22

require (
	github.com/jackc/pgx/v5 v5.5.5
	github.com/go-chi/chi/v5 v5.0.12
)
