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
  const worker = await engine
  const { data } = await worker.recognize(toPgm(picture))
  if (data.confidence >= doubtfulConfidence) return data.text
  const quarters = await findQuarters(worker, picture)
  if (quarters === 0) return data.text
  const { data: upright } = await worker.recognize(toPgm(turn(picture, quarters)))
  return upright.confidence > data.confidence ? upright.text : data.text
}

/** In percent: text the right way up has 85 and more; charts and photographs have up to 56, text on its side 40. */
const doubtfulConfidence = 65
const certainConfidence = 75
/** Fewer may be told by chance. */
const certainLetters = 40

/** By how many quarters a page that lies on its side or stands on its head is to be turned, told by its middle. */
async function findQuarters(worker: Worker, picture: GreyPicture): Promise<number> {
  const middle = cutMiddle(picture)
  if (isBlank(middle.pixels)) return 0
  for (let quarters = 1; quarters < 4; quarters += 1) {
    const { data } = await worker.recognize(toPgm(turn(middle, quarters)))
    const letters = data.text.match(/\p{L}/gu)?.length ?? 0
    if (data.confidence >= certainConfidence && letters >= certainLetters) return quarters
  }
  return 0
}

const middlePixels = 1_000

function cutMiddle({ width, height, pixels }: GreyPicture): GreyPicture {
  const cut = { width: Math.min(width, middlePixels), height: Math.min(height, middlePixels) }
  const [left, top] = [(width - cut.width) >> 1, (height - cut.height) >> 1]
  const middle = new Uint8Array(cut.width * cut.height)
  for (let row = 0; row < cut.height; row += 1) {
    const start = (top + row) * width + left
    middle.set(pixels.subarray(start, start + cut.width), row * cut.width)
  }
  return { ...cut, pixels: middle }
}

/** Clockwise. */
function turn(picture: GreyPicture, quarters: number): GreyPicture {
  if (quarters === 0) return picture
  const { width, height, pixels } = turn(picture, quarters - 1)
  const turned = new Uint8Array(pixels.length)
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0, to = height - 1 - y; x < width; x += 1, from += 1, to += height) turned[to] = pixels[from] as number
  }
  return { width: height, height: width, pixels: turned }
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
