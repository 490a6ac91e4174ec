package main

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

const workspaces = 64

// workspaceFile returns a workspace file whose intro event type offers 16 slots a day, so 112 in seven days.
func workspaceFile(slug string) string {
	const day = `["09:00-17:00"]`
	return fmt.Sprintf(`
workspace: {slug: %s, name: Bench, time_zone: UTC}
host: {name: Ada, email: ada@bench.example}
schedules:
  default: {weekly: {mon: %[2]s, tue: %[2]s, wed: %[2]s, thu: %[2]s, fri: %[2]s, sat: %[2]s, sun: %[2]s}}
  always: {weekly: {mon: %[3]s, tue: %[3]s, wed: %[3]s, thu: %[3]s, fri: %[3]s, sat: %[3]s, sun: %[3]s}}
event_types:
  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: video}, booking_window_days: 730}
  - {slug: quick, title: Quick, duration_minutes: 5, location: {type: video}, schedule: always, booking_window_days: 730}
`, slug, day, `["00:00-24:00"]`)
}

// shop is one workspace and what is needed to book in it.
type shop struct {
	slug   string
	token  string
	next   atomic.Int64 // bookings made after the days that reads ask for
	within atomic.Int64 // bookings made on those days
}

func (b *bench) shops(n int, databaseFlags ...string) []*shop {
	all := make([]*shop, n)
	for i := range all {
		slug := fmt.Sprintf("bench-%d", i)
		b.command(workspaceFile(slug), append([]string{"apply", "-f", "-"}, databaseFlags...)...)
		token := b.command("", append([]string{"token", "create", "--workspace", slug, "--name", "bench"},
			databaseFlags...)...)
		all[i] = &shop{slug: slug, token: token}
	}
	return all
}

// firstDay is far enough ahead that no slot passes during the run, and leaves 400 days for bookings after the days
// that reads ask for.
func firstDay() time.Time { return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 10) }

// book returns the request for the next booking after the days that reads ask for.
func (s *shop) book(addr string) []byte {
	return s.bookAt(addr, firstDay().AddDate(0, 0, 60).Add(time.Duration(s.next.Add(1)-1)*5*time.Minute))
}

// bookWithin returns a request for a booking on the days that reads ask for, so that it invalidates their cached
// responses. It books at night, so that the responses still hold 112 slots afterwards.
func (s *shop) bookWithin(addr string) []byte {
	n := int(s.within.Add(1) - 1)
	return s.bookAt(addr, firstDay().AddDate(0, 0, n*7%37).Add(time.Duration(n/37)*5*time.Minute))
}

func (s *shop) bookAt(addr string, start time.Time) []byte {
	return post(addr, s.token, toolCall("create_booking", fmt.Sprintf(
		`{"event_type":"quick","slot_start":"%s","attendee_name":"Grace Okafor","attendee_email":"grace@bench.example","attendee_time_zone":"Europe/Berlin"}`,
		start.Format("2006-01-02T15:04:05.000Z"))))
}

func availability(addr, slug string, day, days int) []byte {
	return post(addr, "", toolCall("get_availability", fmt.Sprintf(
		`{"workspace":"%s","event_type":"intro","start_date":"%s","days":%d}`, slug,
		firstDay().AddDate(0, 0, day).Format(time.DateOnly), days)))
}

func mixed(shops []*shop, addr string) func() []byte {
	return mixedReads(shops, addr, 30,
		func(addr, slug string, day int) []byte { return availability(addr, slug, day, 7) })
}

// mixedReads returns requests for some dates in each shop in turn. After every 100 reads comes one booking.
func mixedReads(shops []*shop, addr string, days int, read func(addr, slug string, day int) []byte) func() []byte {
	reads := make([][]byte, 0, len(shops)*days)
	for day := range days {
		for _, s := range shops {
			reads = append(reads, read(addr, s.slug, day))
		}
	}
	var n atomic.Int64
	return func() []byte {
		i := n.Add(1)
		if i%101 == 0 {
			return shops[int(i/101)%len(shops)].bookWithin(addr)
		}
		return reads[int(i)%len(reads)]
	}
}

func repeat(request []byte) func() []byte { return func() []byte { return request } }

// reads measures tools/list and get_availability on SQLite.
func (b *bench) reads() error {
	dir := b.tempDir()
	shops := b.shops(workspaces, "--data", dir)
	p := b.slotd(dir)

	list := post(p.addr, "", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	answer := slices.Clone(dial(p.addr).roundTrip(list))
	bare := b.bare(answer)
	b.compare(fmt.Sprintf("tools/list (%d bytes)", len(answer)),
		&side{process: p, request: repeat(list), check: isResult},
		&side{process: bare, request: repeat(withHost(list, p.addr, bare.addr)), check: acceptAny})

	one := availability(p.addr, shops[0].slug, 0, 7)
	answer = slices.Clone(dial(p.addr).roundTrip(one))
	if n := strings.Count(string(answer), "T09:00:00.000Z"); n != 14 {
		return fmt.Errorf("the answer does not hold seven days: %s", answer)
	}
	bare = b.bare(answer)
	bareSide := func() *side {
		return &side{process: bare, request: repeat(withHost(one, p.addr, bare.addr)), check: acceptAny}
	}
	warm := &side{process: p, request: mixed(shops, p.addr), check: isResult}
	warm.runFor(b.round) // the first request for each workspace is not measured
	warm.requests.Store(0)
	warm.cpu, warm.wall = 0, 0
	b.compare("get_availability, 64×30, 1 booking/100 reads", warm, bareSide())
	b.compare("get_availability, cold (each answer computed)",
		&side{process: p, request: cold(shops, p.addr), check: isResult}, bareSide())
	return nil
}

// cold returns requests that repeat only after 600 start dates in every shop, so that each response is computed.
func cold(shops []*shop, addr string) func() []byte {
	var n atomic.Int64
	return func() []byte {
		i := int(n.Add(1))
		return availability(addr, shops[i%len(shops)].slug, 31+i/len(shops)%600, 7)
	}
}

func withHost(request []byte, from, to string) []byte {
	return []byte(strings.Replace(string(request), from, to, 1))
}

// writes measures create_booking on SQLite. The bare handler does no durable write, so its row only shows what the
// HTTP part costs.
func (b *bench) writes() error {
	dir := b.tempDir()
	shops := b.shops(workspaces, "--data", dir)
	p := b.slotd(dir)
	answer := slices.Clone(dial(p.addr).roundTrip(shops[0].book(p.addr)))
	bare := b.bare(answer)
	b.compare("create_booking, SQLite",
		&side{process: p, request: bookings(shops, p.addr), check: isResult},
		&side{process: bare, request: repeat(withHost(shops[0].book(p.addr), p.addr, bare.addr)), check: acceptAny})
	return nil
}

func bookings(shops []*shop, addr string) func() []byte {
	var n atomic.Int64
	return func() []byte { return shops[int(n.Add(1))%len(shops)].book(addr) }
}
