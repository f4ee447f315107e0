// Recognises the text in the image of a page with Tesseract, inside a worker process. Engine and models come from
// installed packages; nothing is downloaded.
import type { Worker } from 'tesseract.js'
import type { OcrModels } from './ocr-languages.ts'
import type { GreyImage } from './pdf.ts'

/**
 * Below this confidence of Tesseract, in percent, the page may be rotated. Upright text has 85 or more, charts and
 * photographs up to 56, rotated text about 40.
 */
const uprightConfidenceMin = 65
/** A rotation is right if it gives at least this confidence and this many letters; fewer may be found by chance. */
const rotationConfidenceMin = 75
const rotationLettersMin = 40
/** Rotations are tried on a square of this width in the centre of the page. */
const centrePixels = 1_000
/** Pixels with a lower grey value are dark; 255 is white. */
const lightGrey = 192
/** A page with a smaller share of dark pixels is blank. */
const blankDarkShare = 1 / 10_000

/** The engine is started with the first page that is not blank and kept for the lifetime of the process. */
let enginePromise: Promise<Worker> | undefined

/**
 * Returns the text of a page, which may be rotated by quarter turns. For a blank page, which would take the engine
 * seconds, the text is empty. All calls must give the same `models`, because the engine is started only once.
 */
export async function recogniseText(image: GreyImage, models: OcrModels): Promise<string> {
  if (isBlank(image.pixels)) return ''
  enginePromise ??= startEngine(models)
  const engine = await enginePromise
  const { data: unrotated } = await engine.recognize(toPgm(image))
  if (unrotated.confidence >= uprightConfidenceMin) return unrotated.text
  const quarterTurns = await findRotation(engine, image)
  if (quarterTurns === 0) return unrotated.text
  const { data: rotated } = await engine.recognize(toPgm(rotate(image, quarterTurns)))
  return rotated.confidence > unrotated.confidence ? rotated.text : unrotated.text
}

/** Returns how many quarter turns make the centre of the page upright; 0 if no rotation is certain. */
async function findRotation(engine: Worker, image: GreyImage): Promise<number> {
  const centre = cropCentre(image)
  if (isBlank(centre.pixels)) return 0
  for (let quarterTurns = 1; quarterTurns < 4; quarterTurns += 1) {
    const { data } = await engine.recognize(toPgm(rotate(centre, quarterTurns)))
    const letters = data.text.match(/\p{L}/gu)?.length ?? 0
    const isUpright = data.confidence >= rotationConfidenceMin && letters >= rotationLettersMin
    if (isUpright) return quarterTurns
  }
  return 0
}

/** Returns the square in the centre; less on a side that is shorter than `centrePixels`. */
function cropCentre({ width, height, pixels }: GreyImage): GreyImage {
  const size = { width: Math.min(width, centrePixels), height: Math.min(height, centrePixels) }
  const left = Math.floor((width - size.width) / 2)
  const top = Math.floor((height - size.height) / 2)
  const centre = new Uint8Array(size.width * size.height)
  for (let row = 0; row < size.height; row += 1) {
    const start = (top + row) * width + left
    centre.set(pixels.subarray(start, start + size.width), row * size.width)
  }
  return { ...size, pixels: centre }
}

/** Rotates clockwise, one quarter turn after the other. */
function rotate(image: GreyImage, quarterTurns: number): GreyImage {
  let rotated = image
  for (let turn = 0; turn < quarterTurns; turn += 1) rotated = rotateOnce(rotated)
  return rotated
}

/** The pixel (x, y) moves to (height - 1 - y, x). */
function rotateOnce({ width, height, pixels }: GreyImage): GreyImage {
  const rotated = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rotated[x * height + height - 1 - y] = pixels[y * width + x] as number
  }
  return { width: height, height: width, pixels: rotated }
}

async function startEngine({ languages, folder }: OcrModels): Promise<Worker> {
  // An optional dependency, loaded when the first page needs it.
  const { createWorker, OEM, PSM } = await import('tesseract.js')
  const options = { langPath: folder, gzip: true, cacheMethod: 'none' }
  const engine = await createWorker([...languages], OEM.LSTM_ONLY, options)
  // The default of the package takes a page as one block and reads across columns.
  await engine.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return engine
}

/** Encodes as a Netpbm grey map, without compression: encoding PNG took longer than rendering the page. */
function toPgm(image: GreyImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${image.width} ${image.height}\n255\n`), image.pixels])
}

/** Whether nearly all pixels, which are grey values, are light. */
function isBlank(pixels: Uint8Array): boolean {
  const darkPixelsMax = pixels.length * blankDarkShare
  let darkPixels = 0
  for (const pixel of pixels) {
    if (pixel < lightGrey) darkPixels += 1
    if (darkPixels > darkPixelsMax) return false
  }
  return true
}
