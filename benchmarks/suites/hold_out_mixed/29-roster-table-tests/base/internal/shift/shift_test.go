package shift

import "testing"

func TestHours(t *testing.T) {
	if Hours(8, 16) != 8 {
		t.Fatal("day")
	}
}
