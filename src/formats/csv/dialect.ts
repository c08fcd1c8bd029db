import { ProductError } from '../../shared/errors'
import { DELIMITERS, type CsvSettings, type Delimiter, type Encoding } from '../../shared/data-sources/files'
import type { CsvSyntaxSetting } from '../contract'
import { createDiagnosticCsvReader } from './csv-reader'
import { looksLikeLabels } from '../inference/header'
import { parseDate } from '../values/parse-date'
import { decodeStart } from '../encoding/detect-encoding'
import { parseNumber } from '../values/parse-number'

/** How the text is divided. `width` is the number of cells that records have. */
export interface Dialect extends Pick<CsvSettings, CsvSyntaxSetting | 'skipLines'> {
  width: number
}
export interface CsvRecord {
  cells: string[]
  line: number
}

const SAMPLE_BYTES = 256 * 1024
const SAMPLE_RECORDS = 400
const PIECE_BYTES = 16 * 1024
const TITLE_LINES_MAX = 100
const CONSISTENT_MIN = 0.6
/** With lines of titles taken away the rest must fit well, or the titles were rows. */
const CONSISTENT_WITH_TITLES = 0.9

/** Share of figures and dates below names that shows them to be names. */
const TYPED_BELOW_TITLES = 0.1

interface DialectTrial {
  records: CsvRecord[]
  strays: number
  fault: ProductError | null
}
interface DialectCandidate {
  dialect: Dialect
  score: number
}
type QuotingSyntax = Pick<CsvSettings, 'delimiter' | 'quote' | 'escape' | 'blanksBeforeQuotes'>
interface DialectSample {
  bytes: Uint8Array
  whole: boolean
  encoding: Encoding
  skipLines: number
}

/** Reads some records with these signs, every one as data. A fault of the file ends the trial. */
function tryDialect({ bytes, whole, encoding, skipLines }: DialectSample, syntax: QuotingSyntax): DialectTrial {
  const records: CsvRecord[] = []
  const reader = createDiagnosticCsvReader({
    settings: { ...syntax, encoding, skipLines, header: false },
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => records.push({ cells, line }),
  })
  let fault: ProductError | null = null
  try {
    let at = 0
    for (; at < bytes.length && records.length < SAMPLE_RECORDS; at += PIECE_BYTES)
      reader.push(bytes.subarray(at, at + PIECE_BYTES))
    if (whole && at >= bytes.length) reader.end()
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    fault = error
  }
  return { records, strays: reader.strayCharCount(), fault }
}

const filledWidth = (cells: string[]): number => {
  let count = cells.length
  while (count > 0 && cells[count - 1] === '') count--
  return count
}
const fitsWidth = ({ cells }: CsvRecord, width: number): boolean =>
  cells.length === width || (cells.length > width && filledWidth(cells) <= width)

/** The number of cells that most records have, leaving out what is only empty at the end. */
function commonWidth(records: CsvRecord[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  let best = { width: 1, fitting: -1 }
  const byFrequency = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5)
  for (const [width] of byFrequency) {
    const fitting = records.filter((record) => fitsWidth(record, width)).length
    if (fitting > best.fitting) best = { width, fitting }
  }
  return best.width
}

const nonBlankCount = ({ cells }: CsvRecord): number => cells.filter((cell) => cell.trim() !== '').length

/**
 * How many records at the top are titles: few cells, before a line of names that has them all. Spreadsheets pad titles
 * with separators to the full width; those count only when figures or dates stand below the names.
 */
function countTitleRows(records: CsvRecord[], width: number): number {
  let [count, padded] = [0, 0]
  for (; count < records.length; count++) {
    const record = records[count]
    if (!record || nonBlankCount(record) > Math.max(1, width / 2)) break
    if (!fitsWidth(record, width)) continue
    if (width < 3) break
    padded++
  }
  const first = records[count]
  if (!first || !fitsWidth(first, width) || first.line > TITLE_LINES_MAX || !looksLikeLabels(first.cells)) return 0
  if (padded === 0) return count
  return nonBlankCount(first) > width / 2 && typedCellShare(records.slice(count)) >= TYPED_BELOW_TITLES ? count : 0
}

function detectCommentMark(records: CsvRecord[], width: number): '#' | undefined {
  const marked = records.filter(({ cells }) => cells[0]?.startsWith('#') === true)
  return marked.length > 0 && marked.every((record) => !fitsWidth(record, width)) ? '#' : undefined
}

function typedCellShare(records: CsvRecord[]): number {
  let [typed, all] = [0, 0]
  for (const { cells } of records.slice(1, 60)) {
    for (const cell of cells.slice(0, 60)) {
      if (cell === '') continue
      all++
      if (parseNumber(cell, '.') || parseNumber(cell, ',') || parseDate(cell, 'dmy') !== null) typed++
    }
  }
  return all === 0 ? 0 : typed / all
}

