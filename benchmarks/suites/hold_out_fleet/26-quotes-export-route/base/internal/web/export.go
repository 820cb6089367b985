package web

import (
	"encoding/csv"
	"net/http"
)

// ExportQuotes writes the quotes of a broker as CSV.
func ExportQuotes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/csv")
	out := csv.NewWriter(w)
	defer out.Flush()
	_ = out.Write([]string{"id", "premium", "state"})
}
