// The completion scripts. The script for bash runs in bash; of those for zsh and fish only the text is checked.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { commands, settings } from '../../src/cli/commands.ts'
import { runCommand } from '../command.ts'

/**
 * Returns the completions that bash offers for the last word. As bash does, it puts the words into `COMP_WORDS` and the
 * index of the last one into `COMP_CWORD`, calls the function of the script, and reads `COMPREPLY`.
 */
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

test('bash completes only the flags of the command', async () => {
  assert.deepEqual(await completeInBash('planning-registry', 'search', '--mun'), ['--municipality'])
  assert.deepEqual(await completeInBash('planning-registry', 'serve', '--mun'), [])
})

test('bash completes the shells of the completion command, and files for flags that take a file', async () => {
  assert.deepEqual(await completeInBash('planning-registry', 'completion', 'f'), ['fish'])
  const withoutExtension = import.meta.filename.slice(0, -'.ts'.length)
  const completions = await completeInBash('planning-registry', 'serve', '--tls-cert', withoutExtension)
  assert.deepEqual(completions, [import.meta.filename])
})

test('the scripts for zsh and fish contain every command and every flag', async () => {
  for (const shell of ['zsh', 'fish']) {
    const { stdout, status } = await runCommand(['completion', shell])
    assert.equal(status, 0)
    for (const { name } of commands) assert.ok(stdout.includes(name), `${shell}: ${name}`)
    // A script for fish has a flag as `-l flag`, and a script for zsh as `--flag[description]`.
    for (const { flag } of settings) {
      assert.ok(stdout.includes(shell === 'fish' ? `-l ${flag}` : `--${flag}[`), `${shell}: ${flag}`)
    }
  }
})

test('the script for zsh escapes colons and brackets in the descriptions and placeholders of flags', async () => {
  const { stdout } = await runCommand(['completion', 'zsh'])
  // The placeholder is `HOST[:PORT]`.
  assert.ok(stdout.includes(':HOST\\[\\:PORT\\]:'))
  const flagLines = stdout.split('\n').filter((line) => line.includes("'*--"))
  assert.ok(flagLines.length > 0)
  // A line is `'*--flag[description]:PLACEHOLDER:'` and a backslash, with `_files` after the second colon if the shell
  // completes files. Every colon or bracket inside the two texts has a backslash before it.
  const spec = /^ +'\*--[\w-]+\[(?:[^[\]:\\]|\\.)*\](?::(?:[^[\]:\\]|\\.)*:(?:_files)?)?' \\$/
  for (const line of flagLines) assert.match(line, spec)
})

test('an unknown shell is an error that lists the known shells', async () => {
  const { status, stderr } = await runCommand(['completion', 'tcsh'])
  assert.equal(status, 2)
  assert.equal(stderr, 'planning-registry: Cannot print a completion script for "tcsh": expected bash, zsh or fish\n')
  for (const shells of [[], ['bash', 'zsh']]) {
    const other = await runCommand(['completion', ...shells])
    assert.equal(other.status, 2)
    assert.equal(
      other.stderr,
      'planning-registry: Cannot print a completion script: expected one shell, bash, zsh or fish\n',
    )
  }
})
