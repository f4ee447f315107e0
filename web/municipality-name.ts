// Names of municipalities in running text, and the province in their INE codes.

/** `Coruña, A` becomes `A Coruña`. */
export { toReadableName as toRunningName } from '../src/domain/municipality-name.ts'

/** The INE code of the province of a municipality: the first two digits of its own code. */
export function toProvinceCode(ineCode: string): string {
  return ineCode.slice(0, 2)
}
