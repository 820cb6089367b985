package stops

import (
	"context"
	"database/sql"
)

func Open(ctx context.Context, db *sql.DB, route int64) (*sql.Rows, error) {
	return db.QueryContext(ctx, "SELECT id, state FROM stops WHERE route_id = $1 AND state <> 'done'", route)
}
