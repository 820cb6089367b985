package page

import "testing"

func TestClamp(t *testing.T) {
	if Clamp(900) != 200 {
		t.Fatal("upper")
	}
}
