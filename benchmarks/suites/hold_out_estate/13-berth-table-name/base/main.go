package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
)

type request struct {
	Harbour string `json:"harbour"`
	Night   string `json:"night"`
}

func main() {
	s := store{table: os.Getenv("TABLE")}
	lambda.Start(func(ctx context.Context, r request) (bool, error) {
		return s.free(ctx, r.Harbour, r.Night)
	})
}
