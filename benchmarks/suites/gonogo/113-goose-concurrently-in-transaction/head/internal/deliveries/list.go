package deliveries

import (
	"context"
	"database/sql"
)

func Open(ctx context.Context, db *sql.DB, courier int64) (*sql.Rows, error) {
	return db.QueryContext(ctx, "SELECT id, state FROM deliveries WHERE courier_id = $1 AND state <> 'done'", courier)
}
