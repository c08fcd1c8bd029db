/** Changes of single characters (put in, left out, replaced, two swapped) that lead from one text to the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      const [up = 0, left = 0, cross = 0] = [last[j], row[j - 1], last[j - 1]]
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity
      row.push(Math.min(up + 1, left + 1, cross + (same ? 0 : 1), swapped))
    }
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}

/** The name that was probably meant: at most a third of it is written otherwise. */
export function closestName(written: string, names: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase()
  let best: { name: string; far: number } | null = null
  for (const name of names) {
    const known = name.toLowerCase()
    if (Math.abs(known.length - wanted.length) > 4) continue
    const far = editDistance(wanted, known)
    if (far <= Math.max(1, Math.floor(known.length / 3)) && far < (best?.far ?? Infinity)) best = { name, far }
  }
  return best?.name
}
