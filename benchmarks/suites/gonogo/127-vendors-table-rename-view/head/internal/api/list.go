package api

import (
	"context"
	"database/sql"
)

func List(ctx context.Context, db *sql.DB) (*sql.Rows, error) {
	return db.QueryContext(ctx, "SELECT id, name FROM supply_partners WHERE active")
}
