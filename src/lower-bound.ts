// Finds a place in what is in order by halving.

/** The first number from `low` to `high` that does not come before what is looked for; `high` where all of them do. */
export function lowerBound(low: number, high: number, comesBefore: (number: number) => boolean): number {
  let from = low
  let to = high
  while (from < to) {
    const middle = (from + to) >>> 1
    if (comesBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}
