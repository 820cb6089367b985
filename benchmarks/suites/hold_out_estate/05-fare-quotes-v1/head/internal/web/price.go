package web

import "math"

func price(aLat, aLng, bLat, bLng float64) int {
	return 180 + int(math.Hypot(aLat-bLat, aLng-bLng)*11000)
}
