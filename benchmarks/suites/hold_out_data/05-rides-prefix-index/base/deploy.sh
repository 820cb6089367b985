#!/bin/sh
set -e
php artisan migrate --force
php artisan queue:restart
