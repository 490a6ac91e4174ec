#!/bin/sh
# Installs what the tests need besides Go: PostgreSQL for the store, Node for MCP clients from npm, three independent
# readers of calendar files, two CalDAV servers and a client, Chromium for the pages, and Stripe's mock of its own API.
set -eu
cd "$(dirname "$0")"

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
python() { if [ -x /usr/bin/python3 ]; then /usr/bin/python3 "$@"; else python3 "$@"; fi; }

bin="$(go env GOPATH)/bin"
command -v stripe-mock >/dev/null 2>&1 || [ -x "$bin/stripe-mock" ] ||
	GOBIN="$bin" go install github.com/stripe/stripe-mock@v0.203.0

missing=""
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
command -v npm >/dev/null 2>&1 || missing="$missing nodejs npm"
command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
echo '#include <libical/ical.h>' | gcc -E - >/dev/null 2>&1 || missing="$missing libical-dev"
python -c 'import icalendar' 2>/dev/null || missing="$missing python3-icalendar"
python -c 'import vobject' 2>/dev/null || missing="$missing python3-vobject"
python -c 'import dateutil' 2>/dev/null || missing="$missing python3-dateutil"
python -c 'import caldav' 2>/dev/null || missing="$missing python3-caldav"
[ -x /usr/bin/radicale ] || missing="$missing radicale"
[ -x /usr/bin/xandikos ] || missing="$missing xandikos"
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
	command -v google-chrome >/dev/null 2>&1 || missing="$missing chromium"
if [ -n "$missing" ]; then
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "Please install:$missing. Without them the tests that need them are skipped." >&2
		exit 0
	fi
	wait="-o DPkg::Lock::Timeout=600" # seconds, for another package manager at work
	# shellcheck disable=SC2086
	as_root apt-get $wait update -qq
	# shellcheck disable=SC2086
	as_root env DEBIAN_FRONTEND=noninteractive apt-get $wait install -y -qq --no-install-recommends $missing
fi
sh clients/npm/install.sh
sh browser/npm/install.sh
