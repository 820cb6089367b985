package web

import "testing"

func TestRouter(t *testing.T) {
	if Router() == nil {
		t.Fatal("no router")
	}
}
