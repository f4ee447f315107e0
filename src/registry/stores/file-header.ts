// Reads the header of an SQLite file, which says whether it is a registry, and of which format.
import { closeSync, openSync, readSync } from 'node:fs'
import { applicationId } from '../schema.ts'

/** Whether the file has the header of a registry, of any version. */
export function isRegistryFile(path: string): boolean {
  const header = readHeader(path)
  const isSqliteFile = header.toString('latin1', 0, magicText.length) === magicText
  return isSqliteFile && header.readUInt32BE(applicationIdOffset) === applicationId
}

/** The version of the format of a registry file. */
export function readFormat(path: string): number {
  return readHeader(path).readUInt32BE(userVersionOffset)
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(headerBytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, headerBytes, 0)
  } finally {
    closeSync(file)
  }
  return header
}

/** Layout of the header of a SQLite file: https://www.sqlite.org/fileformat.html */
const headerBytes = 100
const magicText = 'SQLite format 3'
const userVersionOffset = 60
const applicationIdOffset = 68