/** Judges one way of reading; null when it does not make a table of several columns. */
function scoreTrial(trial: DialectTrial, at: { signs: QuotingSyntax; skipLines: number }): DialectCandidate | null {
  const { signs, skipLines } = at
  if (trial.fault?.code === 'too_large') return { dialect: { ...signs, skipLines, width: 501 }, score: 0.9 }
  const unmarked = trial.records.filter(({ cells }) => cells[0]?.startsWith('#') !== true)
  const width = commonWidth(unmarked.length > 0 ? unmarked : trial.records)
  if (width < 2) return null
  const comment = detectCommentMark(trial.records, width)
  const records = comment === undefined ? trial.records : unmarked
  const titles = countTitleRows(records, width)
  const share = (list: CsvRecord[]): number => list.filter((record) => fitsWidth(record, width)).length / list.length
  const withoutTitles = titles > 0 ? share(records.slice(titles)) : 0
  const useTitles = withoutTitles >= CONSISTENT_WITH_TITLES
  const kept = useTitles ? records.slice(titles) : records
  const [first] = kept
  const consistent = kept.length === 0 ? 0 : share(kept)
  if (!first || consistent < CONSISTENT_MIN || filledWidth(first.cells) < 2) return null
  const score =
    consistent +
    0.2 * typedCellShare(kept) +
    (looksLikeLabels(first.cells) ? 0.1 : 0) +
    0.01 * Math.min(width, 10) -
    Math.min(0.4, 0.05 * trial.strays) -
    (useTitles ? 0.1 : 0)
  const dialect = { ...signs, width, skipLines: useTitles ? first.line - 1 : skipLines }
  return { score, dialect: comment === undefined ? dialect : { ...dialect, comment } }
}

/** One column: any separator does that the text does not hold outside quotes. */
function singleColumnDialect(trials: { signs: QuotingSyntax; trial: DialectTrial }[], skipLines: number): Dialect {
  const fewest = trials
    .map(({ signs, trial }) => ({
      signs,
      odd: trial.records.filter(({ cells }) => cells.length > 1).length + Math.min(0.9, trial.strays * 0.1),
    }))
    .sort((a, b) => a.odd - b.odd)[0]
  return { ...(fewest?.signs ?? { delimiter: ',', quote: '"', escape: '"' }), skipLines, width: 1 }
}

/** `sep=;` in the first line, as Excel writes and reads it. */
const SEP_LINE = /^"?sep=(.)"?\r?(\n|$)/i
const isDelimiter = (text: string): text is Delimiter => DELIMITERS.some((known) => known === text)

function candidateSyntaxes(text: string, given: Partial<CsvSettings>, sep: string | undefined): QuotingSyntax[] {
  const delimiters = given.delimiter ? [given.delimiter] : sep && isDelimiter(sep) ? [sep] : DELIMITERS
  const quotes = given.quote !== undefined ? [given.quote] : candidateQuotes(text)
  const escapes: CsvSettings['escape'][] = given.escape ? [given.escape] : text.includes('\\"') ? ['"', '\\'] : ['"']
  const blanks = given.blanksBeforeQuotes ?? (hasBlanksBeforeQuotes(text) ? true : undefined)
  return delimiters.flatMap((delimiter) =>
    quotes.flatMap((quote) =>
      escapes.map((escape) => ({
        ...{ delimiter, quote, escape: escape === '"' && quote === "'" ? "'" : escape },
        ...(blanks ? { blanksBeforeQuotes: blanks } : {}),
      })),
    ),
  )
}

/** Apostrophes are quotes where cells are wrapped in them in most lines and no other quote is there; else they may be. */
function candidateQuotes(text: string): CsvSettings['quote'][] {
  const wrapped = text.match(/(?:^|[,;\t|\n])'[^'\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const lines = text.split('\n').length
  if (wrapped === 0 || wrapped < lines * 0.5) return ['"']
  return text.includes('"') ? ['"', "'"] : ["'"]
}

/** Whether quotes inside a line follow their separator with a blank between, all of them. */
const hasBlanksBeforeQuotes = (text: string): boolean => /[,;|] +["']/.test(text) && !/[,;\t|]["']/.test(text)

/** Separator, quote, escape, titles and comments from the start of a file; what the person gave is not guessed. */
export function detectDialect(
  file: { head: Uint8Array; whole: boolean; encoding: Encoding },
  given: Partial<CsvSettings>,
): Dialect {
  const bytes = file.head.subarray(0, SAMPLE_BYTES)
  const text = decodeStart(bytes, file.encoding)
  const sep = SEP_LINE.exec(text)
  const skipLines = given.skipLines ?? (sep ? 1 : 0)
  const source = { bytes, encoding: file.encoding, whole: file.whole && bytes.length === file.head.length, skipLines }
  const trials = candidateSyntaxes(text, given, sep?.[1]).map((signs) => ({ signs, trial: tryDialect(source, signs) }))
  let best: DialectCandidate | null = null
  for (const { signs, trial } of trials) {
    const found = scoreTrial(trial, { signs, skipLines })
    if (found && (best === null || found.score > best.score + 0.005)) best = found
  }
  const dialect = best?.dialect ?? singleColumnDialect(trials, skipLines)
  const comment = given.comment ?? dialect.comment
  const settled = { ...dialect, skipLines: given.skipLines ?? dialect.skipLines }
  return comment === undefined ? settled : { ...settled, comment }
}
