package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	City string `json:"city"`
}

func Get(ctx context.Context, db *pgxpool.Pool, id int64) (s Store, err error) {
	err = db.QueryRow(ctx, `SELECT id, name, city FROM stores WHERE id = $1`, id).Scan(&s.ID, &s.Name, &s.City)
	return s, err
}
