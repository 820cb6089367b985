package checkout

import (
	"context"
	"errors"

	pb "github.com/coverlane/quotes/services/checkout/gen/quotesv1"
)

var ErrNoPrice = errors.New("quote without price")

func Price(ctx context.Context, c pb.QuotesClient, vehicle, postcode string) (int64, error) {
	q, err := c.GetQuote(ctx, &pb.GetQuoteRequest{Vehicle: vehicle, Postcode: postcode})
	if err != nil {
		return 0, err
	}
	if q.GetAmount() <= 0 {
		return 0, ErrNoPrice
	}
	return q.GetAmount(), nil
}
