module github.com/coinharbor/payouts

go 1.22

require github.com/jackc/pgx/v5 v5.5.5
