import { dayFromIso, DAY_MS } from '../../../shared/dates'

const WALL =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/

/** A date and time; `zoned` when it names its offset. Null when the text is none. */
export function wallOfIso(text: string): { ms: number; zoned: boolean } | null {
  const found = WALL.exec(text)
  const day = found ? dayFromIso(found[1] ?? '') : null
  if (!found || day === null) return null
  const [, , hour, minute, second = '0', fraction = '0', zone] = found
  const clock = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0'))
  const wall = day * DAY_MS + clock
  if (zone === undefined) return { ms: wall, zoned: false }
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  const offset = (hours * 60 + minutes) * 60_000
  return { ms: zone.startsWith('-') ? wall + offset : wall - offset, zoned: true }
}
