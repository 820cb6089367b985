package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Subscription struct {
	ID       int64
	MemberID int64
	PlanID   int64
	StartsOn time.Time
}

type Store struct{ Pool *pgxpool.Pool }

func (s *Store) Create(ctx context.Context, member, plan int64, from time.Time) error {
	_, err := s.Pool.Exec(ctx, "INSERT INTO subscriptions (member_id, plan_id, starts_on) VALUES ($1, $2, $3)", member, plan, from)
	return err
}

func (s *Store) Active(ctx context.Context, member int64) (Subscription, error) {
	var sub Subscription
	err := s.Pool.QueryRow(ctx, "SELECT id, member_id, plan_id, starts_on FROM subscriptions WHERE member_id = $1 AND ends_on IS NULL", member).
		Scan(&sub.ID, &sub.MemberID, &sub.PlanID, &sub.StartsOn)
	return sub, err
}
