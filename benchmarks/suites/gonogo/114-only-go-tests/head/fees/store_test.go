package fees

import (
	"database/sql"
	"os"
	"testing"
)

func TestStore(t *testing.T) {
	url := os.Getenv("TEST_DATABASE_URL")
	if url == "" {
		t.Skip("no database")
	}
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("DROP TABLE IF EXISTS fee_orders; CREATE TABLE fee_orders (id bigint)"); err != nil {
		t.Fatal(err)
	}
}
