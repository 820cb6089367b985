#!/bin/sh
set -eu
START=$(date +%s)
psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f /opt/rollup/sql/rollup.sql
echo "rollup finished took=$(( $(date +%s) - $START ))s"
