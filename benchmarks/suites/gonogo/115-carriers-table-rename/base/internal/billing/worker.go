package billing

import (
	"context"
	"database/sql"
)

const feeQuery = `SELECT name, fee FROM carriers WHERE id = $1`

func Fee(ctx context.Context, db *sql.DB, id int64) (name string, fee int64, err error) {
	err = db.QueryRowContext(ctx, feeQuery, id).Scan(&name, &fee)
	return
}
