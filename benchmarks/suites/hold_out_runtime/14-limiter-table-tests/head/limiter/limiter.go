package limiter

import "time"

type Config struct {
	PerSecond int
	Burst     int
	Timeout   time.Duration
}

func (c Config) Valid() bool { return c.PerSecond > 0 && c.Burst >= 0 }
