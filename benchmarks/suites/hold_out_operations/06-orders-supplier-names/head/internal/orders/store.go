package orders

import (
	"context"
	"database/sql"

	_ "github.com/jackc/pgx/v5/stdlib"
)

type Order struct {
	ID           string `json:"id"`
	SupplierID   string `json:"supplier_id"`
	SupplierName string `json:"supplier_name,omitempty"`
}

type Store struct{ db *sql.DB }

func Open(url string) *Store {
	db, err := sql.Open("pgx", url)
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(20)
	return &Store{db: db}
}

func (s *Store) Get(ctx context.Context, id string) (o Order, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT id, supplier_id FROM orders WHERE id = $1", id).Scan(&o.ID, &o.SupplierID)
	return
}

func (s *Store) Recent(ctx context.Context, n int) (out []Order, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, supplier_id FROM orders ORDER BY created_at DESC LIMIT $1", n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var o Order
		if err = rows.Scan(&o.ID, &o.SupplierID); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, rows.Err()
}
