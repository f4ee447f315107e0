// Reads one part of an Excel workbook: inflates the zip entry and passes its XML to handlers. The size, the nesting and
// the length of texts are limited, so that a damaged or malicious workbook cannot fill the memory.
import { crc32 } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { t } from '../../language.ts'
import { isSystemError, SourceFault } from '../source-fault.ts'
import { type Archive, requireSafeSize } from './zip.ts'

/** Limit of the text between two tags, and of a cell or a shared string. Excel allows 32,767 characters in a cell. */
const textCharactersMax = 1024 * 1024
/**
 * What the parser gets at a time. A few characters of XML can refer to a shared string of a million characters, so the
 * caller must be able to take the rows before they fill the memory.
 */
const stepCharacters = 1024
/** A sheet nests elements about ten deep. More would fill the memory: the parser keeps all open elements. */
const nestingMax = 64

/** Called for each tag and text. Element names come without a namespace prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** Passes a part to the handlers, from beginning to end. */
export async function readPart(archive: Archive, part: string, bytesMax: number, handlers: XmlHandlers): Promise<void> {
  // The loop has no body: the handlers do the work.
  for await (const _bytesRead of readPartInSteps(archive, part, bytesMax, handlers));
}

/** Like `readPart`, but yields the number of bytes read so far after each step. The caller may stop early. */
export async function* readPartInSteps(
  archive: Archive,
  part: string,
  bytesMax: number,
  handlers: XmlHandlers,
): AsyncGenerator<number, void, undefined> {
  const entry = archive.entries.get(part)
  if (entry === undefined)
    throw new SourceFault(t`Cannot read ${archive.name}: this is not a workbook: part ${part} is missing`)
  requireSafeSize(archive.name, entry, bytesMax, t`save the sheet as CSV`)
  const parser = new PartParser(archive.name, part, handlers)
  try {
    const decoder = new TextDecoder()
    let bytesRead = 0
    let checksum = 0
    // yauzl reports an error if the size differs from the declared one.
    for await (const chunk of await archive.zip.openReadStreamPromise(entry)) {
      bytesRead += chunk.length
      checksum = crc32(chunk, checksum)
      const text = decoder.decode(chunk, { stream: true })
      for (let start = 0; start < text.length; start += stepCharacters) {
        parser.write(text.slice(start, start + stepCharacters))
        yield bytesRead
      }
    }
    if (checksum !== entry.crc32) throw new Error('the checksum differs')
    parser.end(decoder.decode())
  } catch (error) {
    if (error instanceof SourceFault || isSystemError(error)) throw error
    if (error instanceof TextTooLong) {
      throw new SourceFault(
        t`Cannot read ${archive.name}: part ${part} has a text of more than ${textCharactersMax} characters, which no cell has; save it as CSV`,
      )
    }
    throw new SourceFault(
      t`Cannot read ${archive.name}: part ${part} is damaged; open the workbook in Excel and save it again`,
    )
  }
}

/** A text exceeds `textCharactersMax`. */
class TextTooLong extends Error {
  override readonly name = 'TextTooLong'
}

/**
 * Appends a chunk to the text of a cell or of a shared string. Throws `TextTooLong` past the limit. `PartParser` limits
 * only the text between two tags, and several elements can make up one cell or string.
 */
export function appendText(text: string, chunk: string): string {
  if (text.length + chunk.length > textCharactersMax) throw new TextTooLong()
  return text + chunk
}

/** An XML parser that checks the limits. Both methods throw if the XML is malformed. */
class PartParser {
  readonly #parser = new SaxesParser()
  #depth = 0
  /** Length of the chunks written after the one with the last tag. */
  #textCharacters = 0

  constructor(archiveName: string, part: string, handlers: XmlHandlers) {
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#textCharacters = 0
      this.#depth += 1
      if (this.#depth > nestingMax) {
        throw new SourceFault(
          t`Cannot read ${archiveName}: part ${part} has elements in elements more than ${nestingMax} deep, which no sheet has; save it as CSV`,
        )
      }
      handlers.open?.(toLocalName(name), attributes)
    })
    this.#parser.on('text', (text) => handlers.text?.(text))
    this.#parser.on('cdata', (text) => handlers.text?.(text))
    this.#parser.on('closetag', ({ name }) => {
      this.#textCharacters = 0
      this.#depth -= 1
      handlers.close?.(toLocalName(name))
    })
  }

  write(text: string): void {
    this.#textCharacters += text.length
    this.#parser.write(text)
    if (this.#textCharacters > textCharactersMax) throw new TextTooLong()
  }

  /** Writes the last text and ends the document. */
  end(text: string): void {
    this.#parser.write(text).close()
  }
}

/** Returns `row` for `x:row`. */
function toLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
