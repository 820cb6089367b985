module example.org/brindle/journal

go 1.22

require github.com/jackc/pgx/v5 v5.5.5
