import type { Formatter } from '../../lib/format'

const NBSP = '\u00a0'

/** A rough count of what is still being counted: `412 000`, `1,0 M`. */
export function formatApproximateCount(format: Formatter, count: number): string {
  if (count >= 999_500) return format.short(count)
  const step = count >= 100_000 ? 1000 : count >= 1000 ? 100 : 1
  return format.count(Math.round(count / step) * step)
}

export const formatRowCount = (format: Formatter, rows: number): string =>
  `${format.count(rows)} ${rows === 1 ? 'row' : 'rows'}`

export const formatCountOf = (format: Formatter, count: number, noun: string): string =>
  `${format.count(count)} ${count === 1 ? noun : `${noun}s`}`

/** A length of time: `4 s`, `3 min`, `1 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))}${NBSP}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes}${NBSP}min`
  return `${Math.floor(minutes / 60)}${NBSP}h${minutes % 60 === 0 ? '' : ` ${minutes % 60}${NBSP}min`}`
}
