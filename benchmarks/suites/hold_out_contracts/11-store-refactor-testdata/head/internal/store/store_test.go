package store

import (
	"os"
	"testing"
)

func TestSeed(t *testing.T) {
	if _, err := os.ReadFile("testdata/seed.sql"); err != nil {
		t.Fatal(err)
	}
}
