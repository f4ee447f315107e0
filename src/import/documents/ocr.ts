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
 * Returns the text of a page, which may be rotated by quarter turns: `render` draws it after so many of them. For a
 * blank page, which would take the engine seconds, the text is empty. All calls must give the same `models`, because
 * the engine is started only once.
 */
export async function recogniseText(
  render: (quarterTurns: number) => Promise<GreyImage>,
  models: OcrModels,
): Promise<string> {
  const image = await render(0)
  if (isBlank(image.pixels)) return ''
  enginePromise ??= startEngine(models)
  const engine = await enginePromise
  const { data: upright } = await engine.recognize(toPgm(image))
  if (upright.confidence >= uprightConfidenceMin) return upright.text
  for (let quarterTurns = 1; quarterTurns < 4; quarterTurns += 1) {
    const rotated = toPgm(await render(quarterTurns))
    const { data: centre } = await engine.recognize(rotated, { rectangle: toCentre(image, quarterTurns) })
    const letters = centre.text.match(/\p{L}/gu)?.length ?? 0
    if (centre.confidence < rotationConfidenceMin || letters < rotationLettersMin) continue
    const { data } = await engine.recognize(rotated)
    return data.confidence > upright.confidence ? data.text : upright.text
  }
  return upright.text
}

/** Returns the square in the centre of the rotated image; less on a side that is shorter than `centrePixels`. */
function toCentre(image: GreyImage, quarterTurns: number) {
  const [fullWidth, fullHeight] = quarterTurns % 2 === 0 ? [image.width, image.height] : [image.height, image.width]
  const [width, height] = [Math.min(fullWidth, centrePixels), Math.min(fullHeight, centrePixels)]
  const [left, top] = [Math.floor((fullWidth - width) / 2), Math.floor((fullHeight - height) / 2)]
  return { left, top, width, height }
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
