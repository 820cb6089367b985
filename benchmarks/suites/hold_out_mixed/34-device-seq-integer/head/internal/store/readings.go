package store

type Reading struct {
	ID        int64
	DeviceID  int64
	DeviceSeq int32
	Celsius   float64
}

const insert = `INSERT INTO readings (device_id, device_seq, celsius) VALUES ($1, $2, $3)`
