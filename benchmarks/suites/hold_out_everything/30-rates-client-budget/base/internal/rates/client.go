package rates

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const requestTimeout = 3 * time.Second

type Client struct {
	base string
	http *http.Client
}

func New(base string) *Client {
	return &Client{base: base, http: &http.Client{Timeout: requestTimeout}}
}

func (c *Client) Rate(ctx context.Context, zone string, grams int) (int64, error) {
	url := fmt.Sprintf("%s/rates/%s?grams=%d", c.base, zone, grams)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("X-Caller", "quotes")
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var out struct{ Cents int64 }
	return out.Cents, json.NewDecoder(res.Body).Decode(&out)
}
