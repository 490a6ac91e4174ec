package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/test/await"
)

// endOfTest is logged last: once it arrives, everything before it has arrived too.
const endOfTest = "slotd-end-of-test"

// console collects the errors and warnings that the developer tools would show: those of scripts, failed requests and
// violations of the Content-Security-Policy.
type console struct {
	mu      sync.Mutex
	lines   []string
	changed chan struct{}
}

// checkConsole fails the test at its end if the console holds unexpected lines or lacks expected ones. A test that was
// cut short may lack some.
func checkConsole(t *testing.T, p *rod.Page, expects []string) {
	t.Helper()
	c := &console{changed: make(chan struct{}, 1)}
	go p.EachEvent(c.logged, c.called, c.thrown)()
	enable := []setting{proto.RuntimeEnable{}, proto.LogEnable{}}
	for _, e := range enable {
		if err := e.Call(p); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		var needs []string
		if !t.Failed() && !t.Skipped() {
			needs = expects
		}
		for _, problem := range append(c.await(p, needs), c.unexpected(expects)...) {
			t.Error(problem)
		}
	})
}

func (c *console) logged(e *proto.LogEntryAdded) {
	if e.Entry.Level == proto.LogLogEntryLevelError || e.Entry.Level == proto.LogLogEntryLevelWarning {
		c.add(fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	}
}

func (c *console) called(e *proto.RuntimeConsoleAPICalled) {
	var words []string
	for _, a := range e.Args {
		words = append(words, strings.TrimSpace(a.Value.Str()+" "+a.Description))
	}
	text := strings.Join(words, " ")
	if e.Type == proto.RuntimeConsoleAPICalledTypeError || e.Type == proto.RuntimeConsoleAPICalledTypeWarning ||
		text == endOfTest {
		c.add(fmt.Sprintf("%s: %s", e.Type, text))
	}
}

func (c *console) thrown(e *proto.RuntimeExceptionThrown) {
	text := e.ExceptionDetails.Text
	if x := e.ExceptionDetails.Exception; x != nil {
		text += " " + x.Description
	}
	c.add("exception: " + text)
}

func (c *console) add(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line)
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// await waits for the lines and for the end, and returns what never came.
func (c *console) await(p *rod.Page, lines []string) (problems []string) {
	ctx, cancel := context.WithTimeout(p.GetContext(), await.Patience)
	defer cancel()
	for _, part := range lines {
		if !c.awaitLine(ctx, part) {
			problems = append(problems, fmt.Sprintf("the console lacks %q", part))
		}
	}
	if _, err := p.Eval(`end => console.debug(end)`, endOfTest); err != nil || !c.awaitLine(ctx, endOfTest) {
		problems = append(problems, fmt.Sprintf("the page does not answer: %v", err))
	}
	return problems
}

func (c *console) awaitLine(ctx context.Context, part string) bool {
	for !c.contains(part) {
		select {
		case <-c.changed:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (c *console) contains(part string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.lines, func(l string) bool { return strings.Contains(l, part) })
}

func (c *console) unexpected(expects []string) (problems []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.lines {
		inLine := func(part string) bool { return strings.Contains(line, part) }
		if !slices.ContainsFunc(append(expects, endOfTest), inLine) {
			problems = append(problems, "console: "+line)
		}
	}
	return problems
}
