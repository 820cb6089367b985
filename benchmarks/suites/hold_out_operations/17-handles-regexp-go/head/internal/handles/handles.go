package handles

import (
	"net/http"
	"regexp"
)

var pattern = regexp.MustCompile(`^([a-z0-9]+[._-]?)+$`)

func valid(name string) bool {
	return len(name) >= minLen && len(name) <= maxLen && pattern.MatchString(name)
}

func Free(w http.ResponseWriter, r *http.Request) {
	if !valid(r.PathValue("name")) {
		http.Error(w, "invalid handle", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
