package main

import (
	"context"
	"log"
)

func main() {
	ctx := context.Background()
	for {
		for _, m := range receive(ctx) {
			if err := charge(ctx, m); err != nil {
				log.Printf("charge %s attempt=%d failed: %v", m.ID, m.Receives, err)
				continue
			}
			remove(ctx, m)
		}
	}
}
