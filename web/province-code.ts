// The province in the INE codes of municipalities.

/** The INE code of the province of a municipality: the first two digits of its own code. */
export function toProvinceCode(ineCode: string): string {
  return ineCode.slice(0, 2)
}
