package browser

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"

	"slotd/test/await"
)

// options describe the guest's browser. The zero value is a laptop in UTC, in American English.
type options struct {
	width, height int     // of the screen, 1280 × 800 by default; narrower than 600 is a phone
	zoom          float64 // 2 is 200 %
	dark          bool
	noJavaScript  bool
	zone          string // IANA name
	locale        string // such as "de-DE", for Intl and Accept-Language

	expects []string // substrings that the console must contain; everything else in it is an error
}

// open returns an empty page in its own profile. The test fails if one of the page's Must methods fails; each of them
// has the whole patience. Start the servers that the page visits first, so that they stop last.
func open(t *testing.T, o options) *rod.Page {
	t.Helper()
	b, cancel := chromium(t).WithCancel()
	t.Cleanup(cancel)
	profile, err := b.Incognito()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { profile.Close() })
	p, err := profile.Page(proto.TargetCreateTarget{})
	if err != nil {
		t.Fatal(err)
	}
	checkConsole(t, p, o.expects)
	for _, setting := range o.settings(t, profile) {
		if err := setting.Call(p); err != nil {
			t.Fatalf("%T: %v", setting, err)
		}
	}
	return p.Sleeper(pauses).WithPanic(func(err any) { t.Fatalf("%s: %v", testLine(), err) })
}

type setting interface{ Call(proto.Client) error }

func (o options) settings(t *testing.T, b *rod.Browser) []setting {
	t.Helper()
	version, err := b.Version()
	if err != nil {
		t.Fatal(err)
	}
	locale := cmp.Or(o.locale, "en-US")
	return []setting{
		o.screen(),
		proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme",
			Value: o.scheme()}}},
		proto.EmulationSetScriptExecutionDisabled{Value: o.noJavaScript},
		proto.EmulationSetTimezoneOverride{TimezoneID: cmp.Or(o.zone, "UTC")},
		proto.EmulationSetLocaleOverride{Locale: locale},
		proto.NetworkSetUserAgentOverride{UserAgent: version.UserAgent, AcceptLanguage: locale},
		proto.PageSetLifecycleEventsEnabled{Enabled: true}, // for awaitLoad
	}
}

// screen returns the device metrics. Zooming means fewer and larger pixels.
func (o options) screen() setting {
	width, height, zoom := cmp.Or(o.width, 1280), cmp.Or(o.height, 800), cmp.Or(o.zoom, 1)
	return proto.EmulationSetDeviceMetricsOverride{
		Width:             int(float64(width) / zoom),
		Height:            int(float64(height) / zoom),
		DeviceScaleFactor: zoom,
		Mobile:            width < 600,
	}
}

func (o options) scheme() string {
	if o.dark {
		return "dark"
	}
	return "light"
}

// pauses are those between two looks at a page. They are shorter than rod's own, and end with the patience.
func pauses() utils.Sleeper {
	pause, deadline := utils.BackoffSleeper(5*time.Millisecond, 50*time.Millisecond, nil), time.Now().Add(await.Patience)
	return func(ctx context.Context) error {
		if time.Now().After(deadline) {
			return fmt.Errorf("not within %v", await.Patience)
		}
		return pause(ctx)
	}
}

// testLine returns the test's line that called rod, which would otherwise report a line of its own.
func testLine() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for f, more := frames.Next(); more; f, more = frames.Next() {
		if strings.HasSuffix(f.File, "_test.go") {
			return f.File[strings.LastIndex(f.File, "/")+1:] + ":" + strconv.Itoa(f.Line)
		}
	}
	return "rod"
}
