package assign

import "testing"

func TestNearest(t *testing.T) {
	if nearest(63, 10) != "north" {
		t.Fatal("want north")
	}
}
