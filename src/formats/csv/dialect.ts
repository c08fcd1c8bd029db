import { ProductError } from '../../shared/errors'
import { DELIMITERS, type CsvSettings, type Delimiter, type Encoding } from '../../shared/data-sources/files'
import type { CsvSyntaxSetting } from '../contract'
import { createDiagnosticCsvReader } from './csv-reader'
import { looksLikeLabels } from '../inference/header'
import { parseDate } from '../values/parse-date'
import { decodeStart } from '../encoding/detect-encoding'
import { parseNumber } from '../values/parse-number'
import { unwrapText } from './wrapped-lines'

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

/** What most lines hold, so many hold at least. */
export const MOST_LINES = 0.5
/** Share of figures and dates below names that shows them to be names. */
const TYPED_BELOW_TITLES = 0.1
const TYPED_COLUMN = 0.8
const JUDGED_ROWS = 60

interface DialectTrial {
  records: CsvRecord[]
  strays: number
  fault: ProductError | null
}
interface DialectCandidate {
  dialect: Dialect
  score: number
}
type QuotingSyntax = Pick<CsvSettings, 'delimiter' | 'quote' | 'escape' | 'skipInitialSpace' | 'wrappedLines'>
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
  const { loose, unclosed } = reader.strayQuotes()
  return { records, strays: loose + unclosed, fault }
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

const WORDS_OF_PROSE = 2
const wordCount = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

/** Whether separators are the punctuation of sentences: cells of several words each. */
function isProse(records: CsvRecord[]): boolean {
  const cells = records.flatMap((record) => record.cells.filter((cell) => cell.trim() !== ''))
  return cells.reduce((sum, cell) => sum + wordCount(cell), 0) >= cells.length * WORDS_OF_PROSE
}

const NOTE_WORDS = 5
/** A sentence above names of columns, which happens to hold as many separators as they do. */
function isNote({ cells }: CsvRecord, [names, ...below]: CsvRecord[]): boolean {
  if (!names || !looksLikeLabels(names.cells) || nonBlankCount(names) < names.cells.length) return false
  const spaced = ({ cells: all }: CsvRecord): boolean => all.slice(1).every((cell) => /^\s+\S/.test(cell))
  const isSentence =
    (spaced({ cells, line: 0 }) && !spaced(names)) || cells.some((cell) => wordCount(cell) >= NOTE_WORDS)
  return isSentence && hasTypedColumn(names, below)
}

const isTyped = (cell: string): boolean =>
  parseNumber(cell, '.') !== null || parseNumber(cell, ',') !== null || parseDate(cell, 'dmy') !== null

/** Whether nearly all that stands below one of the names is figures or dates. */
const hasTypedColumn = ({ cells }: CsvRecord, below: CsvRecord[]): boolean =>
  cells.some((name, at) => {
    const values = below.slice(0, JUDGED_ROWS).flatMap((record) => record.cells[at]?.trim() || [])
    return name !== '' && values.length > 0 && values.filter(isTyped).length >= values.length * TYPED_COLUMN
  })

/** Years above names, each for some of them. */
const isYears = ({ cells }: CsvRecord): boolean =>
  cells.some((cell) => cell !== '') && cells.every((cell) => /^\s*((19|20)\d\d)?\s*$/.test(cell))

const nonBlankCount = ({ cells }: CsvRecord): number => cells.filter((cell) => cell.trim() !== '').length

/**
 * How many records at the top are titles: few cells, before a line of names that has them all. Spreadsheets pad titles
 * with separators to the full width; those count only when figures or dates stand below the names.
 */
function countTitleRows(records: CsvRecord[], width: number): number {
  let [count, padded] = [0, 0]
  for (; count < records.length; count++) {
    const record = records[count]
    if (!record) break
    if (nonBlankCount(record) > Math.max(1, width / 2)) {
      if (count > 0 && !fitsWidth(record, width) && isAboveNames(records.slice(count + 1), width)) continue
      if (!fitsWidth(record, width) || !isNote(record, records.slice(count + 1))) break
    } else if (!fitsWidth(record, width)) continue
    padded++
  }
  const first = records[count]
  const names = first && isYears(first) ? records[count + 1] : first
  if (!first || !names || !fitsWidth(first, width) || first.line > TITLE_LINES_MAX) return 0
  if (!looksLikeLabels(names.cells)) return padded === 0 && isOnlyRows(records.slice(count), width) ? count : 0
  if (padded === 0) return count
  if (nonBlankCount(first) <= width / 2 || typedCellShare(records.slice(count)) < TYPED_BELOW_TITLES) return 0
  return width > 2 || hasTypedColumn(first, records.slice(count + 1)) ? count : 0
}

