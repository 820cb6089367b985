package samples

import (
	"context"
	"database/sql"
)

func Last(ctx context.Context, db *sql.DB, device int64) (v float64, err error) {
	err = db.QueryRowContext(ctx, "SELECT value FROM samples WHERE device_id = $1 ORDER BY at DESC LIMIT 1", device).Scan(&v)
	return v, err
}

func Add(ctx context.Context, db *sql.DB, device int64, v float64) error {
	_, err := db.ExecContext(ctx, "INSERT INTO samples (device_id, value) VALUES ($1, $2)", device, v)
	return err
}
