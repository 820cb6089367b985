package main

import (
	"time"

	"github.com/gatepost/limiter/limiter"
)

func main() {
	c := limiter.Config{PerSecond: 200, Burst: 50, Timeout: 2 * time.Second}
	if !c.Valid() {
		panic("limiter")
	}
}
