package server

import (
	"context"

	pb "example.org/brindle/inventory/gen"
)

type Server struct {
	pb.UnimplementedInventoryServer
}

func (Server) Reserve(ctx context.Context, r *pb.ReserveRequest) (*pb.ReserveReply, error) {
	return &pb.ReserveReply{Reservation: r.Sku}, nil
}

func (Server) Allocate(ctx context.Context, r *pb.AllocateRequest) (*pb.AllocateReply, error) {
	return &pb.AllocateReply{Allocations: []string{r.Sku}}, nil
}
