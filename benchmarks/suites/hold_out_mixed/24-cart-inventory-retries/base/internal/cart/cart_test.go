package cart

import "testing"

func TestLine(t *testing.T) {
	if (Line{SKU: "a", N: 1}).N != 1 {
		t.Fatal("n")
	}
}
