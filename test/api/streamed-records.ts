// Records for tests of streamed responses.
import type { TestRecord } from '../service.ts'

/** The records A-1 to A-1500. With them the response to `record` has more than 256 KB, so that it is streamed. */
export const streamedRecords: readonly TestRecord[] = Array.from({ length: 1_500 }, (_, index) => ({
  code: `A-${index + 1}`,
  title: `Plan Parcial ${index}`,
}))