/** Names with figures or dates below them come next: what stands above is no row, whatever separators it holds. */
const isAboveNames = ([names, ...below]: CsvRecord[], width: number): boolean =>
  names !== undefined && fitsWidth(names, width) && looksLikeLabels(names.cells) && hasTypedColumn(names, below)

const ROWS_WITHOUT_NAMES = { width: 3, count: 2 }
/** Rows of a table that has no names: nothing else stands there. */
const isOnlyRows = (records: CsvRecord[], width: number): boolean =>
  width >= ROWS_WITHOUT_NAMES.width &&
  records.length >= ROWS_WITHOUT_NAMES.count &&
  records.every((record) => fitsWidth(record, width))

/** Lines of words behind `#`, at least one of which is no row; a row that was taken out of use by it is one as well. */
function detectCommentMark(records: CsvRecord[], width: number): '#' | undefined {
  const marked = records.filter(({ cells }) => cells[0]?.startsWith('#') === true)
  const isRow = (record: CsvRecord): boolean => fitsWidth(record, width) && record.cells[0]?.startsWith('# ') !== true
  return marked.some((record) => !fitsWidth(record, width)) && !marked.some(isRow) ? '#' : undefined
}

function typedCellShare(records: CsvRecord[]): number {
  let [typed, all] = [0, 0]
  for (const { cells } of records.slice(1, JUDGED_ROWS)) {
    for (const cell of cells.slice(0, 60)) {
      if (cell === '') continue
      all++
      if (isTyped(cell)) typed++
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
  if (!first || consistent < CONSISTENT_MIN) return null
  // Names may be missing but for one, where no other separator finds several.
  const isUnnamed = filledWidth(first.cells) < 2
  if (isUnnamed && !kept.slice(1).some(({ cells }) => filledWidth(cells) > 1)) return null
  const score =
    consistent +
    0.2 * typedCellShare(kept) +
    (looksLikeLabels(first.cells) ? 0.1 : 0) +
    0.01 * Math.min(width, 10) -
    Math.min(0.4, 0.05 * trial.strays) -
    (useTitles ? 0.1 : 0) -
    (isUnnamed ? 1 : 0)
  const dialect = { ...signs, width, skipLines: useTitles ? first.line - 1 : skipLines }
  return { score, dialect: comment === undefined ? dialect : { ...dialect, comment } }
}

interface TriedSyntax {
  signs: QuotingSyntax
  trial: DialectTrial
}

/** No separator divides the lines evenly: the one that most of them hold, the first among them. */
function raggedDialect(tried: TriedSyntax[], skipLines: number): Dialect | null {
  let best: { dialect: Dialect; share: number } | null = null
  for (const { signs, trial } of tried) {
    const { records, fault } = trial
    const [first] = records
    if (fault || !first || filledWidth(first.cells) < 2 || isProse(records)) continue
    // Figures of one column, with their thousands apart.
    if (records.every(({ cells }) => isTyped(cells.join(signs.delimiter)))) continue
    const share = records.filter(({ cells }) => cells.length > 1).length / records.length
    if (share < MOST_LINES || share <= (best?.share ?? 0)) continue
    const widest = records.length === 2 ? Math.max(...records.map(({ cells }) => cells.length)) : commonWidth(records)
    best = { share, dialect: { ...signs, skipLines, width: Math.max(first.cells.length, widest) } }
  }
  return best?.dialect ?? null
}

/** One column: a separator for which cells were quoted, else any that the text does not hold outside quotes. */
function singleColumnDialect(all: TriedSyntax[], skipLines: number): Dialect {
  const quotedFor = all.filter(({ signs, trial: { records } }) => {
    const several = records.filter(({ cells }) => cells.length > 1).length
    return several < records.length * MOST_LINES && records.some(({ cells }) => isQuotedFor(cells, signs.delimiter))
  })
  const trials = quotedFor.length > 0 ? quotedFor : all
  const fewest = trials
    .map(({ signs, trial }) => ({
      signs,
      odd: trial.records.filter(({ cells }) => cells.length > 1).length + Math.min(0.9, trial.strays * 0.1),
    }))
    .sort((a, b) => a.odd - b.odd)[0]
  return { ...(fewest?.signs ?? { delimiter: ',', quote: '"', escape: '"' }), skipLines, width: 1 }
}

/** A cell that holds the separator by which it was read: it was quoted for it. */
const isQuotedFor = (cells: string[], delimiter: Delimiter): boolean => cells.some((cell) => cell.includes(delimiter))

/** `sep=;` in the first line, as Excel writes and reads it. */
const SEP_LINE = /^"?sep=(.)"?\r?(\n|$)/i
const isDelimiter = (text: string): text is Delimiter => DELIMITERS.some((known) => known === text)

function candidateSyntaxes(text: string, given: Partial<CsvSettings>, sep: string | undefined): QuotingSyntax[] {
  const delimiters = given.delimiter ? [given.delimiter] : sep && isDelimiter(sep) ? [sep] : DELIMITERS
  const quotes = given.quote !== undefined ? [given.quote] : candidateQuotes(text)
  const escapes: CsvSettings['escape'][] = given.escape ? [given.escape] : text.includes('\\"') ? ['"', '\\'] : ['"']
  return delimiters.flatMap((delimiter) => {
    const blanks = given.skipInitialSpace ?? (hasBlanksAfter(text, delimiter) ? true : undefined)
    return quotes.flatMap((quote) =>
      escapes.map((escape) => ({
        ...{ delimiter, quote, escape: escape === '"' && quote === "'" ? "'" : escape },
        ...(blanks ? { skipInitialSpace: blanks } : {}),
      })),
    )
  })
}

/** Apostrophes are quotes where cells are wrapped in them in most lines and no other quote is there; else they may be. */
function candidateQuotes(text: string): CsvSettings['quote'][] {
  const wrapped = text.match(/(?:^|[,;\t|\n])'[^'\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const lines = text.split('\n').length
  if (wrapped === 0 || wrapped < lines * 0.5) return ['"']
  return text.includes('"') ? ['"', "'"] : ["'"]
}

const BLANKS_AFTER = 0.98
/** Whether a blank follows every separator, or every one before a quote; what stands in quotes counts for nothing. */
function hasBlanksAfter(text: string, delimiter: Delimiter): boolean {
  if (delimiter === '\t') return false
  const cells = text
    .replaceAll(/"[^"]*"/g, '""')
    .split(/[\r\n]+/)
    .flatMap((line) => line.split(delimiter).slice(1))
  const blank = cells.filter((cell) => cell.startsWith(' ')).length
  const quoted = cells.filter((cell) => /^ *["']/.test(cell))
  if (quoted.length > 0 && quoted.every((cell) => cell.startsWith(' '))) return true
  return blank > 0 && blank >= cells.filter((cell) => cell !== '').length * BLANKS_AFTER
}

/** One line alone may have lost the end of its quote: that is told to the person. */
const OPEN_LINES_MIN = 2
const WRAPPED_CELL = /^\s*"(?:[^"]|"")*"\s*$/

/** Whether quotation marks are part of texts (`19" rack`) and nothing is quoted: a mark that opens a cell would swallow the lines after it. */
function isUnquoted(text: string, { delimiter, quote, width, skipLines, comment, wrappedLines }: Dialect): boolean {
  if (quote !== '"' || width < 2 || wrappedLines) return false
  const lines = text.split(/\r\n?|\n/).slice(skipLines, -1)
  let [open, loose, wrapped] = [0, 0, 0]
  for (const line of lines) {
    if (line === '' || (comment !== undefined && line.startsWith(comment))) continue
    const cells = line.split(delimiter)
    if (cells.length !== width) return false
    const marked = cells.filter((cell) => cell.includes('"'))
    const quoted = marked.filter((cell) => WRAPPED_CELL.test(cell)).length
    wrapped += quoted
    loose += marked.length - quoted
    if (line.split('"').length % 2 === 0) open++
  }
  return open >= OPEN_LINES_MIN && loose > wrapped
}

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
  const inside = given.quote === undefined || given.quote === '"' ? unwrapText(text, source.whole) : null
  const wrapping = inside === null ? {} : { wrappedLines: true as const }
  const trials = candidateSyntaxes(inside ?? text, given, sep?.[1])
    .map((signs) => ({ ...signs, ...wrapping }))
    .map((signs) => ({ signs, trial: tryDialect(source, signs) }))
  let best: DialectCandidate | null = null
  for (const { signs, trial } of trials) {
    const found = scoreTrial(trial, { signs, skipLines })
    if (found && (best === null || found.score > best.score + 0.005)) best = found
  }
  const dialect = best?.dialect ?? raggedDialect(trials, skipLines) ?? singleColumnDialect(trials, skipLines)
  const comment = given.comment ?? dialect.comment
  const quote = given.quote === undefined && isUnquoted(text, dialect) ? '' : dialect.quote
  const settled: Dialect = { ...dialect, quote, skipLines: given.skipLines ?? dialect.skipLines }
  return comment === undefined ? settled : { ...settled, comment }
}
