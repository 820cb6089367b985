package server

import (
	"context"

	faresv1 "taksi.example/fares/gen/fares/v1"
	"taksi.example/fares/internal/meter"
)

type Server struct {
	faresv1.UnimplementedFaresServer
	Meter *meter.Meter
}

func (s *Server) Quote(ctx context.Context, in *faresv1.QuoteRequest) (*faresv1.QuoteReply, error) {
	cents, err := s.Meter.Price(ctx, in.FromZone, in.ToZone, int(in.Passengers))
	if err != nil {
		return nil, err
	}
	return &faresv1.QuoteReply{AmountCents: cents, Currency: "EUR"}, nil
}

func (s *Server) ListZones(ctx context.Context, _ *faresv1.ListZonesRequest) (*faresv1.ListZonesReply, error) {
	return &faresv1.ListZonesReply{Zones: s.Meter.Zones()}, nil
}
