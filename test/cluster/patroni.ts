// A cluster on the loopback interface: etcd, and three nodes of PostgreSQL under Patroni, which makes one of them the
// primary and replaces it when it is lost. PgBouncer, a connection pooler, is in front of each node. All processes can
// be killed, frozen and started again.
import { execFile } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../free-port.ts'
import { serverUser } from '../postgres-server.ts'
import { until } from '../server/serve.ts'
import { Daemon, withDescendants } from './daemon.ts'

/**
 * Not the version of Debian 12, 3.0.2: there a primary that was frozen and continues can take the leader lock in etcd
 * back from its successor. Versions from 3.0.3 on compare the owner of the lock before they write it.
 */
export const patroniVersion = '4.1.0'
/** The folder in which install.ts puts Patroni. */
export const patroniFolder: string = `/opt/patroni-${patroniVersion}`

/** The name of the cluster in etcd. */
const scope = 'registry'

/**
 * In seconds. A primary that is lost is replaced within `ttl` and a few rounds of `loopWait`. Patroni repeats a failed
 * call of etcd or PostgreSQL for `retryTimeout`.
 */
const timing = { ttl: 20, loopWait: 2, retryTimeout: 5 }

/** Time for all nodes to start or to recover. A node that was killed may have to copy all data of the primary. */
const healthyMsMax = 180_000

/** The programs of the newest PostgreSQL that is installed. */
const binFolder = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? ''

class Etcd extends Daemon {
  readonly #clientPort: number
  readonly #peerPort: number

  constructor(folder: string, clientPort: number, peerPort: number) {
    super(folder)
    this.#clientPort = clientPort
    this.#peerPort = peerPort
  }

  get address(): string {
    return `127.0.0.1:${this.#clientPort}`
  }

  start(): void {
    const client = `http://${this.address}`
    const peer = `http://127.0.0.1:${this.#peerPort}`
    this.run('/usr/bin/etcd', [
      ...['--name', 'etcd', '--data-dir', join(this.folder, 'data'), '--initial-cluster', `etcd=${peer}`],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ])
  }
}

/** Patroni promotes only the synchronous replica: the plain replica may lack a transaction that was committed. */
type Role = 'primary' | 'synchronous replica' | 'replica'

/** The part of the response of Patroni to `GET /patroni` that is used here. */
interface NodeStatus {
  readonly state?: string
  readonly role?: 'primary' | 'replica'
  readonly sync_standby?: boolean
}

/** One PostgreSQL server with its Patroni. */
export class PatroniNode extends Daemon {
  readonly name: string
  readonly port: number
  readonly #apiPort: number
  /** The address of etcd, `HOST:PORT`. */
  readonly #etcd: string

  constructor(folder: string, name: string, ports: { readonly postgres: number; readonly api: number }, etcd: string) {
    super(folder)
    this.name = name
    this.port = ports.postgres
    this.#apiPort = ports.api
    this.#etcd = etcd
  }

  get configurationPath(): string {
    return join(this.folder, 'patroni.yml')
  }

  start(): void {
    // Patroni reads YAML. Every JSON text is valid YAML.
    writeFileSync(this.configurationPath, JSON.stringify(this.#toConfiguration()))
    this.run(`${patroniFolder}/bin/patroni`, [this.configurationPath])
  }

  /** Includes the processes of PostgreSQL. They are no children of Patroni, so that they survive its restart. */
  override get pids(): number[] {
    try {
      const [pid = ''] = readFileSync(join(this.folder, 'data/postmaster.pid'), 'utf8').split('\n')
      return [...super.pids, ...withDescendants([Number(pid)])]
    } catch {
      return super.pids
    }
  }

  /** Undefined while PostgreSQL does not run or Patroni does not respond. */
  async readRole(): Promise<Role | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.#apiPort}/patroni`, { signal: AbortSignal.timeout(1_000) })
      const { role, state, sync_standby: isSynchronous }: NodeStatus = JSON.parse(await response.text())
      // A replica is `streaming` while it receives the changes of the primary.
      if (role === undefined || (state !== 'running' && state !== 'streaming')) return undefined
      return isSynchronous ? 'synchronous replica' : role
    } catch {
      return undefined
    }
  }

  #toConfiguration(): unknown {
    const { ttl, loopWait, retryTimeout } = timing
    // The primary keeps 128 MB of its log, so that a node that was down can catch up without a copy of all data.
    const parameters = { max_connections: 100, shared_buffers: '32MB', hot_standby: 'on', wal_keep_size: '128MB' }
    return {
      scope,
      name: this.name,
      restapi: { listen: `127.0.0.1:${this.#apiPort}`, connect_address: `127.0.0.1:${this.#apiPort}` },
      etcd3: { host: this.#etcd },
      bootstrap: {
        // Settings that all nodes share. Patroni keeps them in etcd (DCS: distributed configuration store).
        dcs: {
          ttl,
          loop_wait: loopWait,
          retry_timeout: retryTimeout,
          // A replica that is more bytes behind the primary than this is not promoted.
          maximum_lag_on_failover: 1_048_576,
          // A commit waits for the synchronous replica, so that a published import survives the loss of the primary.
          // In strict mode, nothing is committed while there is no such replica.
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: { use_pg_rewind: true, parameters },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: `127.0.0.1:${this.port}`,
        connect_address: `127.0.0.1:${this.port}`,
        data_dir: join(this.folder, 'data'),
        bin_dir: binFolder,
        pgpass: join(this.folder, 'pgpass'),
        authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
        parameters: { unix_socket_directories: this.folder },
      },
    }
  }
}

/** PgBouncer in transaction mode in front of the PostgreSQL of one node. */
class Bouncer extends Daemon {
  readonly port: number
  readonly #nodePort: number

