// Runs the checks of `npm run check` beside the other tests.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('format, lint and types are right, and the lockfile names only npm', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', 'check'], {
    cwd: join(import.meta.dirname, '../..'),
  }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => assert.fail(`${stdout}\n${stderr}`))
  assert.match(stdout, /No issues detected/)
})
