package cart

import (
	"context"

	"github.com/quillstack/cart/internal/inventory"
)

type Line struct {
	SKU string
	N   int
}

func Add(ctx context.Context, inv *inventory.Client, l Line) error {
	_, err := inv.Hold(ctx, l.SKU, l.N)
	return err
}
