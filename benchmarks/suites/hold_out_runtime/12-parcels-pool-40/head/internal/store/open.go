package store

import (
	"database/sql"
	"os"
	"strconv"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// Open returns a pool sized by DB_MAX_OPEN_CONNS; connections are kept once opened.
func Open() (*sql.DB, error) {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(os.Getenv("DB_MAX_OPEN_CONNS"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}
