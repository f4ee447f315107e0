// The seed of the random tests, an arbitrary number. It is fixed, so that `npm test` does not fail for an older fault
// that the change under test has not caused. `SEED=$RANDOM npm test` looks for such faults with other examples.

export const seed: number = Number(process.env.SEED ?? 20_261_117)
