import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { commands, settings } from '../../src/cli/commands.ts'
import { runCommand } from './run.ts'

/** What bash offers for the words typed so far, the last of which is being completed. */
async function completeInBash(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runCommand(['completion', 'bash'])
  const program = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _planning_registry; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', program, 'bash', ...words])
  return stdout.split('\n').filter((word) => word !== '')
}

test('bash completes commands', async () => {
  assert.deepEqual((await completeInBash('planning-registry', 'se')).sort(), ['search', 'serve'])
})

test('bash completes the flags of the command, and no others', async () => {
  assert.deepEqual(await completeInBash('planning-registry', 'search', '--mun'), ['--municipality'])
  assert.deepEqual(await completeInBash('planning-registry', 'serve', '--mun'), [])
})

test('bash completes shells for completion and files for flags that take one', async () => {
  assert.deepEqual(await completeInBash('planning-registry', 'completion', 'f'), ['fish'])
  const offered = await completeInBash('planning-registry', 'serve', '--tls-cert', import.meta.filename.slice(0, -3))
  assert.deepEqual(offered, [import.meta.filename])
})

test('the scripts for zsh and fish know every command and every flag', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { stdout, status } = await runCommand(['completion', shell])
    assert.equal(status, 0)
    for (const { name } of commands) assert.ok(stdout.includes(name), `${shell}: ${name}`)
    for (const { flag, commands: takers } of settings) {
      if (!commands.some(({ name }) => takers.includes(name))) continue
      assert.ok(stdout.includes(shell === 'fish' ? `-l ${flag}` : `--${flag}[`), `${shell}: ${flag}`)
    }
  }
})

test('a shell that is not known is refused with those that are', async () => {
  const { status, stderr } = await runCommand(['completion', 'tcsh'])
  assert.equal(status, 2)
  assert.equal(stderr, 'planning-registry: Cannot complete for "tcsh": expected one of bash, zsh, fish\n')
})
