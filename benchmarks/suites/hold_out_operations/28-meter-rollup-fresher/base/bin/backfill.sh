#!/bin/sh
set -eu
for day in $@; do
  psql "$DATABASE_URL" -c "SELECT rollup_day('$day')"
done
