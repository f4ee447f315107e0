// What a new snapshot changes against the one in service, for the report of an import: goes along the codes of both in
// order of their hashes. A digest is that of code, wire form and text: where two are equal nothing has changed.
import { digestBytes } from '../digest.ts'
import type { Publication } from '../store.ts'
import { readDigests, readFoldedCode } from './entry.ts'
import { SnapshotFile } from './file.ts'

/** Null when the previous file is no snapshot of this format. */
export function compareSnapshots(previous: string, next: string): Publication['changes'] {
  let old: SnapshotFile
  try {
    old = new SnapshotFile(previous)
  } catch {
    return null
  }
  const file = new SnapshotFile(next)
  try {
    return compareFiles(old, file)
  } finally {
    old.close()
    file.close()
  }
}

function compareFiles(before: SnapshotFile, now: SnapshotFile): Publication['changes'] {
  const [old, young] = [before.codes, now.codes]
  const [oldDigests, youngDigests] = [readDigests(before.strips.entry), readDigests(now.strips.entry)]
  let both = 0
  let changed = 0
  let first = 0
  for (let nth = 0; nth < young.count; nth++) {
    const hash = young.hashAt(nth)
    while (first < old.count && old.hashAt(first) < hash) first++
    const position = young.numberAt(nth)
    for (let other = first; other < old.count && old.hashAt(other) === hash; other++) {
      const otherPosition = old.numberAt(other)
      const isSame = isEqualDigest(youngDigests, position, oldDigests, otherPosition)
      if (!isSame && readFoldedCode(now.strips.entry, position) !== readFoldedCode(before.strips.entry, otherPosition))
        continue
      both++
      if (!isSame) changed++
      break
    }
  }
  return { added: young.count - both, changed, gone: old.count - both }
}

function isEqualDigest(digests: Buffer, position: number, others: Buffer, other: number): boolean {
  const [from, otherFrom] = [position * digestBytes, other * digestBytes]
  return digests.compare(others, otherFrom, otherFrom + digestBytes, from, from + digestBytes) === 0
}
