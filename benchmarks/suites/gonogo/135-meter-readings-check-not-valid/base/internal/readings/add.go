package readings

import (
	"context"
	"database/sql"
	"errors"
)

func Add(ctx context.Context, db *sql.DB, meter int64, value float64) error {
	if value < 0 {
		return errors.New("negative reading")
	}
	_, err := db.ExecContext(ctx, "INSERT INTO readings (meter_id, value) VALUES ($1, $2)", meter, value)
	return err
}
