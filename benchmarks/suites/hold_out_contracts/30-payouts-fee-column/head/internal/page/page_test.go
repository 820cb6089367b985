package page

import "testing"

func TestClamp(t *testing.T) {
	if Clamp(900) != 200 {
		t.Fatal("upper")
	}
	if Clamp(-4) != 1 {
		t.Fatal("lower")
	}
}
