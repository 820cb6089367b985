module harrowgate.example/orders-api

go 1.22

require github.com/jackc/pgx/v5 v5.5.5
