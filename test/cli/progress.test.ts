// The progress bar on a terminal, and the progress lines elsewhere. The arguments of `report` are the stage, how much
// of it is done, and its total, which is 0 if it is unknown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProgress, toDuration } from '../../src/cli/progress.ts'
import { setLanguage } from '../../src/language.ts'

/** An output that records what is written, with a clock that the test sets. `isTTY` tells whether it is a terminal. */
function makeOutput({ isTTY }: { readonly isTTY: boolean }) {
  const output = {
    isTTY,
    columns: 100,
    written: '',
    clockMs: 0,
    write: (text: string) => {
      output.written += text
    },
  }
  return output
}

test('on a terminal each stage has a bar with percentage, count, rate and time left', () => {
  const output = makeOutput({ isTTY: true })
  const progress = startProgress(output, { hasColour: false, now: () => output.clockMs })
  progress.report('reading', 0, 1000)
  output.clockMs = 2000
  progress.report('reading', 500, 1000)
  // `\r` and `ESC [K` go to the start of the line and clear it.
  assert.ok(output.written.endsWith('\r\x1b[K████████████░░░░░░░░░░░░  50 % reading: 500 of 1,000, 250/s, 2.0 s left'))
  output.clockMs = 4000
  progress.report('reading', 1000, 1000)
  progress.report('writing', 1, 10)
  assert.ok(output.written.includes('\r\x1b[Kreading: 1,000 in 4.0 s\n\r\x1b[K█'))
})

test('the bar is drawn at most ten times a second', () => {
  const output = makeOutput({ isTTY: true })
  const progress = startProgress(output, { hasColour: false, now: () => output.clockMs })
  for (output.clockMs = 0; output.clockMs < 1000; output.clockMs += 1) progress.report('reading', output.clockMs, 1000)
  assert.equal(output.written.split('\r').length - 1, 10)
})

test('the bar has a colour only if colours are on', () => {
  for (const hasColour of [true, false]) {
    const output = makeOutput({ isTTY: true })
    startProgress(output, { hasColour, now: () => 0 }).report('reading', 1, 2)
    assert.equal(output.written.includes('\x1b[36m'), hasColour)
  }
})

test('on a terminal that tells no width, the line is cut to 80 columns', () => {
  const output = makeOutput({ isTTY: true })
  output.columns = 0
  startProgress(output, { hasColour: false, now: () => 0 }).report('reading '.repeat(10), 1, 2)
  // The last column stays free, because some terminals begin a new line when it is written.
  assert.equal(output.written.length, '\r\x1b[K'.length + 79)
})

test('without a total the bar shows count and rate only', () => {
  const output = makeOutput({ isTTY: true })
  const progress = startProgress(output, { hasColour: false, now: () => output.clockMs })
  progress.report('reading', 0, 0)
  output.clockMs = 1000
  progress.report('reading', 70, 0)
  // The ellipsis stands in place of the percentage, and is padded to the same width.
  assert.match(output.written, / {5}… reading: 70, 70\/s$/)
})

test('without a terminal a line is printed every five seconds and at the end', () => {
  const output = makeOutput({ isTTY: false })
  const progress = startProgress(output, { now: () => output.clockMs })
  progress.report('reading', 0, 100)
  output.clockMs = 4000
  progress.report('reading', 40, 100)
  assert.equal(output.written, '')
  output.clockMs = 5000
  progress.report('reading', 50, 100)
  output.clockMs = 6000
  progress.report('reading', 60, 100)
  progress.end()
  assert.equal(output.written, 'reading: 50 %, 50 of 100, 10/s, 5.0 s left\nreading: 60 in 6.0 s\n')
})

test('durations are written in seconds, minutes and hours', () => {
  assert.deepEqual([0.04, 9.9, 59.6, 200, 7500].map(toDuration), [
    '0.0 s',
    '9.9 s',
    '1 min 0 s',
    '3 min 20 s',
    '2 h 5 min',
  ])
})

test('in Spanish the decimals of a duration follow a comma', (context) => {
  context.after(() => setLanguage('en'))
  setLanguage('es')
  assert.deepEqual([0.04, 1.72, 200].map(toDuration), ['0,0 s', '1,7 s', '3 min 20 s'])
})
