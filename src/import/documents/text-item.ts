// Decides by their places on the page whether two text items of a PDF are parts of one word (text-layer.ts).

/** The part of an item of pdf.js that is used here. */
export interface TextItem {
  readonly str: string
  /** Matrix from text space to page space. Elements 0 and 1 are the text direction, 4 and 5 the start of the item. */
  readonly transform: readonly number[]
  /** Along the direction of the text. */
  readonly width: number
  /** The font size, which is taken as the letter height. */
  readonly height: number
  /** Whether a line ends after it. */
  readonly hasEOL: boolean
}

/** The cosine of the largest angle between two items of the same direction, about 26 degrees. */
const sameDirectionCosine = 0.9
/** Two items of the same height are on different lines if they are further apart than this share of the height. */
const lineDistanceShare = 0.4
/** Two items are printed over each other if their starts are at most this share of the letter height apart. */
const overprintShare = 0.15

/**
 * Whether an item begins where the previous one ended, with a tolerance of one letter height for kerning and wrong font
 * widths. An item that begins at the start of the previous one repeats it to look bold, and is no continuation.
 */
export function isContinuation(previous: TextItem, next: TextItem): boolean {
  const { along, across, cosine } = toOffset(previous, next)
  if (cosine < sameDirectionCosine) return false
  const letterHeight = Math.max(previous.height, next.height)
  // A raised or lowered letter may have another height than its word.
  const acrossMax = previous.height === next.height ? letterHeight * lineDistanceShare : letterHeight
  if (Math.abs(across) > acrossMax || Math.abs(along - previous.width) > letterHeight) return false
  return along > letterHeight * overprintShare
}

/** The distance from the start of an item to the start of the next one, as the first is turned. */
interface Offset {
  readonly along: number
  readonly across: number
  /** The cosine of the angle between the two directions. */
  readonly cosine: number
}

function toOffset(previous: TextItem, next: TextItem): Offset {
  const [directionX = 0, directionY = 0, , , startX = 0, startY = 0] = previous.transform
  const [nextDirectionX = 0, nextDirectionY = 0, , , nextStartX = 0, nextStartY = 0] = next.transform
  const length = Math.hypot(directionX, directionY)
  const nextLength = Math.hypot(nextDirectionX, nextDirectionY)
  const distanceX = nextStartX - startX
  const distanceY = nextStartY - startY
  return {
    along: (distanceX * directionX + distanceY * directionY) / length,
    across: (distanceY * directionX - distanceX * directionY) / length,
    cosine: (directionX * nextDirectionX + directionY * nextDirectionY) / (length * nextLength),
  }
}
