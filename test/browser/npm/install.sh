#!/bin/sh
# Installs axe-core from npm into node_modules, exactly as the lock file says. Does nothing if it is installed.
# Install scripts of packages are disabled: none is needed.
set -eu
cd "$(dirname "$0")"
exec 9<package.json
flock 9 # two test runs in one checkout must not install at once

if cmp -s package-lock.json node_modules/.installed-lock; then
	exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
cp package-lock.json node_modules/.installed-lock
