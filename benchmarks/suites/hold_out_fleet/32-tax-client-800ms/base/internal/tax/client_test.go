package tax

import "testing"

func TestNew(t *testing.T) {
	if New("http://x").base != "http://x" {
		t.Fatal("base")
	}
}
