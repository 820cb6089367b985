package shift

import "testing"

func TestHours(t *testing.T) {
	for _, c := range []struct{ from, to, want int }{{8, 16, 8}, {22, 6, 8}, {0, 0, 0}} {
		if got := Hours(c.from, c.to); got != c.want {
			t.Errorf("Hours(%d, %d) = %d, want %d", c.from, c.to, got, c.want)
		}
	}
}
