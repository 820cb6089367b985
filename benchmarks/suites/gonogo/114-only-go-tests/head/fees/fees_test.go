package fees

import "testing"

func TestSmall(t *testing.T) {
	if Of(5_000) != 99 {
		t.Fatal("small")
	}
}

func TestLarge(t *testing.T) {
	if Of(20_000) != 200 {
		t.Fatal("large")
	}
}
