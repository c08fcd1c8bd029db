import { formatLocalDate } from '../../../../src/shared/figures/formatter'
import type { CsvSettings, FileColumn } from '../../../../src/shared/data-sources/files'
import { isoFromDay } from '../../../../src/shared/dates'
import { monthByName } from '../../../../src/shared/values/month-names'
import { parseDate } from '../../../../src/shared/values/parse-date'
import { parseNumber, type ParsedNumber } from '../../../../src/shared/values/parse-number'

/** One cell of the file and what we take it for, in the workspace's notation. */
export interface ParsedExample {
  column: string
  raw: string
  words: string
}

/** A number as the workspace writes it, every decimal kept; null for one without decimals. */
function writeNumber({ negative, digits, decimals, written, percent }: ParsedNumber, locale: string): string | null {
  const shown = written + (percent ? 2 : 0)
  if (decimals === 0 || shown > 4) return null
  const value = Number(`${negative ? '-' : ''}${digits}e-${decimals}`)
  return new Intl.NumberFormat(locale, { minimumFractionDigits: shown, maximumFractionDigits: shown }).format(value)
}

const spellDate = (iso: string, locale: string | null): string =>
  formatLocalDate(
    new Date(`${iso}T00:00:00Z`),
    { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
    locale,
  )

/** How much a cell shows: more digits before the mark say more about grouping. */
const exampleScore = (raw: string): number => Math.min(raw.replaceAll(/\D/g, '').length, 7)

export interface ExampleInput {
  columns: readonly FileColumn[]
  preview: readonly (readonly string[])[]
  settings: Pick<CsvSettings, 'decimalMark' | 'dateOrder'>
  locale: string
  /** How this person writes dates; null = in English. */
  dateLocale: string | null
}

function exampleCandidates(
  { columns, preview }: ExampleInput,
  types: readonly string[],
): { column: FileColumn; raw: string }[] {
  const wanted = columns.filter(({ include, type }) => include && types.includes(type))
  return wanted.flatMap((column) =>
    preview.slice(0, 30).flatMap((row) => {
      const raw = row[column.index]
      return raw === undefined || raw.trim() === '' ? [] : [{ column, raw: raw.trim() }]
    }),
  )
}

/** The cell that best shows how decimals are read; null when the file has no decimals. */
export function decimalExample(input: ExampleInput): ParsedExample | null {
  let best: ParsedExample | null = null
  for (const { column, raw } of exampleCandidates(input, ['number'])) {
    const number = parseNumber(raw, column.decimalMark ?? input.settings.decimalMark)
    const words = number && writeNumber(number, input.locale)
    if (words !== null && (best === null || exampleScore(raw) > exampleScore(best.raw)))
      best = { column: column.label, raw, words }
  }
  return best
}

/** What names its month cannot be mistaken. */
const FIGURES_ONLY = /^[\d\-/. ]+$/

/** Whether all dates among the first rows name their month: in which order their parts stand decides nothing. */
export function namesMonths(input: ExampleInput): boolean {
  const dates = exampleCandidates(input, ['date', 'datetime'])
  return dates.length > 0 && dates.every(({ raw }) => raw.match(/\p{L}+/gu)?.some((word) => monthByName(word)))
}

/** A date whose parts could be mistaken for one another, read out with its month by name as the person writes dates; ISO dates need no proof. */
export function dateExample(input: ExampleInput): ParsedExample | null {
  for (const { column, raw } of exampleCandidates(input, ['date', 'datetime'])) {
    const text = raw.split(/[T ](?=\d{1,2}:)/)[0] ?? raw
    const day = FIGURES_ONLY.test(text) ? parseDate(text, column.dateOrder ?? input.settings.dateOrder) : null
    if (day !== null) return { column: column.label, raw: text, words: spellDate(isoFromDay(day), input.dateLocale) }
  }
  return null
}
