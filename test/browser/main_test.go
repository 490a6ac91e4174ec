package browser

import (
	"testing"

	"slotd/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m, 4) }
