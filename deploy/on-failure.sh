#!/bin/sh
# Called by planning-registry-failure@.service with the name of the unit that failed. Add your own alarm here; the
# journal has the reason: journalctl --unit="$1" --lines=20 --no-pager
set -eu
logger --priority daemon.crit --tag planning-registry "$1 failed; see journalctl --unit=$1"
# Example: a message to a chat or an on-call service.
# curl --fail --silent --show-error --data "$1 failed on $(uname -n)" https://alerts.example.org/hook
