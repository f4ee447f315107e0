// Fixture: a documents folder (the folder of `--documents`) and a cache of the texts read from it, for one test or one
// suite. Both are removed when it ends.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before } from 'node:test'
import {
  type DocumentOptions,
  type DocumentReading,
  type DocumentReference,
  type DocumentTexts,
  prepareDocuments,
} from '../../../src/import/documents/documents.ts'

export interface Workspace {
  /** The folder of the test, which contains the other two. */
  readonly root: string
  /** The documents folder. */
  readonly folder: string
  readonly cacheFolder: string
  /** Writes a file to the documents folder. */
  write(name: string, content: Buffer | string): Promise<void>
  /** Writes files to the documents folder, by name. */
  writeAll(files: Readonly<Record<string, Buffer | string>>): Promise<void>
  /**
   * Reads the documents as an import does, by default with one worker. A reference that is only a text is the name of
   * a file.
   */
  prepare(references: readonly (string | DocumentReference)[], options?: Partial<DocumentOptions>): Promise<Prepared>
}

/** The documents of an import after they were read, with shorter ways to ask what the tests check. */
export interface Prepared extends DocumentTexts {
  /** Pages that this call of `prepare` has read from documents, because they were not in the cache. */
  readonly pagesRead: number
  /** References that were processed, the repeated ones included. */
  readonly referencesDone: number
  /** The texts of the pages of a file, with a form feed between two pages. */
  readFile(name: string): Promise<string>
  /** The same for a document with an address. */
  readAddress(url: string): Promise<string>
  countPages(name: string): Promise<PageCounts>
  /** The reason that clients receive: why a file, or a part of it, is unread. Null if nothing is unread. */
  unreadReason(name: string): Promise<string | null>
  /**
   * The reason in the report of the import, often with advice. `document` is the name of a file, or an address.
   * Undefined if the report names no problem of the document.
   */
  reasonFor(document: string): string | undefined
}

/** The pages of a file, and how many of them were read, recognised and not read. */
type PageCounts = Pick<DocumentReading, 'pages' | 'read' | 'recognised' | 'unread'>

/** Creates the documents folder. The first call of `prepare` creates the cache. */
export async function openWorkspace(t: { after(cleanUp: () => Promise<void>): void }): Promise<Workspace> {
  const root = await mkdtemp(join(tmpdir(), 'documents-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'documents')
  const cacheFolder = join(root, 'cache')
  await mkdir(folder)
  const write = async (name: string, content: Buffer | string): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return {
    root,
    folder,
    cacheFolder,
    write,
    writeAll: async (files) => {
      for (const [name, content] of Object.entries(files)) await write(name, content)
    },
    prepare: async (references, options) => {
      let progress = { references: 0, pages: 0 }
      const texts = await prepareDocuments(
        references.map((each) => (typeof each === 'string' ? { kind: 'file', name: each } : each)),
        {
          folder,
          withDownloads: false,
          allowHosts: [],
          ocr: false,
          cacheFolder,
          registry: 'test',
          onProgress: (latest) => {
            progress = latest
          },
          ...options,
          limits: { workersMax: 1, ...options?.limits },
        },
      )
      t.after(async () => texts.close())
      return {
        ...texts,
        pagesRead: progress.pages,
        referencesDone: progress.references,
        readFile: async (name) => joinPages(await texts.read({ kind: 'file', name })),
        readAddress: async (url) => joinPages(await texts.read({ kind: 'address', url })),
        countPages: async (name) => {
          const { pages, read, recognised, unread } = await texts.read({ kind: 'file', name })
          return { pages, read, recognised, unread }
        },
        unreadReason: async (name) => (await texts.read({ kind: 'file', name })).reason,
        reasonFor: (document) => texts.problems.find((problem) => problem.document === document)?.reason,
      }
    },
  }
}

/**
 * Runs `prepareAll` once, before the first test of a suite: a worker takes longer to start than to read a small
 * document. There is no result yet when the suite is defined, so this returns a function by which the tests get it.
 */
export function useWorkspace<T>(prepareAll: (workspace: Workspace) => Promise<T>): () => T {
  const stack = new AsyncDisposableStack()
  let result: { readonly value: T } | undefined
  before(async () => {
    result = { value: await prepareAll(await openWorkspace({ after: (cleanUp) => stack.defer(cleanUp) })) }
  })
  after(() => stack.disposeAsync())
  return () => {
    assert.ok(result, 'the documents are not read')
    return result.value
  }
}

/** The pages, with a form feed between two. A page without text is empty. A text without a page number is a page. */
function joinPages({ texts }: DocumentReading): string {
  const pages: string[] = []
  for (const { page, text } of texts) {
    while (page !== null && pages.length < page - 1) pages.push('')
    pages.push(text)
  }
  return pages.join('\f')
}
