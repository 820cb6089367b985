package main

import (
	"context"
	"os"

	"github.com/podhaus/waveforms/internal/jobs"
)

func main() {
	for i := 0; i < 3; i++ {
		go jobs.Loop(context.Background(), os.Getenv("QUEUE_URL"))
	}
	jobs.Loop(context.Background(), os.Getenv("QUEUE_URL"))
}
