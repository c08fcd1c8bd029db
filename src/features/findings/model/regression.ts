/** Least squares over few columns, by orthonormal columns (modified Gram–Schmidt, done twice). */

export type Column = Float64Array

export function dot(a: Column, b: Column): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** What of a column no column of the orthonormal `basis` can tell. */
export function residualOf(basis: readonly Column[], column: Column): Column {
  const rest = Float64Array.from(column)
  for (let round = 0; round < 2; round += 1)
    for (const unit of basis) {
      const along = dot(unit, rest)
      for (let at = 0; at < rest.length; at += 1) rest[at] = (rest[at] ?? 0) - along * (unit[at] ?? 0)
    }
  return rest
}

/** The basis with one column more; the same where the column says nothing new. */
export function extended(basis: readonly Column[], column: Column): Column[] {
  const rest = residualOf(basis, column)
  const size = Math.sqrt(dot(rest, rest))
  if (!(size > 1e-7 * Math.sqrt(dot(column, column)))) return [...basis]
  return [...basis, rest.map((value) => value / size)]
}

export const basisOf = (columns: readonly Column[]): Column[] =>
  columns.reduce<Column[]>((basis, column) => extended(basis, column), [])

/**
 * x'Rx for errors whose correlation falls as φ to the power of their distance (AR(1)): the variance of x'e in units of
 * one error's variance. `at` are the places in time; gaps count.
 */
export function autocorrelated(x: Column, { at, phi }: { at: readonly number[]; phi: number }): number {
  let [sum, tail] = [0, 0]
  for (let i = 0; i < x.length; i += 1) {
    const value = x[i] ?? 0
    const gap = i === 0 ? 1 : (at[i] ?? 0) - (at[i - 1] ?? 0)
    tail = i === 0 ? 0 : (tail + (x[i - 1] ?? 0)) * phi ** gap
    sum += value * (value + 2 * tail)
  }
  return sum
}
/** x'Ry of the same. */
export function crossed(x: Column, y: Column, errors: { at: readonly number[]; phi: number }): number {
  const plus = x.map((value, i) => value + (y[i] ?? 0))
  const minus = x.map((value, i) => value - (y[i] ?? 0))
  return (autocorrelated(plus, errors) - autocorrelated(minus, errors)) / 4
}
