package handles

import "testing"

func TestValid(t *testing.T) {
	for _, s := range []string{"rook1", "rook.one", "a-b_c"} {
		if !valid(s) {
			t.Fatal(s)
		}
	}
}
