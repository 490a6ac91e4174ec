package browser

import (
	"cmp"
	"context"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"
)

// options say whose browser it is. The zero value is a laptop in UTC, in American English.
type options struct {
	width, height int     // of the screen, 1280 × 800 if left out; narrower than 600 is a phone
	zoom          float64 // 2 is what a person sees at 200 %
	dark          bool
	noJavaScript  bool
	zone          string // IANA name
	locale        string // such as "de-DE", for Intl and Accept-Language

	expects []string // parts of what the console must hold; without them it must stay empty
}

// open gives an empty page in a profile of its own. Where the page's Must methods fail, or take longer
// than patience in all, the test fails. Start what the page visits first, so that it ends last.
func open(t *testing.T, o options) *rod.Page {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	t.Cleanup(stop)
	profile, err := chromium(t).Context(ctx).Incognito()
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
	return p.Sleeper(impatient).WithPanic(func(err any) { t.Fatalf("%s: %v", testLine(), err) })
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
	}
}

// screen is what zooming does to a page: fewer and larger pixels.
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

// impatient is how often rod asks for what it waits for: more often than it would by itself.
func impatient() utils.Sleeper {
	return utils.BackoffSleeper(5*time.Millisecond, 50*time.Millisecond, nil)
}

// testLine is where a test called rod, which would otherwise report a line of its own.
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
