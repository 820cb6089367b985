package server

import (
	"context"

	pb "github.com/coverlane/quotes/gen/quotesv1"
)

type Server struct {
	pb.UnimplementedQuotesServer
	Rate func(vehicle, postcode string) int64
}

func (s *Server) GetQuote(ctx context.Context, r *pb.GetQuoteRequest) (*pb.Quote, error) {
	return &pb.Quote{Id: "q-" + r.Vehicle, Currency: "EUR", AmountMinorUnits: s.Rate(r.Vehicle, r.Postcode)}, nil
}
