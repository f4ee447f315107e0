// Records whose export, the streamed response with all of them, is larger than the buffers of a connection: it cannot
// end while the client does not read.

/** 8,000 records of a kilobyte each: an export of 8 MB. */
export const manyRecords: readonly { readonly code: string; readonly title: string }[] = Array.from(
  { length: 8_000 },
  (_, n) => ({ code: `A-${n}`, title: `Plan ${'x'.repeat(1_000)}` }),
)
