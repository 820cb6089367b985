package suppliers

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

type Client struct {
	base string
	http *http.Client
}

func New(base string) *Client {
	return &Client{base: base, http: &http.Client{Timeout: 2 * time.Second}}
}

func (c *Client) Name(ctx context.Context, id string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/suppliers/"+id, nil)
	if err != nil {
		return "", err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var s struct{ Name string }
	return s.Name, json.NewDecoder(res.Body).Decode(&s)
}
