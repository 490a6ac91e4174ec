package mcp

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"slotd/internal/lib/strictjson"
)

// The revisions, oldest first. The newest is "modern": each request carries its version and
// capabilities, and headers that repeat the body. The others are "legacy".
const modernVersion = "2026-07-28"

var (
	legacyVersions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}
	newestLegacy   = legacyVersions[len(legacyVersions)-1]
	allVersions    = append(slices.Clone(legacyVersions), modernVersion)
)

const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// The protocol's error codes.
const (
	parseError         = -32700
	invalidRequest     = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	headerMismatch     = -32020
	unsupportedVersion = -32022
)

// answer reads the message and answers it, in the contract's order of what is looked at first.
func (c *call) answer(header http.Header) (status int) {
	if err := c.doc.Parse(c.text, maxDepth); err != nil {
		return c.failCounted(header, http.StatusBadRequest, parseError,
			"The body is not one valid JSON value: "+err.Error()+".")
	}
	root := c.doc.Root()
	notification, wrong := c.readEnvelope(root)
	if wrong != "" {
		return c.failCounted(header, http.StatusBadRequest, invalidRequest, wrong)
	}
	if !c.isToolCall() || notification {
		if status := c.limited(header); status != 0 {
			return status
		}
	}
	if notification {
		return http.StatusAccepted
	}
	if status := c.checkRevision(); status != 0 {
		return c.countedRefusal(status)
	}
	return c.dispatch()
}

// countedRefusal: all but tool calls have been counted already.
func (c *call) countedRefusal(status int) int {
	if c.isToolCall() {
		if wait := c.h.Reads.Take(c.client(), c.now); wait > 0 {
			return c.failTool(rateLimited(wait))
		}
	}
	return status
}

func (c *call) isToolCall() bool { return c.method.Is("tools/call") }

// readEnvelope takes the message apart. wrong is a sentence if it is no JSON-RPC request.
func (c *call) readEnvelope(root strictjson.Value) (notification bool, wrong string) {
	if root.Kind() == strictjson.Array {
		return false, "Batches are not supported: send one message a request."
	}
	if root.Kind() != strictjson.Object {
		return false, "The message must be a JSON object."
	}
	id := root.Get("id")
	if id.Present() {
		if id.Kind() != strictjson.String && !id.IsInteger() {
			return false, "The id must be a string or an integer."
		}
		c.id = id.Raw()
	}
	c.method, c.params = root.Get("method"), root.Get("params")
	switch {
	case !root.Get("jsonrpc").Is("2.0"):
		return false, `The member jsonrpc must be "2.0".`
	case c.method.Kind() != strictjson.String:
		return false, "The member method must be a string."
	case c.params.Present() && c.params.Kind() != strictjson.Object && c.params.Kind() != strictjson.Null:
		return false, "The member params must be an object."
	}
	return !id.Present(), ""
}

// checkRevision finds out which era the request belongs to and holds it to that era's rules. It
// returns 0 if all is well.
func (c *call) checkRevision() (status int) {
	meta := c.params.Get("_meta")
	version := meta.Get(metaVersion)
	said, sent := c.header("Mcp-Protocol-Version")
	c.modern = version.Present() || isLaterVersion(said)
	if !c.modern {
		if sent && !slices.Contains(legacyVersions, said) {
			return c.failVersion(invalidRequest, said)
		}
		return 0
	}
	asked := said
	if version.Kind() == strictjson.String {
		asked = version.Text()
		// A text that is no revision's date asks for nothing: it only differs from the header.
		if sent && said != asked && !isDate(asked) {
			return c.failHeader("MCP-Protocol-Version", asked)
		}
	}
	if asked != modernVersion && (!version.Present() || version.Kind() == strictjson.String) {
		return c.failVersion(unsupportedVersion, asked)
	}
	if status := c.checkModernHeaders(asked); status != 0 {
		return status
	}
	if version.Kind() != strictjson.String || meta.Get(metaCapabilities).Kind() != strictjson.Object {
		return c.fail(http.StatusBadRequest, invalidParams,
			"params._meta must hold "+metaVersion+" (a string) and "+metaCapabilities+" (an object).")
	}
	return 0
}

// isLaterVersion: a date from the first modern revision on.
func isLaterVersion(version string) bool { return version >= modernVersion && isDate(version) }

func isDate(version string) bool {
	_, err := time.Parse(time.DateOnly, version)
	return err == nil
}

// header is a header's value, if it was sent. The name must be in Go's canonical form.
func (c *call) header(name string) (value string, sent bool) {
	values := c.r.Header[name]
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// checkModernHeaders: what intermediaries read in the headers must be what we read in the body.
func (c *call) checkModernHeaders(version string) int {
	if !c.headerIs("Mcp-Protocol-Version", version) {
		return c.failHeader("MCP-Protocol-Version", version)
	}
	if method := c.method.Text(); !c.headerIs("Mcp-Method", method) {
		return c.failHeader("Mcp-Method", method)
	}
	name := c.params.Get("name")
	if c.isToolCall() && name.Kind() == strictjson.String && !c.headerIs("Mcp-Name", name.Text()) {
		return c.failHeader("Mcp-Name", name.Text())
	}
	return 0
}

func (c *call) failHeader(name, want string) int {
	return c.fail(http.StatusBadRequest, headerMismatch,
		"The header "+name+" must be the same as in the body: "+clip(want)+".")
}

// headerIs compares exactly. A value that a header cannot carry comes as =?base64?…?=.
func (c *call) headerIs(name, want string) bool {
	values := c.r.Header[name]
	if len(values) != 1 {
		return false
	}
	got := values[0]
	if encoded, ok := strings.CutPrefix(got, "=?base64?"); ok && name == "Mcp-Name" {
		encoded, ok = strings.CutSuffix(encoded, "?=")
		decoded, err := base64.StdEncoding.DecodeString(encoded)
		return ok && err == nil && string(decoded) == want
	}
	return got == want
}

// dispatch answers a request that is in order.
func (c *call) dispatch() int {
	switch {
	case c.isToolCall():
		return c.callTool()
	case c.method.Is("tools/list"):
		return c.result(c.h.fixed.tools)
	case c.method.Is("server/discover"):
		return c.result(c.h.fixed.discover)
	case c.method.Is("initialize") && !c.modern:
		return c.initialize()
	case c.method.Is("ping") && !c.modern:
		return c.result(eras{legacy: []byte("{}")})
	}
	unknown := "There is no method " + clip(c.method.Text()) +
		" in this revision. It has server/discover, tools/list and tools/call"
	if c.modern {
		return c.fail(http.StatusNotFound, methodNotFound, unknown+".")
	}
	return c.fail(http.StatusOK, methodNotFound, unknown+", initialize and ping.")
}

// initialize agrees on the asked revision if it is a legacy one, else on the newest of those.
func (c *call) initialize() int {
	agreed := newestLegacy
	if asked := c.params.Get("protocolVersion"); asked.Kind() == strictjson.String &&
		slices.Contains(legacyVersions, asked.Text()) {
		agreed = asked.Text()
	}
	return c.result(eras{legacy: c.h.fixed.initialize[agreed]})
}
