// Names of municipalities in running text.
import { toHalves, toReadableName } from '../src/domain/municipality-name.ts'

/** Moves the article to the front: `Coruña, A` becomes `A Coruña`. Both halves of a bilingual name are changed. */
export function toRunningName(name: string): string {
  return toHalves(name).map(toReadableName).join('/')
}
