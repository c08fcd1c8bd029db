/**
 * Letters that differ between two words in bytes: one more, one less, another, or two swapped. Answers `most` + 1 for every
 * larger distance.
 */
export function editDistance(a: Uint8Array, b: { bytes: Uint8Array; from: number; to: number }, most: number): number {
  const [rows, columns] = [a.length, b.to - b.from]
  if (Math.abs(rows - columns) > most) return most + 1
  let before = new Uint8Array(columns + 1)
  let above = Uint8Array.from({ length: columns + 1 }, (_, i) => Math.min(i, 255))
  let own = new Uint8Array(columns + 1)
  for (let row = 1; row <= rows; row += 1) {
    own[0] = Math.min(row, 255)
    let least = own[0]
    for (let at = 1; at <= columns; at += 1) {
      const [x, y] = [a[row - 1] ?? 0, b.bytes[b.from + at - 1] ?? 0]
      let cost = (above[at - 1] ?? 0) + (x === y ? 0 : 1)
      cost = Math.min(cost, (above[at] ?? 0) + 1, (own[at - 1] ?? 0) + 1)
      const isSwapped = row > 1 && at > 1 && x === (b.bytes[b.from + at - 2] ?? 0) && (a[row - 2] ?? 0) === y
      if (isSwapped) cost = Math.min(cost, (before[at - 2] ?? 0) + 1)
      own[at] = cost
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    ;[before, above, own] = [above, own, before]
  }
  return Math.min(above[columns] ?? 0, most + 1)
}
