#!/bin/sh
set -e
kubectl apply -f k8s/
kubectl -n parcels rollout restart deployment/labels deployment/tracker
