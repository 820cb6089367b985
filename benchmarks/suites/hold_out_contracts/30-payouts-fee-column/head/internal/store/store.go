package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Payout struct {
	ID          int64
	AmountMinor int64
	State       string
}

func Get(ctx context.Context, db *pgxpool.Pool, id int64) (p Payout, err error) {
	err = db.QueryRow(ctx, `SELECT id, amount_minor, state FROM payouts WHERE id = $1`, id).Scan(&p.ID, &p.AmountMinor, &p.State)
	return p, err
}
