/**
 * Edits (insert, delete, replace, swap of neighbours) that lead from one text, or its bytes, to the other; more than `most`
 * are said as `most` + 1. Only pairs of places that are at most `most` apart are looked at: the others take more edits.
 * @param looked told how many pairs of places are looked at next
 */
export function editDistance(
  a: ArrayLike<string | number>,
  b: ArrayLike<string | number>,
  most: number,
  looked: (pairs: number) => void = ignore,
): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  const newRow = (): number[] => Array.from({ length: b.length + 1 }, () => most + 1)
  let [older, previous, row] = [newRow(), newRow(), newRow()]
  for (let j = 0; j <= Math.min(b.length, most); j += 1) previous[j] = j
  for (let i = 1; i <= a.length; i += 1) {
    const [first, last] = [Math.max(1, i - most), Math.min(b.length, i + most)]
    looked(last - first + 1)
    row[first - 1] = first === 1 ? i : most + 1
    let least = row[first - 1] ?? 0
    for (let j = first; j <= last; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let edits = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (older[j - 2] ?? 0) + 1)
      row[j] = edits
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    ;[older, previous, row] = [previous, row, older]
  }
  return Math.min(previous[b.length] ?? 0, most + 1)
}
const ignore = (): void => undefined
