package rank

func features(o Offer) []float64 { return []float64{o.Price, 1 / (1 + o.Price), o.Price * o.Price} }

func score(o Offer) float64 {
	s := 0.0
	for i, f := range features(o) {
		s += f * weights[i]
	}
	return s
}

var weights = [3]float64{-0.4, 2.1, 0.0003}
