// Names of municipalities in running text, and the province in their INE codes.
import { splitBilingualName, toReadableName } from '../src/domain/municipality-name.ts'

/** Moves the article to the front: `Coruña, A` becomes `A Coruña`. Both halves of a bilingual name are changed. */
export function toRunningName(name: string): string {
  return splitBilingualName(name).map(toReadableName).join('/')
}

/** The INE code of the province of a municipality: the first two digits of its own code. */
export function toProvinceCode(ineCode: string): string {
  return ineCode.slice(0, 2)
}
