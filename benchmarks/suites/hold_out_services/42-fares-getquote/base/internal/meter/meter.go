package meter

import "context"

type Meter struct{ zones []string }

func (m *Meter) Zones() []string { return m.zones }

func (m *Meter) Price(_ context.Context, from, to string, passengers int) (int64, error) {
	base := int64(590)
	if passengers > 4 {
		base = 790
	}
	if from == to {
		return base, nil
	}
	return base + 1180, nil
}
