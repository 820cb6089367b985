package rank

import "testing"

func TestCheaperWins(t *testing.T) {
	if score(Offer{Price: 10}) <= score(Offer{Price: 90}) {
		t.Fatal("cheaper offer must score higher")
	}
}
