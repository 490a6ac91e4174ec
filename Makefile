VERSION := 0.1.0
COMMIT  := $(shell git rev-parse --short HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.1
SQLC        := github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1

# The race detector watches all tests, and the program that they start. It would make these too slow:
# - in slots, zone, ical, invite, ledger, strictjson and workspace/file one goroutine computes a lot, and some tests
#   compare how much;
# - in browser and clients, Chromium and clients from npm do the work, and the detector cannot watch them.
# None of them has a test in which several act at once: those are named TestRace_.
SLOW := internal/availability/slots internal/availability/zone internal/calendar/ical internal/mail/invite \
	internal/money/ledger internal/lib/strictjson internal/workspace/file test/browser test/clients

# SQLite is C turned into Go, which locks by itself: watching that too would take twice the time.
RACE := -race -gcflags='modernc.org/...=-race=false -d=checkptr=0'

# go_test runs tests with temporary files in memory. The limit is for tests that hang.
go_test = TMPDIR=$$(sh test/tmpdir.sh) GOTMPDIR=$(or $(TMPDIR),/tmp) SLOTD_TEST_PROGRAM=$(CURDIR)/bin/$(1) go test -timeout 60m

.PHONY: help run build check test lint bench mutate sentences generate

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  \1\t/'

run: build ## serve the demo on 127.0.0.1:8080, with data that is thrown away at the end
	@data=$$(mktemp -d) && trap 'rm -rf "$$data"' EXIT && trap : INT TERM && ./bin/slotd serve --demo --data "$$data"

# From an empty cache the build takes 49 s on two cores, and 58 s if the compiler collects its garbage as
# often as it does by default.
build: ## build bin/slotd
	GOGC=300 CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/slotd ./cmd/slotd

check: lint build ## lint, and test all packages inside on SQLite
	$(call go_test,slotd) -short . ./cmd/... ./internal/...

test: ## install what is missing, then check and test everything
	sh test/install.sh
	$(MAKE) lint build
	go build $(RACE) -o bin/slotd-race ./cmd/slotd
	all=$$(go list ./...) && $(call go_test,slotd-race) $(RACE) -p 3 $$(echo "$$all" | grep -vxF $(SLOW:%=-e slotd/%))
	$(call go_test,slotd) $(SLOW:%=./%)

lint: ## gofmt, vet, staticcheck, go.mod
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "gofmt: $$unformatted"; exit 1; }
	go vet ./...
	go mod tidy -diff
	go run $(STATICCHECK) ./...

bench: build ## measure the server beside a bare handler and pgbench
	go run ./test/bench
	go test ./internal/booking -run '^$$' -bench Transaction -benchtime 2s

mutate: ## change the source in small ways and see whether the tests notice; takes about an hour
	go run ./test/mutate

sentences: ## print every sentence that people read
	@go run ./test/sentences

generate: ## write the query package anew from internal/store/queries.sql
	cd internal/store && go run $(SQLC) generate
