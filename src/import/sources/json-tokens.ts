// Reads a JSON file as a stream of tokens (stream-json), and lists the arrays and properties of the file, for json.ts.
// The parser is fed line by line, so that the line of every token is known.
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
  /** Counted from 1. */
  readonly line: number
  /** Length of the text of the tokens. */
  readonly characters: number
  /** Whether a chunk of the file ends here. */
  readonly endsChunk: boolean
}

/** Limit of nesting. Exports have a few levels; the parser remembers every level, so there must be a limit. */
const depthMax = 1000

/** Throws `SourceFault` where the text is not JSON, is cut off, or is nested deeper than `depthMax`. */
export async function* readTokens(file: SourceFile, encoding: Encoding): AsyncGenerator<TokenBatch, void, undefined> {
  // A string or number comes as one token, even if chunks split it.
  const parse = jsonParser({ packValues: true, streamValues: false })
  /** Where the next text begins, counted from 1. */
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
        // The result has no `values` if the text completes no token.
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

/** Returns 1 for a token that begins an array or object, -1 for one that ends it, and 0 for any other. */
export function depthChange(token: Token): number {
  if (token.name === 'startArray' || token.name === 'startObject') return 1
  return token.name === 'endArray' || token.name === 'endObject' ? -1 : 0
}

/**
 * Reads the file again to find the position of an error, because the parser does not report it and the verifier
 * of the same package does. Returns the fault; it names only `line` if the verifier finds no error.
 */
async function locateFault(file: SourceFile, encoding: Encoding, line: number): Promise<SourceFault> {
  let position = t`line ${String(line)}`
  const discard = new Writable({ objectMode: true, write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(Readable.from(readText(file, encoding)), verifier.asStream(), discard)
  } catch (error) {
    // `readText` has found that the file has changed.
    if (error instanceof SourceFault) return error
    if (error instanceof Error && 'line' in error && 'pos' in error)
      position = t`line ${String(error.line)}, column ${String(error.pos)}`
  }
  return new SourceFault(t`Cannot read ${file.name}: invalid JSON at ${position}; fix it, or export the file again`)
}

export interface ArrayOutline {
  /** Keys joined with dots, such as `result.records`; `''` for the file itself. */
  readonly path: string
  /** Number of elements. */
  elements: number
  /** Number of elements that are objects. */
  objects: number
}

/** The arrays and properties of a JSON file. They show where the records are. */
export interface JsonOutline {
  /** The arrays that are in no other array. */
  readonly arrays: readonly ArrayOutline[]
  /** Paths of the values (not objects or arrays) that are in no array, nested in at most `nestingMax` objects. */
  readonly properties: readonly string[]
}

/** An outline has at most this many arrays, and as many properties. */
const listedMax = 1000

/** Reads the whole file, unless the file itself is an array, which is then the array of records. */
export async function readOutline(file: SourceFile, encoding: Encoding): Promise<JsonOutline> {
  const arrays: ArrayOutline[] = []
  const properties: string[] = []
  /** The keys of the objects around the current value. The first is `''`, for the file itself. */
  const parents: string[] = []
  /** The key of the current value. */
  let key = ''
  /** The array that is being read, or the last one. After `listedMax` arrays it is not in `arrays`. */
  let array: ArrayOutline = { path: '', elements: 0, objects: 0 }
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
      else if (token.name === 'startObject') parents.push(key)
      else if (token.name === 'endObject') parents.pop()
      else if (token.name === 'startArray') {
        // If the file itself is an array, it has the records, and its elements need not be counted: 1 stands for any
        // number.
        if (parents.length === 0) return { arrays: [{ path: '', elements: 1, objects: 1 }], properties }
        arrayDepth = 1
        array = { path: toPath(parents, key), elements: 0, objects: 0 }
        if (arrays.length < listedMax) arrays.push(array)
      } else {
        // A value outside arrays. `parents` has the keys of the objects around it, and one entry for the file itself.
        const isProperty = parents.length > 0 && parents.length <= nestingMax + 1
        if (isProperty && properties.length < listedMax) properties.push(toPath(parents, key))
      }
    }
  }
  return { arrays, properties }
}

/** Joins the keys with dots, except the first of `parents`: it is the file itself, which has no key. */
export function toPath(parents: readonly string[], key: string): string {
  return [...parents.slice(1), key].join('.')
}
