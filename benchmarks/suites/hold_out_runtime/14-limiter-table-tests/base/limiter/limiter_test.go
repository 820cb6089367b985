package limiter

import "testing"

func TestValid(t *testing.T) {
	if !(Config{PerSecond: 10, Burst: 5}).Valid() {
		t.Fatal("want valid")
	}
}
