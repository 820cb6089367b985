package hooks

import "net/http"

func Receive(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusAccepted)
}
