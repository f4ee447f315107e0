// Reads a JSON file as a stream of tokens (stream-json), and finds the array of its records. The parser is fed line by
// line, so that the line of every token is known.
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import verifier from 'stream-json/utils/verifier.js'
import { t } from '../../language.ts'
import { SourceFault } from '../source-fault.ts'
import { type Encoding, readText } from './encoding.ts'
import { nestingMax } from './object-row.ts'
import type { SourceFile } from './source-file.ts'

export type { Token }

/** The tokens of one line, or of the part of a line that a chunk contains. */
export interface TokenBatch {
  readonly tokens: readonly Token[]
  readonly line: number
  /** Length of the text. */
  readonly characters: number
  /** Whether a chunk of the file ends here, so that the rows so far can be passed on. */
  readonly endsChunk: boolean
}

/** Nesting of a file at most. Exports have a few levels; the parser remembers every level, so there must be a limit. */
const depthMax = 1000

/** Throws `SourceFault` where the text is not JSON, is cut off, or is nested deeper than `depthMax`. */
export async function* readTokens(file: SourceFile, encoding: Encoding): AsyncGenerator<TokenBatch, void, undefined> {
  // A string or number comes as one token, even if chunks split it.
  const parse = jsonParser({ packValues: true, streamValues: false })
  let line = 1
  let column = 1
  let depth = 0
  /** Whether the outermost value has ended. */
  let isComplete = false
  for await (const chunk of readText(file, encoding)) {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf('\n', start)
      const end = newline === -1 ? chunk.length : newline + 1
      let tokens: readonly Token[]
      try {
        const parsed = parse(chunk.slice(start, end))
        tokens = typeof parsed === 'object' && 'values' in parsed ? parsed.values : []
      } catch {
        throw await locateFault(file, encoding, line)
      }
      for (const token of tokens) {
        depth += depthChange(token)
        if (depth === 0) isComplete = true
        if (depth > depthMax) {
          const position = t`line ${String(line)}`
          throw new SourceFault(
            t`Cannot read ${file.name}: the JSON has more than ${depthMax} nested levels at ${position}; export the records as a plain array`,
          )
        }
      }
      yield { tokens, line, characters: end - start, endsChunk: end === chunk.length }
      column = newline === -1 ? column + end - start : 1
      if (newline !== -1) line += 1
      start = end
    }
  }
  if (!isComplete) {
    const position = t`line ${String(line)}, column ${String(column)}`
    throw new SourceFault(t`Cannot read ${file.name}: the JSON is cut off at ${position}; export it again`)
  }
}

/** How a token changes the nesting depth. */
export function depthChange(token: Token): number {
  if (token.name === 'startArray' || token.name === 'startObject') return 1
  return token.name === 'endArray' || token.name === 'endObject' ? -1 : 0
}

/**
 * Reads the file a second time to find the position of an error, because the parser does not report it and the verifier
 * of the same package does. Returns the fault; it names only `line` if the verifier finds no error.
 */
async function locateFault(file: SourceFile, encoding: Encoding, line: number): Promise<SourceFault> {
  let position = t`line ${String(line)}`
  const discard = new Writable({ objectMode: true, write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(Readable.from(readText(file, encoding)), verifier.asStream(), discard)
  } catch (error) {
    if (error instanceof SourceFault) return error
    if (error instanceof Error && 'line' in error && 'pos' in error)
      position = t`line ${String(error.line)}, column ${String(error.pos)}`
  }
  return new SourceFault(t`Cannot read ${file.name}: invalid JSON at ${position}; fix it, or export the file again`)
}

/** What a JSON file contains outside its arrays, which shows where the records are. */
export interface JsonOutline {
  /**
   * The arrays that are in no other array. The path is `''` for the file itself, or such as `result.records`; `objects`
   * is the number of elements that are objects.
   */
  readonly arrays: readonly { readonly path: string; readonly objects: number; readonly elements: number }[]
  /** Paths of the values that are in no array. */
  readonly properties: readonly string[]
}

/** Arrays, and properties, that an outline lists. */
const listedMax = 1000

/** Reads the whole file, unless it is an array, which is then the array of records. */
export async function readOutline(file: SourceFile, encoding: Encoding): Promise<JsonOutline> {
  const arrays: { path: string; objects: number; elements: number }[] = []
  const properties: string[] = []
  /** The keys of the objects around the current value. */
  const path: string[] = []
  let key = ''
  /** The current array. It is counted, but not listed, if there are too many. */
  let array = { path: '', objects: 0, elements: 0 }
  /** Depth inside the current array; 0 outside. */
  let arrayDepth = 0
  for await (const { tokens } of readTokens(file, encoding)) {
    for (const token of tokens) {
      if (arrayDepth > 0) {
        const isElement = arrayDepth === 1 && token.name !== 'endArray'
        if (isElement) array.elements += 1
        if (isElement && token.name === 'startObject') array.objects += 1
        arrayDepth += depthChange(token)
        continue
      }
      if (token.name === 'keyValue') key = token.value
      else if (token.name === 'startObject') path.push(key)
      else if (token.name === 'endObject') path.pop()
      else if (token.name === 'startArray') {
        // An array at the top has the records, so its elements need not be counted.
        if (path.length === 0) return { arrays: [{ path: '', objects: 1, elements: 1 }], properties }
        arrayDepth = 1
        array = { path: toPath(path, key), objects: 0, elements: 0 }
        if (arrays.length < listedMax) arrays.push(array)
        // A value outside arrays. `path` also has the file itself, so it may be one longer than the nesting.
      } else if (path.length > 0 && path.length <= nestingMax + 1 && properties.length < listedMax) {
        properties.push(toPath(path, key))
      }
    }
  }
  return { arrays, properties }
}

/** The first element of `path` is the file itself, which has no key. */
function toPath(path: readonly string[], key: string): string {
  return [...path.slice(1), key].join('.')
}
