module github.com/tillbridge/payouts

go 1.22

require github.com/jackc/pgx/v5 v5.5.5
