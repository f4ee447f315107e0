// The files that operators install: systemd units, environment file, software bill of materials.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../../src/cli/commands.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const services = ['planning-registry.service', 'planning-registry-import.service']
/** Started by systemd when one of the services fails (`OnFailure=`). */
const failureUnit = 'planning-registry-failure@.service'
/** The text of a file in deploy/. */
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8')

for (const name of services) {
  test(`${name} has the settings of systemd that restrict its rights`, () => {
    const unit = read(name)
    for (const line of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'PrivateDevices=yes',
      'CapabilityBoundingSet=',
      'RestrictNamespaces=yes',
      'SystemCallFilter=@system-service',
      'LockPersonality=yes',
      'ProtectKernelTunables=yes',
      'ProtectControlGroups=yes',
      'RestrictSUIDSGID=yes',
      'User=planning-registry',
    ]) {
      assert.ok(unit.split('\n').includes(line), `${line} is missing`)
    }
  })
}

test('the service has Type=notify, and service and import have the failure unit in OnFailure', () => {
  assert.match(read('planning-registry.service'), /^Type=notify\nNotifyAccess=all$/m)
  for (const name of services) assert.match(read(name), /^OnFailure=planning-registry-failure@%n\.service$/m)
})

test('the service has a cache folder for compiled code, which only its user can open', () => {
  const lines = read('planning-registry.service').split('\n')
  assert.ok(lines.includes('CacheDirectory=planning-registry') && lines.includes('CacheDirectoryMode=0700'))
  assert.ok(lines.includes('Environment=NODE_COMPILE_CACHE=/var/cache/planning-registry'))
})

// `systemd-analyze security` rates the exposure of a unit from 0 (restricted) to 10 (all rights).
test('systemd, if installed, accepts the units and rates their exposure below 2', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) {
    context.diagnostic('systemd-analyze is not installed; only the text of the units was checked')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'planning-registry-units-'))
  try {
    copyFileSync(join(deploy, 'planning-registry-import.timer'), join(folder, 'planning-registry-import.timer'))
    for (const name of [...services, failureUnit]) {
      const unit = read(name)
        .replaceAll('/opt/planning-registry/node_modules/.bin/node', process.execPath)
        .replaceAll('/etc/planning-registry/on-failure', join(deploy, 'on-failure.sh'))
      writeFileSync(join(folder, name), unit)
    }
    for (const name of [...services, 'planning-registry-import.timer']) {
      const { stderr, status } = spawnSync('systemd-analyze', ['verify', join(folder, name)], { encoding: 'utf8' })
      // systemd-analyze also reports units of the machine.
      const ours = stderr.split('\n').filter((line) => line.includes('planning-registry'))
      assert.deepEqual(ours, [], `status ${status}`)
    }
    for (const name of [...services, failureUnit]) {
      const args = ['security', '--offline=true', '--no-pager', join(folder, name)]
      const { stdout, error } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
      const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]
      assert.ok(error === undefined && exposure !== undefined, stdout)
      assert.ok(Number(exposure) < 2, `${name}: ${exposure}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('every variable in the environment file is a setting, or belongs to the unit of the import', () => {
  const unit = read('planning-registry-import.service')
  for (const [, name = ''] of read('planning-registry.env').matchAll(/^#?([A-Z_]+)=/gm)) {
    const isSetting = settings.some((setting) => setting.variable === name)
    assert.ok(isSetting || new RegExp(`\\$\\{?${name}\\b`).test(unit), `${name} is not a setting`)
  }
})
