package main

import (
	"log"
	"net"

	"google.golang.org/grpc"

	pb "example.org/brindle/inventory/gen"
	"example.org/brindle/inventory/internal/server"
)

func main() {
	l, err := net.Listen("tcp", ":9090")
	if err != nil {
		log.Fatal(err)
	}
	s := grpc.NewServer()
	pb.RegisterInventoryServer(s, server.Server{})
	log.Fatal(s.Serve(l))
}
