package send

import "net/http"

func Run(queue string) {
	for m := range receive(queue) {
		req, _ := http.NewRequest(http.MethodPost, m.URL, m.Body())
		_, _ = http.DefaultClient.Do(req)
	}
}
