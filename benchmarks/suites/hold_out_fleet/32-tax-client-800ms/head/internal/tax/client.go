package tax

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

const timeout = 800 * time.Millisecond

type Client struct {
	base string
	http *http.Client
}

func New(base string) *Client {
	return &Client{base: base, http: &http.Client{Timeout: timeout}}
}

// Cents asks tax-engine for the tax of a basket.
func (c *Client) Cents(ctx context.Context, basket string) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/v1/tax?basket="+url.QueryEscape(basket), nil)
	if err != nil {
		return 0, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var out struct{ Cents int64 }
	return out.Cents, json.NewDecoder(res.Body).Decode(&out)
}
