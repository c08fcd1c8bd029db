import {
  COMMENT_MARKS,
  DELIMITER_SIGNS,
  DELIMITERS,
  RARE_DELIMITERS,
  type CommentMark,
  type CsvSettings,
  type Delimiter,
  type Encoding,
} from '../../shared/data-sources/files'
import { decodeStart } from '../encoding/detect-encoding'
import { looksLikeLabels } from '../inference/header'
import { fixedColumns, hasRunsOfBlanks, isEvenTable } from './blank-dialect'
import {
  commonWidth,
  filledWidth,
  fitsWidth,
  hasTypedColumn,
  isTyped,
  JUDGED_ROWS,
  tryDialect,
  type CsvRecord,
  type Dialect,
  type DialectSample,
  type DialectTrial,
  type QuotingSyntax,
} from './dialect-trial'
import { unwrapText } from './wrapped-lines'

const SAMPLE_BYTES = 256 * 1024
const TITLE_LINES_MAX = 100
const CONSISTENT_MIN = 0.6
/** What a table scores at most whose first line names hardly any of its columns. */
const UNNAMED_MAX_SCORE = 0.5
/** Of the lines so many are divided evenly by a sign that stands elsewhere as well. */
const EVEN_MIN = 0.9
const TIME = /\d:\d\d/
/** With lines of titles taken away the rest must fit well, or the titles were rows. */
const CONSISTENT_WITH_TITLES = 0.9

/** What most lines hold, so many hold at least. */
export const MOST_LINES = 0.5
/** Share of figures and dates below names that shows them to be names. */
const TYPED_BELOW_TITLES = 0.1

interface DialectCandidate {
  dialect: Dialect
  score: number
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

/** Years above names, each for some of them. */
const isYears = ({ cells }: CsvRecord): boolean =>
  cells.some((cell) => cell !== '') && cells.every((cell) => /^\s*((19|20)\d\d)?\s*$/.test(cell))

const YEAR = /^(19|20)\d\d$/
/** Names among which are years, each once: `Land, 2023, 2024`. */
function hasYearNames(cells: string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const years = texts.filter((text) => YEAR.test(text))
  const rest = texts.filter((text) => !YEAR.test(text))
  return years.length > 1 && new Set(years).size === years.length && looksLikeLabels(rest)
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
  if (!looksLikeLabels(names.cells) && !hasYearNames(names.cells))
    return padded === 0 && isOnlyRows(records.slice(count), width) ? count : 0
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

const isMarked = ({ cells: [cell = ''] }: CsvRecord, mark: string): boolean => cell.startsWith(mark)

/**
 * Lines of words behind a mark, at least one of which is no row; a row that was taken out of use by it is one as well.
 */
function detectCommentMark(records: CsvRecord[], width: number): CommentMark | undefined {
  return COMMENT_MARKS.find((mark) => {
    const marked = records.filter((record) => isMarked(record, mark))
    const isRow = (record: CsvRecord): boolean => fitsWidth(record, width) && !isMarked(record, `${mark} `)
    return marked.some((record) => !fitsWidth(record, width)) && !marked.some(isRow)
  })
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
  const plain = trial.records.filter((record) => !COMMENT_MARKS.some((mark) => isMarked(record, mark)))
  const width = commonWidth(plain.length > 0 ? plain : trial.records)
  if (width < 2) return null
  const comment = detectCommentMark(trial.records, width)
  const records = comment === undefined ? trial.records : trial.records.filter((record) => !isMarked(record, comment))
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

/**
 * How a text is divided in which no usual sign divides the lines: by a rare one, by one blank, by any number of them, or by
 * columns of them.
 */
function rareDialect(source: DialectSample, text: string, given: Partial<CsvSettings>): Dialect | null {
  if (given.delimiter !== undefined || given.quote !== undefined) return null
  const judged = (signs: QuotingSyntax, evenMin: number): Dialect | null => {
    const trial = tryDialect(source, signs)
    const dialect = scoreTrial(trial, { signs, skipLines: source.skipLines })?.dialect
    if (!dialect) return null
    const { comment, skipLines } = dialect
    const rows = trial.records.filter((one) => one.line > skipLines && !(comment && isMarked(one, comment)))
    return isEvenTable(rows, dialect, evenMin) ? dialect : null
  }
  const signsOf = (delimiter: Delimiter): QuotingSyntax => ({ delimiter, quote: '"', escape: '"' })
  const isRare = (sign: Delimiter): boolean => text.includes(sign) && !(sign === ':' && TIME.test(text))
  const rare = RARE_DELIMITERS.filter(isRare).map(signsOf)
  const runs = hasRunsOfBlanks(text) ? [{ ...signsOf(' '), skipInitialSpace: true as const }] : []
  const blanks = [...runs, signsOf(' ')]
  const first = (all: QuotingSyntax[], evenMin: number): Dialect | null =>
    all.reduce<Dialect | null>((found, signs) => found ?? judged(signs, evenMin), null)
  return first(rare, EVEN_MIN) ?? first(blanks, 1) ?? fixedColumns(source, text) ?? first(blanks, EVEN_MIN)
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
  const delimiters = given.delimiter ? [given.delimiter] : sep && isDelimiter(sep) ? [sep] : DELIMITER_SIGNS
  const quotes = given.quote !== undefined ? [given.quote] : candidateQuotes(text)
  return delimiters.flatMap((delimiter) => {
    const isEscaped = text.includes('\\"') || text.includes(`\\${delimiter}`)
    const escapes: CsvSettings['escape'][] = given.escape ? [given.escape] : isEscaped ? ['"', '\\'] : ['"']
    const isSpaced = delimiter === ' ' ? hasRunsOfBlanks(text) : hasBlanksAfter(text, delimiter)
    const blanks = given.skipInitialSpace ?? (isSpaced ? true : undefined)
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
  if (given.columnStarts) {
    const { columnStarts } = given
    return { delimiter: ' ', quote: '', escape: '"', columnStarts, width: columnStarts.length + 1, skipLines }
  }
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
  const dialect =
    (best && best.score > UNNAMED_MAX_SCORE ? best.dialect : null) ??
    (inside === null ? rareDialect(source, text, given) : null) ??
    best?.dialect ??
    raggedDialect(trials, skipLines) ??
    singleColumnDialect(trials, skipLines)
  const comment = given.comment ?? dialect.comment
  const quote = given.quote === undefined && isUnquoted(text, dialect) ? '' : dialect.quote
  const settled: Dialect = { ...dialect, quote, skipLines: given.skipLines ?? dialect.skipLines }
  return comment === undefined ? settled : { ...settled, comment }
}
