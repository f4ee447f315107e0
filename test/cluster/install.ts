// Installs the programs of `npm run test:all patroni` if they are missing: Debian packages, and Patroni from PyPI. It needs
// Debian and root.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { patroniFolder, patroniVersion } from './patroni.ts'

/** PostgreSQL 15 is the version of Debian 12. The tests use the newest version that is installed. */
const packages = ['etcd-server', 'pgbouncer', 'postgresql-15', 'python3-venv']
/** A file of each package. */
const files = [
  '/usr/bin/etcd',
  '/usr/sbin/pgbouncer',
  '/usr/lib/postgresql/*/bin/postgres',
  '/usr/lib/python3*/ensurepip/__main__.py',
]
const isComplete = (): boolean => files.every((pattern) => globSync(pattern).length > 0)

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

if (!existsSync(`${patroniFolder}/bin/patroni`)) {
  // Debian's own Python, because every user may run it, and Patroni does not run as root.
  execFileSync('/usr/bin/python3', ['-m', 'venv', patroniFolder], { stdio: 'inherit' })
  const distribution = `patroni[etcd3,psycopg3]==${patroniVersion}`
  execFileSync(`${patroniFolder}/bin/pip`, ['install', '--quiet', distribution], { stdio: 'inherit' })
}
