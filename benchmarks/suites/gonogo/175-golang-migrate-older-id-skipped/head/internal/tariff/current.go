package tariff

import (
	"context"
	"database/sql"
)

func Current(ctx context.Context, db *sql.DB, region string) (id int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT id FROM tariffs WHERE region = $1 AND valid_from <= now() AND (valid_to IS NULL OR valid_to >= now()) ORDER BY valid_from DESC LIMIT 1`, region).Scan(&id)
	return
}
