// The texts of `--help`, compared with the tables in src/cli/commands.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commands, settings } from '../../src/cli/commands.ts'
import { runCommand } from '../command.ts'

test('--help lists every command, and the help of a command lists its flags and examples', async () => {
  const { stdout } = await runCommand(['--help'])
  for (const command of commands) {
    assert.match(stdout, new RegExp(`^  ${command.name}\\b`, 'm'))
    const help = await runCommand([command.name, '--help'])
    assert.equal(help.status, 0)
    assert.ok(command.examples.length > 0)
    for (const example of command.examples) assert.ok(help.stdout.includes(`  ${example}\n`))
    for (const { flag } of settings.filter((setting) => setting.commands.includes(command.name))) {
      assert.match(help.stdout, new RegExp(`^  --${flag}\\b`, 'm'))
    }
  }
})

test('serve --help says that the default database is built from the sample', async () => {
  const { stdout } = await runCommand(['serve', '--help'])
  assert.match(stdout, /if the default database does not exist, first builds it from the bundled sample/)
})

test('every example of --help uses only flags of its command', () => {
  for (const { name, examples } of commands) {
    const known = settings.filter((setting) => setting.commands.includes(name)).map(({ flag }) => `--${flag}`)
    for (const flag of examples.join(' ').match(/--[a-z-]+/g) ?? []) assert.ok(known.includes(flag), `${name} ${flag}`)
  }
})
