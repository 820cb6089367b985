module assura.example/quote-engine

go 1.22

require github.com/jackc/pgx/v5 v5.5.5
