// The overload monitor keeps working without a free file descriptor, although it reads a file to measure the memory of
// the process.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/**
 * Opens files until no descriptor is free, and then runs one check of the monitor. Prints the code of the error that
 * opening the last file caused, and the reason for overload: undefined, because there is no overload.
 */
const script = `
import { openSync } from 'node:fs'
import { mock } from 'node:test'
import { pressureCheckIntervalMs } from '${new URL('../../src/http/limits.ts', import.meta.url)}'
import { watchPressure } from '${new URL('../../src/http/overload-monitor.ts', import.meta.url)}'
mock.timers.enable({ apis: ['setInterval'] })
const processCount = 1
const pressure = watchPressure(processCount)
try {
  for (;;) openSync('/dev/null')
} catch (error) {
  mock.timers.tick(pressureCheckIntervalMs)
  console.log(error.code, pressure.reason)
}`

test('the overload monitor works without a free descriptor', () => {
  const { stdout, stderr } = spawnSync(
    'sh',
    // 60 descriptors are enough for Node to start, and few enough to be used up quickly. In the command, `$0` is the
    // path of Node, and `$1` is the script.
    ['-c', 'ulimit -n 60; exec "$0" --input-type=module -e "$1"', process.execPath, script],
    { encoding: 'utf8' },
  )
  assert.equal(stdout, 'EMFILE undefined\n', stderr)
})
