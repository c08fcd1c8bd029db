const YEAR_AT_END = /^(.*) (\d{4})$/

/**
 * Two periods as a range, by how they are written; what they share is written once: `Jan–Dec 2027`, `Nov 2025 – Oct 2026`,
 * `3–9 Nov 2026`.
 */
export function periodRange(first: string, last: string): string {
  if (first === last) return first
  const [from, to] = [YEAR_AT_END.exec(first), YEAR_AT_END.exec(last)]
  const [head, tail] = [from?.[1] ?? '', to?.[1] ?? '']
  if (!from || !to || from[2] !== to[2]) return `${first} – ${last}`
  const [day, month] = head.split(' ')
  const [lastDay, lastMonth] = tail.split(' ')
  if (month === undefined) return `${head}–${last}`
  return month === lastMonth ? `${day ?? ''}–${lastDay ?? ''} ${month} ${from[2] ?? ''}` : `${head} – ${last}`
}
