/** How a locale writes a day in figures: the order of its parts and what stands between them. */
export interface DateNotation {
  order: readonly ('day' | 'month' | 'year')[]
  separator: string
  /** As a hint in an empty field: `YYYY-MM-DD`. */
  pattern: string
}

const LETTERS = { day: 'DD', month: 'MM', year: 'YYYY' } as const
const isPart = (type: string): type is keyof typeof LETTERS => type in LETTERS

export function dateNotation(locale: string): DateNotation {
  const format = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' })
  const parts = format.formatToParts(Date.UTC(2026, 10, 20))
  const order = parts.flatMap(({ type }) => (isPart(type) ? [type] : []))
  const separator = parts.find(({ type }) => type === 'literal')?.value ?? '-'
  return { order, separator, pattern: order.map((part) => LETTERS[part]).join(separator) }
}

/** `2026-11-20` → `20/11/2026`; what is no day stays as it is. */
export function writeDay(iso: string, { order, separator }: DateNotation): string {
  const [year, month, day] = iso.split('-')
  if (!year || !month || !day) return iso
  const parts = { year, month, day }
  return order.map((part) => parts[part]).join(separator)
}

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const pad = (part: string): string => part.padStart(2, '0')

/** A typed day as ISO text, in the notation or as ISO; null when there is no such day. */
export function readDay(text: string, { order }: DateNotation): string | null {
  const iso = ISO.exec(text.trim())
  const typed = text.trim().split(/\D+/).filter(Boolean)
  const partOf = (name: DateNotation['order'][number]): string => typed[order.indexOf(name)] ?? ''
  const [year, month, day] = iso ? iso.slice(1) : [partOf('year'), partOf('month'), partOf('day')]
  if (!year || !month || !day || year.length !== 4 || (!iso && typed.length !== 3)) return null
  const found = `${year}-${pad(month)}-${pad(day)}`
  const at = new Date(`${found}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== found ? null : found
}
