#!/bin/sh
# Installs the service on a machine with systemd: user, folders, settings, units. Run it as root from a checkout in
# /opt/planning-registry, after `npm ci`. It can be run again at any time, and after every upgrade: it replaces the units
# and keeps settings, plan, on-failure script and data.
set -eu

code=/opt/planning-registry
data=/var/lib/planning-registry
settings=/etc/planning-registry
user=planning-registry

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail 'run it as root'
[ "$(cd "$(dirname "$0")/.." && pwd -P)" = "$code" ] || fail "the units expect the code in $code: move the checkout there"
[ -x "$code/node_modules/.bin/node" ] || fail "run npm ci in $code first"
[ -e "$code/dist" ] || fail "the page is not built: run npm ci in $code first"

if ! getent passwd "$user" >/dev/null; then
    useradd --system --user-group --home-dir "$data" --shell /usr/sbin/nologin "$user"
fi
# Checked as that user: it may not be able to read a checkout with a strict umask.
setpriv --reuid "$user" --regid "$user" --clear-groups "$code/node_modules/.bin/node" --version >/dev/null ||
    fail "the user $user cannot run $code/node_modules/.bin/node: chmod -R go+rX $code"

install -d -o "$user" -g "$user" -m 750 "$data" "$data/source" "$data/source/documents"
plan=$data/source/registro.json
[ -e "$plan" ] || {
    printf '{\n  "sources": ["records.csv"],\n  "documents": "documents"\n}\n' >"$plan"
    chown "$user:$user" "$plan"
}
install -d -m 755 "$settings"
[ -e "$settings/environment" ] ||
    install -m 640 -g "$user" "$code/deploy/planning-registry.env" "$settings/environment"
[ -e "$settings/on-failure" ] || install -m 755 "$code/deploy/on-failure.sh" "$settings/on-failure"
install -d -m 755 /etc/systemd/system
install -m 644 "$code"/deploy/planning-registry*.service "$code"/deploy/planning-registry*.timer /etc/systemd/system/

if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
else
    echo 'install.sh: systemd is not running here; the units are installed but not loaded' >&2
fi

cat <<END
Installed. Next:
  1. Put the records into $data/source/records.csv and the PDFs into $data/source/documents
     (or the folder that the desk has worked in: spreadsheet, PDFs and registro.json, which is the plan of the import).
  2. systemctl start planning-registry-import
  3. systemctl enable --now planning-registry.service planning-registry-import.timer
END
