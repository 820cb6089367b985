#!/bin/sh
set -eu
kubectl -n "$1" scale deployment "$2" --replicas "$3"
