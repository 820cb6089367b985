#!/bin/sh
set -eu
aws ecs update-service --cluster core --service invoicing-web --force-new-deployment
