package mcp

import (
	"flag"
	"testing"

	"slotd/internal/store/testdb"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { testdb.Main(m) }
