package store

import (
	"context"
	"database/sql"
)

type Order struct {
	ID       int64
	Source   sql.NullString
	Channel  sql.NullString
	GiftNote sql.NullString
}

func Get(ctx context.Context, db *sql.DB, id int64) (o Order, err error) {
	err = db.QueryRowContext(ctx, "SELECT id, source, channel, gift_note FROM orders WHERE id = $1", id).Scan(&o.ID, &o.Source, &o.Channel, &o.GiftNote)
	return o, err
}
