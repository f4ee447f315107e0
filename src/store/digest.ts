// Tells two versions of a record apart: SHA-1 of its code, its wire form and its text to search, a zero between them.
import { hash } from 'node:crypto'

export const digestBytes = 20

/** As text and into memory that is there: a buffer for each digest takes longer to make than the digest. */
export function putDigest(digested: Uint8Array, into: Buffer, at: number): void {
  into.write(hash('sha1', digested, 'latin1'), at, 'latin1')
}
