/** Least squares over few columns, by orthonormal columns (modified Gram–Schmidt, done twice). */

export type ColumnVector = Float64Array

export function dot(a: ColumnVector, b: ColumnVector): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** What of a column no column of the orthonormal `basis` can tell. */
export function residualOf(basis: readonly ColumnVector[], columnVector: ColumnVector): ColumnVector {
  const rest = Float64Array.from(columnVector)
  for (let round = 0; round < 2; round += 1)
    for (const unit of basis) {
      const along = dot(unit, rest)
      if (along === 0) continue
      for (let at = 0; at < rest.length; at += 1) rest[at] = (rest[at] ?? 0) - along * (unit[at] ?? 0)
    }
  return rest
}

/** The basis with one column more; the same where the column says nothing new. */
export function extendBasis(basis: readonly ColumnVector[], columnVector: ColumnVector): ColumnVector[] {
  const rest = residualOf(basis, columnVector)
  const size = Math.sqrt(dot(rest, rest))
  if (!(size > 1e-7 * Math.sqrt(dot(columnVector, columnVector)))) return [...basis]
  return [...basis, rest.map((value) => value / size)]
}

export const orthonormalBasis = (columns: readonly ColumnVector[]): ColumnVector[] =>
  columns.reduce<ColumnVector[]>((basis, column) => extendBasis(basis, column), [])
