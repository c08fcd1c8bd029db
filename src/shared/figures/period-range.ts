const YEAR_LAST = /^(.+) (\d{4})$/
const DAY_FIRST = /^(\d{1,2}) (.+)$/

/** Two names of periods as one range: `May–Jul 2026`, `Nov 2025 – Oct 2026`, `3–9 Feb 2026`, `2024–2026`. */
export function joinPeriodNames(first: string, last: string): string {
  if (first === last) return first
  const [a, b] = [YEAR_LAST.exec(first), YEAR_LAST.exec(last)]
  if (!a?.[1] || !b?.[1]) return `${first}${/\s/.test(first + last) ? ' – ' : '–'}${last}`
  if (a[2] !== b[2]) return `${first} – ${last}`
  const [from, to] = [DAY_FIRST.exec(a[1]), DAY_FIRST.exec(b[1])]
  if (from?.[2] !== undefined && from[2] === to?.[2]) return `${from[1] ?? ''}–${last}`
  return `${a[1]}${/\s/.test(a[1] + b[1]) ? ' – ' : '–'}${last}`
}
