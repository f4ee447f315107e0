// The seed of the random tests. It is fixed, so that a change is never refused for an older fault that a random example
// happens to find. `SEED=$RANDOM npm test` looks for such faults with other examples.

export const seed: number = Number(process.env.SEED ?? 20_261_117)
