package tax

import "testing"

func TestTimeout(t *testing.T) {
	if New("http://x").http.Timeout != timeout {
		t.Fatal("timeout")
	}
}

func TestNew(t *testing.T) {
	if New("http://x").base != "http://x" {
		t.Fatal("base")
	}
}
