package store

import "testing"

func TestZero(t *testing.T) {
	if (Subscription{}).MemberID != 0 {
		t.Fatal("zero value")
	}
}
