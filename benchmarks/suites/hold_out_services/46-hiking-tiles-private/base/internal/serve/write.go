package serve

import (
	"net/http"
	"strconv"
)

func write(w http.ResponseWriter, png []byte) {
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(png)))
	h.Set("Cache-Control", "public, max-age=86400")
	w.Write(png)
}
