// Benchmark of text extraction: reads every PDF below a folder twice, as two imports would: first with an empty cache of
// texts, then with the cache that the first run has filled.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type DocumentReference, prepareDocuments } from '../src/import/documents/documents.ts'

/** With `ocr` it also recognises the text of scanned pages. */
export async function benchDocuments(folder: string, ocr: boolean): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const references = entries
    .filter((entry) => entry.isFile() && /\.pdf$/i.test(entry.name))
    .map((entry): DocumentReference => ({ kind: 'file', name: relative(folder, join(entry.parentPath, entry.name)) }))

  const cacheFolder = await mkdtemp(join(tmpdir(), 'documents-bench-'))
  try {
    for (const importName of ['first import', 'next import']) {
      /** Pages read so far; pages that are found in the cache do not count. */
      let pages = 0
      const start = performance.now()
      const texts = await prepareDocuments(references, {
        folder,
        // All documents are in the folder, so none is downloaded.
        withDownloads: false,
        allowHosts: [],
        ocr,
        cacheFolder,
        registry: 'bench',
        onProgress: (progress) => {
          pages = progress.pages
        },
      })
      const seconds = (performance.now() - start) / 1000
      texts.close()
      const rates = `${(pages / seconds).toFixed(1)} pages/s, ${(references.length / seconds).toFixed(0)} documents/s`
      const outcomes = JSON.stringify(texts.outcomes)
      const memory = (process.memoryUsage.rss() / 1e6).toFixed(0)
      console.log(
        `${importName}: ${pages} pages in ${seconds.toFixed(1)} s on ${availableParallelism()} cores: ${rates}`,
      )
      console.log(`  ${references.length} documents ${outcomes}, ${memory} MB resident in the main process`)
    }
  } finally {
    await rm(cacheFolder, { recursive: true, force: true })
  }
}
