// Recognises Spanish text in the picture of a page, inside a reading child. Engine and language data come from the
// installed packages; nothing is downloaded.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createWorker, OEM, type Worker } from 'tesseract.js'
import type { GreyPicture } from './pdf.ts'

let engine: Promise<Worker> | undefined

/** The text of the picture, empty for a blank page, which would cost the engine seconds to find nothing on. */
export async function recogniseText(picture: GreyPicture): Promise<string> {
  if (isBlank(picture.pixels)) return ''
  engine ??= startEngine()
  const { data } = await (await engine).recognize(toPgm(picture))
  return data.text
}

function startEngine(): Promise<Worker> {
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/spa/package.json'))
  return createWorker('spa', OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
  })
}

/** Netpbm's grey map: the engine reads it as it is, while compressing to PNG took longer than rendering. */
function toPgm(picture: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${picture.width} ${picture.height}\n255\n`), picture.pixels])
}

/** Fewer than one pixel in ten thousand is darker than a light grey. */
function isBlank(pixels: Uint8Array): boolean {
  const darkMax = pixels.length / 10_000
  let dark = 0
  for (const pixel of pixels) {
    if (pixel < 192) dark += 1
    if (dark > darkMax) return false
  }
  return true
}
