package mcp

import (
	"context"
	"net/http"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/lib/strictjson"
)

type (
	readTool  func(c *call, args arguments) (content []byte, err error)
	writeTool func(c *call, ctx context.Context, token slotd.Token, args arguments) (result any, err error)
)

// tools lists the five tools. A read tool is open to everyone; a write tool needs a token.
var tools = []struct {
	name  string
	read  readTool
	write writeTool
}{
	{name: "list_public_event_types", read: (*call).listPublicEventTypes},
	{name: "get_availability", read: (*call).getAvailability},
	{name: "create_booking", write: (*call).createBooking},
	{name: "reschedule_booking", write: (*call).rescheduleBooking},
	{name: "cancel_booking", write: (*call).cancelBooking},
}

// callTool runs tools/call. It checks the rate limit, then the token, then the arguments; the tool's own checks follow.
func (c *call) callTool() (status int) {
	name, args := c.params.Get("name"), c.params.Get("arguments")
	for i := range tools {
		t := &tools[i]
		if !name.Is(t.name) {
			continue
		}
		c.tool = t.name
		if args.Present() && args.Kind() != strictjson.Object {
			return c.refuseCall(http.StatusOK, invalidParams, "arguments must be an object.")
		}
		defer c.recoverPanic(&status)
		if t.read != nil {
			return c.callRead(t.read, args)
		}
		return c.callWrite(t.write, args)
	}
	return c.refuseCall(http.StatusOK, invalidParams,
		"There is no tool "+clip(name.Text())+". Call tools/list to see the five there are.")
}

// refuseCall rejects a call that never reaches a tool. It counts like a read. At the limit even this response is a tool
// result, because MCP hosts show those to the model.
func (c *call) refuseCall(status, code int, message string) int {
	if wait := c.h.Reads.Take(c.client(), c.now); wait > 0 {
		return c.failTool(rateLimited(wait))
	}
	return c.fail(status, code, message)
}

// callRead runs a read tool. The tool returns the encoded middle part of the response, which may come from a cache.
func (c *call) callRead(tool readTool, args strictjson.Value) int {
	if wait := c.h.Reads.Take(c.client(), c.now); wait > 0 {
		return c.failTool(rateLimited(wait))
	}
	content, err := tool(c, arguments{args})
	if err != nil {
		return c.failTool(err)
	}
	return c.toolResult(content)
}

// writeTimeout limits a write, including the time that it waits in the queue of a busy host.
const writeTimeout = 20 * time.Second

func (c *call) callWrite(tool writeTool, args strictjson.Value) int {
	plaintext := identity.BearerToken(c.r.Header.Get("Authorization"))
	if wait := c.takeWrite(plaintext); wait > 0 {
		return c.failTool(rateLimited(wait))
	}
	ctx, cancel := context.WithTimeout(c.r.Context(), writeTimeout)
	defer cancel()
	token, err := c.h.Tokens.Recognize(ctx, plaintext)
	if slotd.Is(err, slotd.Unauthorized) && identity.IsToken(plaintext) {
		// Somebody who makes up tokens must not get a new limit with each of them.
		if wait := c.h.Guesses.Take(c.client(), c.now); wait > 0 {
			err = rateLimited(wait)
		}
	}
	if err != nil {
		return c.failTool(err)
	}
	result, err := tool(c, ctx, token, arguments{args})
	c.h.Tokens.RecordUse(ctx, token)
	if err != nil {
		return c.failTool(err)
	}
	return c.toolResult(contentOf(result))
}

// takeWrite counts a write by its token and returns how long the client must wait. A malformed token counts by address,
// like a read.
func (c *call) takeWrite(plaintext string) time.Duration {
	if !identity.IsToken(plaintext) {
		return c.h.Reads.Take(c.client(), c.now)
	}
	return c.h.Writes.Take(identity.HashToken(plaintext), c.now)
}

func rateLimited(wait time.Duration) error {
	return slotd.NewError(slotd.RateLimited, slotd.Facts{RetryAfter: wait})
}

func contentOf(object any) []byte { return contentOfJSON(marshal(object)) }

// contentOfJSON returns a result that holds a tool's encoded object twice: as text and as structuredContent. It leaves
// the result's end open for the members that the era adds.
func contentOfJSON(structured []byte) []byte {
	out := make([]byte, 0, 2*len(structured)+len(structured)/4+128)
	out = append(out, `{"content":[{"type":"text","text":`...)
	out = appendString(out, structured)
	out = append(out, `}],"structuredContent":`...)
	out = append(out, structured...)
	return append(out, `,"isError":false`...)
}

func (c *call) toolResult(content []byte) int {
	c.count("ok")
	c.openResponse()
	c.out = append(c.out, `"result":`...)
	c.content, c.contentAt = content, len(c.out)
	c.closeResult()
	return http.StatusOK
}

func (c *call) closeResult() {
	if c.modern {
		c.out = append(c.out, c.h.fixed.modernTail...)
	} else {
		c.out = append(c.out, '}')
	}
	c.out = append(c.out, '}')
}

func (c *call) actor(token slotd.Token) booking.Actor {
	return booking.Token(token.WorkspaceID, token.ID, c.client().String())
}
