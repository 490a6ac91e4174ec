VERSION := 0.1.0
COMMIT  := $(shell git rev-parse --short HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.1
SQLC        := github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1

# Packages whose tests are run again under the race detector; of the larger ones, those in which several act at once.
RACE  := ./internal/lib/limit ./internal/mcp/bridge ./internal/mail/delivery ./internal/lib/coalesce ./internal/lib/seal ./internal/lib/safehttp
CROWD := ./internal/availability/snapshot ./internal/booking ./internal/booking/records ./internal/store ./internal/mcp ./internal/jobs ./internal/worker ./internal/calendar/calsync ./internal/web/public
ATONCE := Race|Reads|SameForm|Control|Law|Permit|Published|Repeat|AtOnce|Sees|NeverOver|Another|Several|Servers|Last|Overtake|Meanwhile|While|Crowd|Many|Stale|InHostTx|ClaimJobs|Poller|Watch|Cache|Idempotency|Hangs|Goes|Lease|Share

.PHONY: help run build test lint bench mutate generate

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  \1\t/'

run: build ## serve the demo on 127.0.0.1:8080, with data that is thrown away at the end
	@data=$$(mktemp -d) && trap 'rm -rf "$$data"' EXIT && trap : INT TERM && ./bin/slotd serve --demo --data "$$data"

# From an empty cache the build takes 49 s on two cores, and 58 s if the compiler collects its garbage as
# often as it does by default.
build: ## build bin/slotd
	GOGC=300 CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/slotd ./cmd/slotd

test: ## install what is missing, then check and test everything
	sh test/install.sh
	$(MAKE) lint
	go test -timeout 10m ./...
	go test -timeout 10m -short -race $(RACE)
	go test -timeout 10m -short -race -run '$(ATONCE)' $(CROWD)

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

generate: ## write the query package anew from internal/store/queries.sql
	cd internal/store && go run $(SQLC) generate
