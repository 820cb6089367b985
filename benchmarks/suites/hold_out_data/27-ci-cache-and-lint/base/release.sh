#!/bin/sh
set -e
npm ci
npm run build
aws s3 sync dist s3://mapleform-web --delete
