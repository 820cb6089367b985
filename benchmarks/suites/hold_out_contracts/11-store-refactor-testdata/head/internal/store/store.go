package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Invoice struct {
	ID         int64
	TotalMinor int64
}

func Get(ctx context.Context, db *pgxpool.Pool, id int64) (i Invoice, err error) {
	err = db.QueryRow(ctx, byID, id).Scan(&i.ID, &i.TotalMinor)
	return i, err
}
