#!/bin/sh
# Called by planning-registry-failure@.service with the name of the unit that failed. Add your own alarm here; the
# journal has the reason: journalctl --unit="$1" --lines=20 --no-pager
set -eu
logger --priority daemon.crit --tag planning-registry "$1 failed; see journalctl --unit=$1"
# Example: an e-mail with the reason, through the mail server of the office.
# { printf 'Subject: %s failed on %s\n\n' "$1" "$(uname -n)"; journalctl --unit="$1" --lines=20 --no-pager; } |
#     curl --fail --silent --show-error --mail-from registro@example.org --mail-rcpt informatica@example.org \
#         --upload-file - smtp://mail.example.org
# Example: a webhook of a chat or an on-call service.
# curl --fail --silent --show-error --data "$1 failed on $(uname -n)" https://alerts.example.org/hook
