package store

import (
	"context"
	"database/sql"
	"time"
)

type Posting struct {
	AccountID int64
	GantryID  int32
	Amount    int64
}

type Store struct{ db *sql.DB }

func (s *Store) Add(ctx context.Context, p Posting) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err := s.db.ExecContext(ctx,
		"INSERT INTO toll_postings (account_id, gantry_id, amount_minor) VALUES (?, ?, ?)",
		p.AccountID, p.GantryID, p.Amount)
	return err
}
