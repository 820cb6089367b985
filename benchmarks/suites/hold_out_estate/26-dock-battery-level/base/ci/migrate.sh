#!/bin/sh
printf '{"containerOverrides":[{"name":"app","command":["npm","run","migrate"]}]}'