  constructor(folder: string, port: number, nodePort: number) {
    super(folder)
    this.port = port
    this.#nodePort = nodePort
  }

  start(): void {
    const configurationPath = join(this.folder, 'pgbouncer.ini')
    writeFileSync(join(this.folder, 'users.txt'), '"postgres" ""\n')
    writeFileSync(
      configurationPath,
      `[databases]
* = host=127.0.0.1 port=${this.#nodePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${this.port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(this.folder, 'users.txt')}
pool_mode = transaction
`,
    )
    this.run('/usr/sbin/pgbouncer', [configurationPath])
  }
}

/** `await using` kills all processes and removes their data; after `keepLogs` their logs remain. */
export class PatroniCluster implements AsyncDisposable {
  readonly etcd: Daemon
  readonly nodes: readonly PatroniNode[]
  readonly bouncers: readonly Bouncer[]
  readonly #folder: string
  #keepsLogs = false

  private constructor(folder: string, etcd: Etcd, nodes: readonly PatroniNode[], bouncers: readonly Bouncer[]) {
    this.#folder = folder
    this.etcd = etcd
    this.nodes = nodes
    this.bouncers = bouncers
  }

  static async start(): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'planning-registry-cluster-'))
    // Root starts the programs as `serverUser` (daemon.ts), who must be able to enter the folder.
    if (serverUser.uid !== undefined) chownSync(folder, serverUser.uid, serverUser.gid ?? serverUser.uid)
    const etcd = new Etcd(join(folder, 'etcd'), await findFreePort(), await findFreePort())
    const nodes: PatroniNode[] = []
    const bouncers: Bouncer[] = []
    for (const name of ['node1', 'node2', 'node3']) {
      const ports = { postgres: await findFreePort(), api: await findFreePort() }
      nodes.push(new PatroniNode(join(folder, name), name, ports, etcd.address))
      bouncers.push(new Bouncer(join(folder, `bouncer-${name}`), await findFreePort(), ports.postgres))
    }
    const cluster = new PatroniCluster(folder, etcd, nodes, bouncers)
    for (const daemon of [etcd, ...nodes, ...bouncers]) daemon.start()
    await cluster.untilHealthy()
    return cluster
  }

  /** The address of the database, with the ports of all nodes. */
  get url(): string {
    return toUrl(this.nodes)
  }

  /** The same address through the PgBouncer of each node, with the parameter that the service needs for PgBouncer. */
  get bouncedUrl(): string {
    return `${toUrl(this.bouncers)}?pgbouncer=true`
  }

  readRoles(): Promise<(Role | undefined)[]> {
    return Promise.all(this.nodes.map((node) => node.readRole()))
  }

  /** Waits until a node has this role, and returns the node. */
  untilNode(role: Role): Promise<PatroniNode> {
    return until(async () => this.nodes[(await this.readRoles()).indexOf(role)])
  }

  untilPrimary(): Promise<PatroniNode> {
    return this.untilNode('primary')
  }

  /** Waits until there are a primary, a synchronous replica, and a replica. */
  async untilHealthy(): Promise<void> {
    const startedAt = performance.now()
    await until(async () => {
      const roles = await this.readRoles()
      if (performance.now() - startedAt > healthyMsMax) {
        throw new Error(`the cluster in ${this.#folder} is not healthy: ${roles.join(', ')}`)
      }
      return roles.toSorted().join() === 'primary,replica,synchronous replica'
    })
  }

  /** Starts what was killed, and continues what was frozen. */
  restore(): void {
    for (const daemon of this.#daemons) daemon.restore()
  }

  /** From now on, disposal leaves the logs of all processes in place. Returns their folder. */
  keepLogs(): string {
    this.#keepsLogs = true
    return this.#folder
  }

  /** Runs `patronictl switchover`. Patroni makes the synchronous replica the new primary. */
  async switchOver(): Promise<void> {
    const { configurationPath, name } = await this.untilPrimary()
    const args = ['-c', configurationPath, 'switchover', scope, '--leader', name, '--force']
    await promisify(execFile)(`${patroniFolder}/bin/patronictl`, args)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const daemon of this.#daemons) {
      daemon.thaw()
      await daemon.kill()
      const removed = this.#keepsLogs ? join(daemon.folder, 'data') : daemon.folder
      await rm(removed, { recursive: true, force: true, maxRetries: 5 })
    }
    if (!this.#keepsLogs) await rm(this.#folder, { recursive: true, force: true })
  }

  get #daemons(): Daemon[] {
    return [...this.bouncers, ...this.nodes, this.etcd]
  }
}

/** The address of the database with the ports of these hosts. */
export function toUrl(hosts: readonly { readonly port: number }[]): string {
  return `postgres://postgres@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`
}
