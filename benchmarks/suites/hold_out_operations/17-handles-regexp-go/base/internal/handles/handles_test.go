package handles

import "testing"

func TestValid(t *testing.T) {
	if !valid("rook1") {
		t.Fatal("rook1")
	}
}
