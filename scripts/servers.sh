#!/usr/bin/env bash
# Installs the servers that tests start (PostgreSQL, Prometheus, Redis, and Chromium for the pages) from the system's packages, where it may; else says what is missing.
# Tests that miss a server are skipped with a count; with CI=true that fails.
set -uo pipefail

missing=()
has_postgres() { command -v pg_config >/dev/null 2>&1 && [ -x "$(pg_config --bindir)/initdb" ] || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
has_prometheus() { command -v prometheus >/dev/null 2>&1 && command -v promtool >/dev/null 2>&1; }
has_redis() { command -v redis-server >/dev/null 2>&1; }
has_chromium() { command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1; }

has_postgres || missing+=(postgresql)
has_prometheus || missing+=(prometheus)
has_redis || missing+=(redis-server)
has_chromium || missing+=(chromium)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  printf 'servers: installing %s\n' "${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  # The packages must not start services of their own: tests start theirs on free ports.
  policy=/usr/sbin/policy-rc.d
  made_policy=0
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && made_policy=1
  fi
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
    { apt-get update -qq >/dev/null 2>&1 && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1; }
  [ "$made_policy" -eq 1 ] && rm -f "$policy"
fi

still=()
has_postgres || still+=(postgresql)
has_prometheus || still+=(prometheus)
has_redis || still+=(redis-server)
has_chromium || still+=(chromium)
if [ ${#still[@]} -gt 0 ]; then
  printf 'servers: %s missing; their tests are skipped. Install with: sudo apt-get install -y %s\n' "${still[*]}" "${still[*]}" >&2
fi
exit 0
