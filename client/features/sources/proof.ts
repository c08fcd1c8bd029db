import { plainDate, plainNumber } from './cell-reading'
import type { CsvSettings, FileColumn } from '../../../src/shared/files'

/** One cell of the file and what we take it for, in words that cannot be misread. */
export interface Proof {
  column: string
  raw: string
  words: string
}

const PLACES = ['', 'tenths', 'hundredths', 'thousandths', 'ten-thousandths']
const ONE_PLACE = ['', 'tenth', 'hundredth', 'thousandth', 'ten-thousandth']

/** `32,38` → "32 and 38 hundredths". */
function numberWords(plain: string, locale: string): string | null {
  const [whole = '0', decimals = ''] = plain.replace('-', '').split('.')
  if (decimals === '' || decimals.length > 4 || Number(decimals) === 0) return null
  const count = Number(decimals)
  const place = (count === 1 ? ONE_PLACE : PLACES)[decimals.length]
  const sign = plain.startsWith('-') ? 'minus ' : ''
  return `${sign}${new Intl.NumberFormat(locale).format(Number(whole))} and ${count} ${place}`
}

const dateWords = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${iso}T00:00:00Z`),
  )

/** How much a cell shows: more digits before the mark say more about grouping. */
const weight = (raw: string): number => Math.min(raw.replaceAll(/\D/g, '').length, 7)

export interface ProofInput {
  columns: readonly FileColumn[]
  preview: readonly (readonly string[])[]
  settings: Pick<CsvSettings, 'decimalMark' | 'dateOrder'>
  locale: string
}

function candidates({ columns, preview }: ProofInput, types: readonly string[]): { column: FileColumn; raw: string }[] {
  const wanted = columns.filter(({ include, type }) => include && types.includes(type))
  return wanted.flatMap((column) =>
    preview.slice(0, 30).flatMap((row) => {
      const raw = row[column.index]
      return raw === undefined || raw.trim() === '' ? [] : [{ column, raw: raw.trim() }]
    }),
  )
}

/** The cell that best shows how decimals are read; null when the file has no decimals. */
export function decimalProof(input: ProofInput): Proof | null {
  let best: Proof | null = null
  for (const { column, raw } of candidates(input, ['number'])) {
    const plain = plainNumber(raw, column.decimalMark ?? input.settings.decimalMark)
    const words = plain === null ? null : numberWords(plain, input.locale)
    if (words !== null && (best === null || weight(raw) > weight(best.raw))) best = { column: column.label, raw, words }
  }
  return best
}

/** A date whose parts could be mistaken for one another, read out; ISO dates need no proof. */
export function dateProof(input: ProofInput): Proof | null {
  for (const { column, raw } of candidates(input, ['date', 'datetime'])) {
    const text = raw.split(/[T ](?=\d{1,2}:)/)[0] ?? raw
    const iso = plainDate(text, column.dateOrder ?? input.settings.dateOrder)
    if (iso !== null) return { column: column.label, raw: text, words: dateWords(iso) }
  }
  return null
}
