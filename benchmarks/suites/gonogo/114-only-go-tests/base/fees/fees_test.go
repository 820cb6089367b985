package fees

import "testing"

func TestSmall(t *testing.T) {
	if Of(5_000) != 99 {
		t.Fatal("small")
	}
}
