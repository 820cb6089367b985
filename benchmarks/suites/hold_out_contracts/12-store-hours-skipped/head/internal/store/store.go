package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	City string `json:"city"`
	Days int    `json:"openDays"`
}

func Get(ctx context.Context, db *pgxpool.Pool, id int64) (s Store, err error) {
	err = db.QueryRow(ctx, `SELECT s.id, s.name, s.city, (SELECT count(*) FROM store_hours h WHERE h.store_id = s.id) FROM stores s WHERE s.id = $1`, id).Scan(&s.ID, &s.Name, &s.City, &s.Days)
	return s, err
}
