package mcp

import (
	"flag"
	"testing"

	"slotd/internal/testdb"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { testdb.Main(m) }
