package slotd_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"slotd"
)

func TestAppendInstants_WritesWhatTimeFormatWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		millis := rapid.SliceOf(rapid.Int64Range(946684800000, 4133980799999)).Draw(t, "milliseconds")
		if len(millis) > 0 { // some instants on the same day
			millis = append(millis, millis[0]+1, millis[0]+3_600_000)
		}
		slices.Sort(millis)
		instants, want := make([]time.Time, len(millis)), make([]string, len(millis))
		for i, ms := range millis {
			instants[i] = time.UnixMilli(ms)
			want[i] = instants[i].UTC().Format("2006-01-02T15:04:05.000Z")
		}
		var got []string
		if err := json.Unmarshal(slotd.AppendInstants(nil, instants), &got); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v %v, want %v", err, got, want)
		}
	})
}
