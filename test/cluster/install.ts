// Installs the programs of `npm run test:cluster` if they are missing: Debian packages, so it needs Debian and root.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

const packages = ['patroni', 'etcd-server', 'pgbouncer', 'postgresql-15']
const programs = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/pgbouncer']
const isComplete = (): boolean =>
  programs.every((program) => existsSync(program)) && globSync('/usr/lib/postgresql/*/bin/postgres').length > 0

if (!isComplete()) {
  const args = ['install', '--yes', '--no-install-recommends', ...packages]
  // RUNLEVEL keeps Debian from starting the services of the packages.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  try {
    execFileSync('apt-get', args, { stdio: 'inherit', env })
  } catch (error) {
    throw new Error(`these tests need Debian packages; as root: apt-get ${args.join(' ')}`, { cause: error })
  }
}
