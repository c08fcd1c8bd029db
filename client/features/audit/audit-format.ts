import type { AuditItem } from '../../../src/shared/audit'

export interface AuditDay {
  /** `2026-11-21`, on the workspace's clock. */
  day: string
  items: AuditItem[]
}

/** Lines by the day on which they happened, in the order they come in. */
export function groupByDay(items: readonly AuditItem[], timeZone: string): AuditDay[] {
  const dayOf = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone })
  const days: AuditDay[] = []
  for (const item of items) {
    const day = dayOf.format(new Date(item.at))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}

/** The time of day on the workspace's clock: `14:05`. */
export const formatTime = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone }).format(new Date(at))

/** Ids and hashes are long and are read by machines: enough of one to tell it from others. */
export const shortId = (id: string): string => (id.length <= 14 ? id : `${id.slice(0, 12)}…`)
