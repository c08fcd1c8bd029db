import { monthByName } from './month-names'
import { epochDay, fullYear } from './parse-date'

const TEXT_MAX_CHARS = 48
const YEAR_FIRST = /^(\d{4})(?:[-/. ]?M|[-/. ])(\d{1,2})$/i
const FIGURES_ALONE = /^(\d{4})(\d{2})$/
const YEAR_LAST = /^(\d{1,2})[-/. ](\d{4})$/
const NAME_FIRST = /^(\p{L}{3,12})\.?[-/. ']*(\d{4}|\d{2})$/u
const NAME_LAST = /^(\d{4})[-/. ]*(\p{L}{3,12})\.?$/u
const NAME_ALONE = /^(\p{L}{3,12})\.?$/u

/** A month of a year: `2026-01`, `202601`, `01/2026`, `Jan 2026`, `jan-26`, `2026 januari`. Null: it is none. */
export function parseYearMonth(text: string): { year: number; month: number } | null {
  if (text.length > TEXT_MAX_CHARS) return null
  const trimmed = text.trim()
  const figures = YEAR_FIRST.exec(trimmed) ?? FIGURES_ALONE.exec(trimmed)
  if (figures) return validMonth(Number(figures[1]), Number(figures[2]))
  const last = YEAR_LAST.exec(trimmed)
  if (last) return validMonth(Number(last[2]), Number(last[1]))
  const first = NAME_FIRST.exec(trimmed)
  if (first) return validMonth(fullYear(first[2] ?? ''), monthByName(first[1] ?? '') ?? 0)
  const after = NAME_LAST.exec(trimmed)
  return after ? validMonth(Number(after[1]), monthByName(after[2] ?? '') ?? 0) : null
}

/** 1–12 of the name of a month that stands alone. */
export const parseMonthName = (text: string): number | null =>
  monthByName(NAME_ALONE.exec(text.length > TEXT_MAX_CHARS ? '' : text.trim())?.[1] ?? '')

const validMonth = (year: number, month: number): { year: number; month: number } | null =>
  month >= 1 && month <= 12 && year >= 1000 && year <= 9999 ? { year, month } : null

/** Day number of the first day of a month of a year; null for any other text. */
export function parseMonthDay(text: string): number | null {
  const found = parseYearMonth(text)
  return found && epochDay(found.year, found.month, 1)
}
