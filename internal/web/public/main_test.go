package public

import (
	"testing"

	"slotd/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }
