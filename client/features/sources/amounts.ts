/** Counts, sizes and times in words, by the workspace's number locale. */
const NBSP = '\u00a0'

export const countText = (locale: string, count: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(count)

/** A rough count: `412 000`, `1,0 M`. */
export function aboutText(locale: string, count: number): string {
  if (count >= 1_000_000)
    return `${new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(count / 1_000_000)}${NBSP}M`
  const step = count >= 100_000 ? 1000 : count >= 1000 ? 100 : 1
  return countText(locale, Math.round(count / step) * step)
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** Bytes in decimal units: `18 kB`, `107,2 MB`. */
export function bytesText(locale: string, bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit >= 2 ? 1 : 0
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)}${NBSP}${UNITS[unit] ?? 'B'}`
}

export const rowsText = (locale: string, rows: number): string =>
  `${countText(locale, rows)} ${rows === 1 ? 'row' : 'rows'}`

/** A length of time: `4 s`, `3 min`, `1 h 20 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))}${NBSP}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes}${NBSP}min`
  return `${Math.floor(minutes / 60)}${NBSP}h${minutes % 60 === 0 ? '' : ` ${minutes % 60}${NBSP}min`}`
}

/** How long ago: `just now`, `12 min ago`, `3 days ago`, then the date. `now` in epoch ms. */
export function agoText(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000)
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  const days = Math.floor(seconds / 86_400)
  if (days <= 30) return days === 1 ? 'yesterday' : `${days} days ago`
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso))
}

/** Day and time in the workspace's zone. */
export const momentText = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone,
  }).format(new Date(iso))
