package zone

import (
	"encoding/binary"
	"io/fs"
	"math/rand/v2"
	"testing"
	"time"
)

// distinctZones returns the zones with their data, without links to a zone already listed. A short run uses a random
// selection.
func distinctZones(t *testing.T) map[*Zone][]byte {
	t.Helper()
	db, err := database()
	must(t, err)
	zones, seen := map[*Zone][]byte{}, map[string]bool{}
	for _, name := range mustNames(t) {
		data, err := fs.ReadFile(db.fsys, name)
		must(t, err)
		if seen[string(data)] || testing.Short() && rand.IntN(12) != 0 {
			continue
		}
		seen[string(data)] = true
		zones[MustLoad(name)] = data
	}
	return zones
}

func TestOffsets_AgreeWithTheTimePackage(t *testing.T) {
	for z := range distinctZones(t) {
		z.once.Do(z.findChanges)
		for range 500 {
			expectOffset(t, z, between(tableFrom, tableUntil))
		}
		for _, change := range z.changes {
			for _, at := range []int64{change - 1, change, change + 1} {
				expectOffset(t, z, at)
			}
		}
	}
}

func expectOffset(t *testing.T, z *Zone, unix int64) {
	t.Helper()
	at := time.Unix(unix, 0)
	local := at.In(z.loc)
	if _, want := local.Zone(); z.offsetAt(unix) != int64(want) {
		t.Errorf("%s at %s is %d s from UTC, want %d", z.name, at.UTC(), z.offsetAt(unix), want)
	}
	if got, want := z.Date(at), NewDate(local.Date()); got != want {
		t.Errorf("%s at %s is on %s, want %s", z.name, at.UTC(), got, want)
	}
}

// findChanges would miss a change that is reverted within one step.
func TestChanges_NeverTwiceInTwelveHours(t *testing.T) {
	const step, hour, day = 12 * 3600, 3600, secondsPerDay
	for z, data := range distinctZones(t) {
		z.once.Do(z.findChanges)
		for i, change := range z.changes {
			if i > 0 && change-z.changes[i-1] < step {
				t.Errorf("%s changes at %s and within %d s again", z.name, time.Unix(change, 0).UTC(), step)
			}
			for at := change - 2*day; at < change+2*day; at += hour {
				expectOffset(t, z, at)
			}
		}
		for range 20 {
			from := between(tableFrom, tableUntil-7*day)
			for at := from; at < from+7*day; at += hour {
				expectOffset(t, z, at)
			}
		}
		for _, change := range changesInFile(data) {
			if change < tableFrom || change >= tableUntil {
				continue
			}
			_, before := time.Unix(change-1, 0).In(z.loc).Zone()
			_, after := time.Unix(change, 0).In(z.loc).Zone()
			if i := z.period(change); before != after && (i == 0 || z.changes[i-1] != change) {
				t.Errorf("%s: the change at %s was overlooked", z.name, time.Unix(change, 0).UTC())
			}
		}
	}
}

// Windows are written in minutes, so clocks must change on whole minutes.
func TestChanges_AreOnWholeMinutes(t *testing.T) {
	for z := range distinctZones(t) {
		z.once.Do(z.findChanges)
		for i, offset := range z.offsets {
			if offset%60 != 0 || offset < -maxOffset || offset > maxOffset {
				t.Errorf("%s has been %d s from UTC", z.name, offset)
			}
			if i > 0 && z.changes[i-1]%60 != 0 {
				t.Errorf("%s changed at %s", z.name, time.Unix(z.changes[i-1], 0).UTC())
			}
		}
	}
}

// changesInFile reads the listed transition times of a TZif file: RFC 8536, section 3.2.
func changesInFile(data []byte) []int64 {
	count := func(header []byte, field int) int { return int(binary.BigEndian.Uint32(header[20+4*field:])) }
	utc, std, leap, times, types, chars := 0, 1, 2, 3, 4, 5
	first := 44 + count(data, times)*5 + count(data, types)*6 + count(data, chars) + count(data, leap)*8 + count(data,
		std) + count(data, utc)
	second := data[first:]
	changes := make([]int64, count(second, times))
	for i := range changes {
		changes[i] = int64(binary.BigEndian.Uint64(second[44+8*i:]))
	}
	return changes
}

func between(from, until int64) int64 { return from + rand.Int64N(until-from) }
