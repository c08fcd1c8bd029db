/** Hours east of Greenwich of the short names that systems write; names that mean several zones are left out, but for those of America. */
const HOURS: ReadonlyMap<string, number> = new Map([
  ['Z', 0],
  ['UTC', 0],
  ['GMT', 0],
  ['WET', 0],
  ['WEST', 1],
  ['BST', 1],
  ['CET', 1],
  ['MEZ', 1],
  ['CEST', 2],
  ['MESZ', 2],
  ['EET', 2],
  ['EEST', 3],
  ['EST', -5],
  ['EDT', -4],
  ['CST', -6],
  ['CDT', -5],
  ['MST', -7],
  ['MDT', -6],
  ['PST', -8],
  ['PDT', -7],
])
/** All of them, as a part of an expression; the longest first. */
export const ZONE_NAMES = [...HOURS.keys()].sort((a, b) => b.length - a.length).join('|')

/** Milliseconds of `+01:00`, `-0530`, `+02` or a zone's short name; null when there is no such offset. */
export function parseOffsetMs(text: string | undefined): number | null {
  if (text === undefined) return 0
  const named = HOURS.get(text.toUpperCase())
  if (named !== undefined) return named * 3_600_000
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', ''))
  if (hours > 15 || minutes > 59) return null
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
