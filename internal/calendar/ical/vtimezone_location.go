package ical

import (
	"encoding/binary"
	"slices"
	"time"
)

// newLocation converts changes, which must be sorted, into a location. Go creates locations only from TZif files (RFC
// 8536), so this function writes one. A zone from a calendar file then works like any other zone.
func newLocation(name string, changes []change) *time.Location {
	offsets := []int64{changes[0].from}
	for _, c := range changes {
		if !slices.Contains(offsets, c.to) {
			offsets = append(offsets, c.to)
		}
		if len(offsets) > 256 {
			return nil // TZif indexes offsets with one byte
		}
	}
	data := tzifHeader(nil, 0, 0, 0) // the 32-bit part, which is skipped
	data = tzifHeader(data, len(changes), len(offsets), 1)
	for _, c := range changes {
		data = binary.BigEndian.AppendUint64(data, uint64(c.at))
	}
	for _, c := range changes {
		data = append(data, byte(slices.Index(offsets, c.to)))
	}
	for _, offset := range offsets {
		data = binary.BigEndian.AppendUint32(data, uint32(offset))
		data = append(data, 0, 0) // no daylight saving time, the first abbreviation
	}
	data = append(data, 0) // the abbreviation: empty
	location, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil
	}
	return location
}

func tzifHeader(data []byte, changes, offsets, letters int) []byte {
	data = append(data, "TZif2"...)
	data = append(data, make([]byte, 15)...)
	for _, n := range []int{0, 0, 0, changes, offsets, letters} {
		data = binary.BigEndian.AppendUint32(data, uint32(n))
	}
	return data
}
