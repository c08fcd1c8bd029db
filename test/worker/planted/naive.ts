/** The size of a statistic's error, by trying it out: no formula of the engine is used. */

type NumberRow = number[]

/** Solves the normal equations by elimination: how each figure enters the last column's coefficient. */
export function lastCoefficient(columns: readonly NumberRow[]): NumberRow {
  const k = columns.length
  const n = columns[0]?.length ?? 0
  const system = columns.map((one, i) => [
    ...columns.map((other) => one.reduce((sum, value, t) => sum + value * (other[t] ?? 0), 0)),
    ...Array.from({ length: k }, (_, j) => (i === j ? 1 : 0)),
  ])
  for (let i = 0; i < k; i += 1) {
    let best = i
    for (let r = i + 1; r < k; r += 1) if (Math.abs(system[r]?.[i] ?? 0) > Math.abs(system[best]?.[i] ?? 0)) best = r
    const [a, b] = [system[i], system[best]]
    if (!a || !b) continue
    system[i] = b
    system[best] = a
    const pivot = system[i]?.[i] ?? 1
    system[i] = (system[i] ?? []).map((value) => value / pivot)
    for (let r = 0; r < k; r += 1) {
      const factor = system[r]?.[i] ?? 0
      if (r !== i && factor !== 0)
        system[r] = (system[r] ?? []).map((value, j) => value - factor * (system[i]?.[j] ?? 0))
    }
  }
  const last = (system[k - 1] ?? []).slice(k)
  return Array.from({ length: n }, (_, t) => last.reduce((sum, weight, j) => sum + weight * (columns[j]?.[t] ?? 0), 0))
}

/** What an analyst would put beside the effect: level, trend, and the season the grain has. */
export function baselineColumns(n: number, season: number): NumberRow[] {
  const times = Array.from({ length: n }, (_, t) => t)
  const columns = [times.map(() => 1), times.map((t) => t / n)]
  if (n / season >= 2.5)
    for (let month = 1; month < season; month += 1) columns.push(times.map((t) => (t % season === month ? 1 : 0)))
  else
    for (let wave = 1; wave <= (n >= 2 * season ? 2 : 1); wave += 1)
      for (const turn of [Math.sin, Math.cos]) columns.push(times.map((t) => turn((2 * Math.PI * wave * t) / season)))
  return columns
}

/** Standard deviation, over many draws of the noise, of the effect that is fitted where there is none. */
export function simulatedStandardError(
  effect: NumberRow,
  { season, draw }: { season: number; draw: () => NumberRow },
): number {
  const weights = lastCoefficient([...baselineColumns(effect.length, season), effect])
  let squares = 0
  for (let trial = 0; trial < 200; trial += 1)
    squares += draw().reduce((sum, value, t) => sum + value * (weights[t] ?? 0), 0) ** 2
  return Math.sqrt(squares / 200)
}
