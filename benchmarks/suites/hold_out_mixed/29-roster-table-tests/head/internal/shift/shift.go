package shift

import (
	"fmt"
	"net/http"
)

func Hours(from, to int) int {
	if to < from {
		to += 24
	}
	return to - from
}

func Handle(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, Hours(22, 6)) }
