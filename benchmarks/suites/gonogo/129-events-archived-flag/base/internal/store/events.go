package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Events struct{ Pool *pgxpool.Pool }

func (e Events) Add(ctx context.Context, kind, source string, payload []byte) (int64, error) {
	var id int64
	err := e.Pool.QueryRow(ctx, "INSERT INTO events (kind, source, payload) VALUES ($1, $2, $3) RETURNING id", kind, source, payload).Scan(&id)
	return id, err
}
