package public

import (
	"testing"

	"slotd/internal/store/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }
