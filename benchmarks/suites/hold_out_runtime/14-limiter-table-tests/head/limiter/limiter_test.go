package limiter

import (
	"sync"
	"testing"
	"time"
)

func TestValid(t *testing.T) {
	for name, tc := range map[string]struct {
		in   Config
		want bool
	}{
		"plain":      {Config{PerSecond: 10, Burst: 5}, true},
		"no rate":    {Config{PerSecond: 0, Burst: 5}, false},
		"no timeout": {Config{PerSecond: 1, Burst: 0, Timeout: 0}, true},
		"short":      {Config{PerSecond: 100000, Burst: 0, Timeout: time.Nanosecond}, true},
	} {
		if got := tc.in.Valid(); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for i := 0; i < 1000; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); Config{PerSecond: i}.Valid() }()
	}
	wg.Wait()
}
