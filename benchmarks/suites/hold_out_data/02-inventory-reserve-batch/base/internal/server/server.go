package server

import (
	"context"

	pb "example.net/bazario/inventory/gen/inventoryv1"
)

type Server struct {
	pb.UnimplementedInventoryServiceServer
	stock Stock
}

func (s *Server) Reserve(ctx context.Context, r *pb.ReserveRequest) (*pb.ReserveResponse, error) {
	return &pb.ReserveResponse{Ok: s.stock.Take(r.Sku, r.Quantity)}, nil
}

func (s *Server) ReserveBatch(ctx context.Context, r *pb.ReserveBatchRequest) (*pb.ReserveBatchResponse, error) {
	out := &pb.ReserveBatchResponse{}
	for _, it := range r.Items {
		out.Ok = append(out.Ok, s.stock.Take(it.Sku, it.Quantity))
	}
	return out, nil
}

func (s *Server) Release(ctx context.Context, r *pb.ReserveRequest) (*pb.ReserveResponse, error) {
	s.stock.Put(r.Sku, r.Quantity)
	return &pb.ReserveResponse{Ok: true}, nil
}
