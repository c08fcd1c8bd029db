/** Of a name cut in the middle, so much is its end. */
const END_SHARE = 0.4
/** A character of an axis label of 12 px, on average. */
export const CHAR_PX = 7

/**
 * Names of at most so many characters: cut at their end, or in the middle where the cut ones would read alike
 * ("Region Väst 1" and "Region Väst 2").
 */
export function shortenNames(names: readonly string[], chars: number): string[] {
  const cut = (name: string): string => (name.length > chars ? `${name.slice(0, chars - 1).trimEnd()}…` : name)
  const alike = new Map<string, Set<string>>()
  for (const name of names) alike.set(cut(name), (alike.get(cut(name)) ?? new Set()).add(name))
  return names.map((name) => {
    const short = cut(name)
    if (short === name || (alike.get(short)?.size ?? 0) < 2) return short
    const end = Math.floor((chars - 1) * END_SHARE)
    return `${name.slice(0, chars - 1 - end).trimEnd()}…${name.slice(-end).trimStart()}`
  })
}

/** Wide letters may take so much more than guessed before the library cuts a name again, at its end. */
const SPARE_PX = 8

/** Labels of a category axis that have so many pixels each, told apart where they are cut. */
export function shortLabels(names: readonly string[], width: number) {
  const short = shortenNames(names, Math.max(4, Math.floor(width / CHAR_PX)))
  return {
    ...{ width: width + SPARE_PX, overflow: 'truncate' as const, ellipsis: '…' as const },
    formatter: (_: string, at: number) => short[at] ?? '',
  }
}
