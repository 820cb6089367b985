package assign

func nearest(lat, lon float64) string {
	if lat > 60 {
		return "north"
	}
	return "south"
}
