// Recognises Spanish text in the image of a page with Tesseract, inside a worker process. Engine and language data come
// from installed packages; nothing is downloaded.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createWorker, OEM, type Worker } from 'tesseract.js'
import type { GreyImage } from './pdf.ts'

let engine: Promise<Worker> | undefined

/** Blank pages are skipped, because the engine takes seconds for them. */
export async function recogniseText(image: GreyImage): Promise<string> {
  if (isBlank(image.pixels)) return ''
  engine ??= startEngine()
  const worker = await engine
  const { data } = await worker.recognize(toPgm(image))
  if (data.confidence >= doubtfulConfidence) return data.text
  const quarterTurns = await findRotation(worker, image)
  if (quarterTurns === 0) return data.text
  const { data: upright } = await worker.recognize(toPgm(rotate(image, quarterTurns)))
  return upright.confidence > data.confidence ? upright.text : data.text
}

/** In percent. Upright text has 85 or more, charts and photographs up to 56, rotated text about 40. */
const doubtfulConfidence = 65
const certainConfidence = 75
/** Fewer letters may be recognised by chance. */
const certainLetters = 40

/** Returns the quarter turns that make the page upright, tried on the centre of the page. */
async function findRotation(worker: Worker, image: GreyImage): Promise<number> {
  const centre = cropCentre(image)
  if (isBlank(centre.pixels)) return 0
  for (let quarterTurns = 1; quarterTurns < 4; quarterTurns += 1) {
    const { data } = await worker.recognize(toPgm(rotate(centre, quarterTurns)))
    const letters = data.text.match(/\p{L}/gu)?.length ?? 0
    if (data.confidence >= certainConfidence && letters >= certainLetters) return quarterTurns
  }
  return 0
}

const centrePixels = 1_000

function cropCentre({ width, height, pixels }: GreyImage): GreyImage {
  const size = { width: Math.min(width, centrePixels), height: Math.min(height, centrePixels) }
  const [left, top] = [(width - size.width) >> 1, (height - size.height) >> 1]
  const centre = new Uint8Array(size.width * size.height)
  for (let row = 0; row < size.height; row += 1) {
    const start = (top + row) * width + left
    centre.set(pixels.subarray(start, start + size.width), row * size.width)
  }
  return { ...size, pixels: centre }
}

/** Rotates clockwise. */
function rotate(image: GreyImage, quarterTurns: number): GreyImage {
  if (quarterTurns === 0) return image
  const { width, height, pixels } = rotate(image, quarterTurns - 1)
  const rotated = new Uint8Array(pixels.length)
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0, to = height - 1 - y; x < width; x += 1, from += 1, to += height)
      rotated[to] = pixels[from] as number
  }
  return { width: height, height: width, pixels: rotated }
}

function startEngine(): Promise<Worker> {
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/spa/package.json'))
  return createWorker('spa', OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
  })
}

/** Netpbm grey map, which needs no compression: encoding PNG took longer than rendering the page. */
function toPgm(image: GreyImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${image.width} ${image.height}\n255\n`), image.pixels])
}

/** Whether fewer than one pixel in ten thousand is darker than light grey. */
function isBlank(pixels: Uint8Array): boolean {
  const darkMax = pixels.length / 10_000
  let dark = 0
  for (const pixel of pixels) {
    if (pixel < 192) dark += 1
    if (dark > darkMax) return false
  }
  return true
}
