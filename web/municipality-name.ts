// Names of municipalities in running text.
import { splitBilingualName, toReadableName } from '../src/domain/municipality-name.ts'

/** Moves the article to the front: `Coruña, A` becomes `A Coruña`. Both halves of a bilingual name are changed. */
export function toRunningName(name: string): string {
  return splitBilingualName(name).map(toReadableName).join('/')
}
