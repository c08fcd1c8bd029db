interface CumulativeSums {
  n: number
  y: number
  yy: number
  ty: number
}

/** Squares left by the least squares line through values `from` … `to`, from running sums. */
function residualSquares(sums: readonly CumulativeSums[], from: number, to: number): number {
  const a = sums[from]
  const b = sums[to]
  if (!a || !b) return Infinity
  const n = b.n - a.n
  const y = b.y - a.y
  // Places are counted from `from`, so that large ones do not cost digits.
  const ty = b.ty - a.ty - from * y
  const t = (n * (n - 1)) / 2
  const tt = ((n - 1) * n * (2 * n - 1)) / 6
  const spread = tt - (t * t) / n
  const shared = ty - (t * y) / n
  return Math.max(0, b.yy - a.yy - (y * y) / n - (spread > 0 ? (shared * shared) / spread : 0))
}

/**
 * The newest place where a line before and another line after tell the series so much better that it is no chance: Schwarz's criterion
 * with the place counted as a figure (Yao 1988), found by splitting what is left again (binary segmentation). 0 when there is none.
 * Both sides keep `fewest` values.
 */
export function latestBreak(values: Float64Array, fewest: number): number {
  const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  if (!(largest > 0)) return 0
  const sums: CumulativeSums[] = [{ n: 0, y: 0, yy: 0, ty: 0 }]
  let s: CumulativeSums = { n: 0, y: 0, yy: 0, ty: 0 }
  values.forEach((given, t) => {
    const v = given / largest
    s = { n: t + 1, y: s.y + v, yy: s.yy + v * v, ty: s.ty + t * v }
    sums.push(s)
  })
  let from = 0
  for (;;) {
    const at = findSplit(sums, from, values.length, fewest)
    if (at === null) return from
    from = at
  }
}

function findSplit(sums: readonly CumulativeSums[], from: number, to: number, fewest: number): number | null {
  const n = to - from
  if (n < 2 * fewest) return null
  let best = Infinity
  let place = -1
  for (let at = from + fewest; at <= to - fewest; at++) {
    const both = residualSquares(sums, from, at) + residualSquares(sums, at, to)
    if (both < best) {
      best = both
      place = at
    }
  }
  const whole = residualSquares(sums, from, to)
  const floor = 1e-9 * n
  // Neighbours resemble each other, so fewer values are counted than there are: penalty doubled.
  const penalty = 2 * 4 * Math.log(n)
  return n * Math.log((whole + floor) / (best + floor)) > penalty ? place : null
}
