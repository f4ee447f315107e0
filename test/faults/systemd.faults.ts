// The installation on a machine with systemd: deploy/install.sh with the real tools in a mount namespace of its own,
// and the messages that the service sends to systemd, received by socat.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { distinctRecords } from '../server/checked-load.ts'
import { startServe, until } from '../server/serve.ts'
import { requireTool } from './tools.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

for (const workers of ['1', '2']) {
  test(`serve --workers ${workers} tells systemd when it listens and when it ends`, async () => {
    await requireTool('systemd-notify')
    await requireTool('socat')
    const folder = await mkdtemp(join(tmpdir(), 'planning-registry-notify-'))
    const socket = join(folder, 'notify')
    const messages = join(folder, 'messages')
    const receiver = spawn('socat', ['-u', `UNIX-RECV:${socket}`, `CREATE:${messages}`], { stdio: 'inherit' })
    try {
      await until(async () => existsSync(socket))
      const readMessages = async (): Promise<string> => (existsSync(messages) ? readFile(messages, 'utf8') : '')
      const serve = await startServe(distinctRecords, {
        flags: ['--workers', workers],
        variables: { NOTIFY_SOCKET: socket },
      })
      try {
        await until(async () => (await readMessages()).includes('READY=1'))
        assert.ok(!(await readMessages()).includes('STOPPING=1'))
      } finally {
        await serve[Symbol.asyncDispose]()
      }
      await until(async () => (await readMessages()).includes('STOPPING=1'))
      assert.equal(await serve.ended, 0)
    } finally {
      const ended = once(receiver, 'exit')
      receiver.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    }
  })
}

/**
 * The block of commands in docs/operating.md that contains these words, as a script. In the script, $1 is the folder
 * of the test, and its subfolders `demo` and `backup` replace /tmp/demo and /backup.
 */
function toScript(words: string): string {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const found = blocks.find((text) => text.includes(words))
  assert.ok(found !== undefined, `docs/operating.md has no block with ${words}`)
  return `set -eu\n${found.replaceAll('/tmp/demo', '"$1"/demo').replaceAll('/backup/', '"$1"/backup/')}`
}

/**
 * The installation, the first import, the start, backup and restore, as docs/operating.md tells them. It prints what
 * the test compares. /etc is a copy, and /opt and /var/lib are empty, so that the machine itself does not change. The
 * folder of the test is $1, the folder of the code $2.
 */
const installation = `
set -eu
mount --make-rprivate /
mkdir "$1/etc" && cp -a /etc/. "$1/etc/" && mount --bind "$1/etc" /etc
# As if the machine had no installation yet.
sed -i /^planning-registry:/d /etc/passwd /etc/shadow /etc/group /etc/gshadow
rm -rf /etc/planning-registry
mount -t tmpfs tmpfs /opt
mount -t tmpfs -o mode=755 tmpfs /var/lib
mkdir /opt/planning-registry && mount --bind "$2" /opt/planning-registry
cd /opt/planning-registry
sh deploy/install.sh >"$1/first"
echo '# a setting of the operator' >>/etc/planning-registry/environment
sh deploy/install.sh >"$1/second"
cmp "$1/first" "$1/second"
tail -n 1 /etc/planning-registry/environment
stat --format '%U:%G %a %n' /var/lib/planning-registry /etc/planning-registry/environment
ls /etc/systemd/system | grep '^planning-registry' | paste -s -d ' '
# Runs the command of a unit as systemd does: in its folder, as its user, with its variables. It has one worker and free
# ports.
run() {
  command=$(sed -n 's/^ExecStart=//p' "/etc/systemd/system/$1")
  cd /var/lib/planning-registry
  exec setpriv --reuid planning-registry --regid planning-registry --clear-groups --no-new-privs sh -c \
    "set -a; . /etc/planning-registry/environment; WORKERS=1 PORT=0 ADMIN_PORT=0; exec $command"
}
mkdir "$1/backup"
(${toScript('planning-registry sample')}) >"$1/sample"
(run planning-registry-import.service) >"$1/import" 2>&1 || { cat "$1/import" >&2; exit 1; }
stat --format '%U:%G %n' /var/lib/planning-registry/registry.db
(run planning-registry.service) >"$1/serve" 2>&1 &
while ! grep -q 'listening on' "$1/serve"; do kill -0 $! || { cat "$1/serve" >&2; exit 1; }; sleep 0.1; done
kill $!
# The status of a service that SIGTERM ends is 0.
wait $! && echo served
(${toScript('cp /var/lib/planning-registry/registry.db')}) >"$1/backup.log"
rm /var/lib/planning-registry/registry.db
(${toScript('cp /backup/registry.db')})
stat --format '%U:%G %n' /var/lib/planning-registry/registry.db
cmp /var/lib/planning-registry/registry.db "$1/backup/registry.db"
`

test('deploy/install.sh keeps settings when run again, the units import and serve, and a backup is restored', async () => {
  await requireTool('unshare')
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-install-'))
  try {
    const args = ['--mount', 'sh', '-c', installation, 'sh', folder, root]
    const { stdout } = await promisify(execFile)('unshare', args)
    // The lines that tail, stat, ls, stat, echo and stat print, in this order.
    assert.deepEqual(stdout.trim().split('\n'), [
      // The last line of the environment file, which the second installation has kept.
      '# a setting of the operator',
      'planning-registry:planning-registry 750 /var/lib/planning-registry',
      'root:planning-registry 640 /etc/planning-registry/environment',
      [
        'planning-registry-failure@.service planning-registry-import.service planning-registry-import.timer',
        'planning-registry.service',
      ].join(' '),
      'planning-registry:planning-registry /var/lib/planning-registry/registry.db',
      'served',
      'planning-registry:planning-registry /var/lib/planning-registry/registry.db',
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('deploy/install.sh refuses to install from another folder than /opt/planning-registry', async () => {
  await assert.rejects(promisify(execFile)('sh', [join(root, 'deploy/install.sh')]), /expect the code in \/opt/)
})
