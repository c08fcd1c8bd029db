import { parseMonthName, parseYearMonth } from '../../shared/values/parse-month'
import { totalRowLabel } from '../csv/total-rows'
import { changeCase, trimBlanks } from './step-runners'
import type { CleaningStep, CleaningSuggestion, LetterCase, SuggestedEffect } from '../../shared/data-sources/cleaning'
import type { FileColumn } from '../../shared/data-sources/files'

/** The first rows of a table, below its columns. */
interface SuggestionInput {
  columns: readonly FileColumn[]
  rows: readonly string[][]
  /** Whether these are all rows of the table. */
  isWhole: boolean
  fileName: string
}

/** Steps that the rows call for, each with what it would do to the rows that were read. */
export function suggestSteps(input: SuggestionInput): CleaningSuggestion[] {
  if (input.rows.length === 0) return []
  const unpivot = suggestUnpivot(input)
  return [
    suggestDropTotals(input),
    suggestFillDown(input),
    unpivot,
    suggestTrim(input),
    ...suggestSpellings(input),
  ].filter((offered) => offered !== null)
}

const suggestion = (
  steps: CleaningStep[],
  effect: SuggestedEffect,
  { rows, isWhole }: SuggestionInput,
): CleaningSuggestion => ({ steps, effect, sampled: isWhole ? null : rows.length })

function suggestTrim(input: SuggestionInput): CleaningSuggestion | null {
  let [changed, texts] = [0, 0]
  for (const cells of input.rows)
    for (const { index, type } of input.columns) {
      const cell = cells[index] ?? ''
      if (trimBlanks(cell) === cell) continue
      changed++
      if (type === 'text') texts++
    }
  // Around figures and dates blanks do no harm.
  if (texts === 0) return null
  return suggestion([{ kind: 'trim', columns: [], inner: false }], { kind: 'changeCells', cells: changed }, input)
}

/** Columns of so many different texts are names of things that nobody groups by. */
const SPELLINGS_MAX = 200
const SPELLING_MAX_CHARS = 200
const SPELLING_SUGGESTIONS_MAX = 3

function suggestSpellings(input: SuggestionInput): CleaningSuggestion[] {
  return input.columns
    .filter(({ type, role }) => type === 'text' && role === 'dimension')
    .flatMap((column) => suggestSpelling(column, input) ?? [])
    .slice(0, SPELLING_SUGGESTIONS_MAX)
}

/** A value in several cases: its spellings, each with how often it stands there. */
type Spellings = readonly (readonly [text: string, count: number])[]

function suggestSpelling({ index, label }: FileColumn, input: SuggestionInput): CleaningSuggestion | null {
  const counts = new Map<string, number>()
  for (const cells of input.rows) {
    const text = trimBlanks(cells[index] ?? '')
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
    if (counts.size > SPELLINGS_MAX || text.length > SPELLING_MAX_CHARS) return null
  }
  const values = [...Map.groupBy(counts, ([text]) => text.toLowerCase()).values()]
  if (values.length === counts.size) return null
  const steps = [oneCase(label, values) ?? oneSpelling(label, values)]
  const effect = { column: label, spellings: counts.size, values: values.length }
  return suggestion(steps, { kind: 'mergeSpellings', ...effect }, input)
}

const mostOf = (spellings: Spellings): number => Math.max(...spellings.map(([, count]) => count))

/** Where two are right, names are rather written in the first. */
const CASES: readonly LetterCase[] = ['title', 'sentence', 'upper', 'lower']

/** The case that each value has where it is written most often; null where none is right for all: “Bo Ek”, “Alfa AB”. */
function oneCase(label: string, values: readonly Spellings[]): CleaningStep | null {
  const to = CASES.find((letterCase) =>
    values.every((spellings) =>
      spellings.some(([text, count]) => count === mostOf(spellings) && changeCase(text, letterCase) === text),
    ),
  )
  return to === undefined ? null : { kind: 'case', columns: [label], to }
}

/** Each value as it is written most often. */
function oneSpelling(label: string, values: readonly Spellings[]): CleaningStep {
  const replaced = values.flatMap((spellings) => {
    const to = spellings.find(([, count]) => count === mostOf(spellings))?.[0] ?? ''
    return spellings.flatMap(([from]) => (from === to ? [] : [{ from, to }]))
  })
  return { kind: 'mapValues', columns: [label], values: replaced }
}

const YEAR = /^(19|20)\d\d$/
const QUARTER = /^(?:(19|20)\d\d ?)?(?:q|kv|kvartal |quarter )[1-4](?: ?(19|20)\d\d)?$/i
const TOTAL_HEADING =
  /^(grand )?(total|totalt|totalen|summa|sum|helår|full year|year total|ytd|ack|ackumulerat)(?![\p{L}\p{N}])/iu
type PeriodKind = 'yearMonth' | 'month' | 'quarter' | 'year'
const PERIODS: readonly {
  kind: PeriodKind
  label: 'Month' | 'Quarter' | 'Year'
  least: number
  is: (heading: string) => boolean
}[] = [
  { kind: 'yearMonth', label: 'Month', least: 2, is: (heading) => isPlausible(parseYearMonth(heading)?.year) },
  { kind: 'month', label: 'Month', least: 3, is: (heading) => parseMonthName(heading) !== null },
  { kind: 'quarter', label: 'Quarter', least: 2, is: (heading) => QUARTER.test(heading.trim()) },
  { kind: 'year', label: 'Year', least: 2, is: (heading) => YEAR.test(heading.trim()) },
]
const isPlausible = (year: number | undefined): boolean => year !== undefined && year >= 1900 && year <= 2200

/** Columns that are called like periods and hold figures belong below each other. */
function suggestUnpivot(input: SuggestionInput): CleaningSuggestion | null {
  const { columns, rows, fileName } = input
  const figures = columns.filter(({ type }) => type === 'number' || type === 'integer')
  const found = PERIODS.map((period) => ({
    period,
    turned: figures.filter(({ label }) => period.is(label)),
  })).find(({ period, turned }) => turned.length >= period.least)
  if (!found) return null
  const { period, turned } = found
  const isTurned = new Set(turned.map(({ label }) => label))
  const others = columns.filter(({ label }) => !isTurned.has(label))
  const leaveOut = others.filter(({ label }) => TOTAL_HEADING.test(label.trim())).map(({ label }) => label)
  const keep = others.map(({ label }) => label).filter((label) => !leaveOut.includes(label))
  const free = (name: string): string =>
    keep.some((label) => label.toLowerCase() === name.toLowerCase()) ? `${name} 2` : name
  const nameColumn = free(period.label)
  const unpivot: CleaningStep = {
    kind: 'unpivot',
    keep,
    leaveOut,
    nameColumn,
    valueColumn: free('Value'),
    dropEmpty: true,
  }
  const filled = rows.reduce(
    (sum, cells) => sum + turned.filter(({ index }) => (cells[index] ?? '').trim() !== '').length,
    0,
  )
  const effect = { period: period.label, columns: turned.length, rows: rows.length, into: filled }
  const steps = [unpivot, ...parseSteps(period.kind, nameColumn, fileName)]
  return suggestion(steps, { kind: 'turnColumns', ...effect }, input)
}

/** Names of months become dates where a year is known: their own, or that of the file’s name. */
function parseSteps(kind: PeriodKind, column: string, fileName: string): CleaningStep[] {
  if (kind === 'yearMonth') return [{ kind: 'parseDate', columns: [column], writing: 'yearMonth' }]
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(fileName)?.[0]
  if (kind !== 'month' || year === undefined) return []
  return [{ kind: 'parseDate', columns: [column], writing: 'month', year: Number(year) }]
}

const FILL_MIN_SHARE = 0.2
const GROUP_COLUMNS_MAX = 3

/** A name that is written once, above the rows it is of. */
function suggestFillDown(input: SuggestionInput): CleaningSuggestion | null {
  const { columns, rows } = input
  const gaps = columns
    .slice(0, GROUP_COLUMNS_MAX)
    .filter(({ type }) => type === 'text')
    .flatMap((column) => {
      const empty = groupGaps(column.index, rows)
      return empty === null ? [] : [{ label: column.label, empty }]
    })
  if (gaps.length === 0) return null
  const filled = gaps.reduce((sum, { empty }) => sum + empty, 0)
  const columnNames = gaps.map(({ label }) => label)
  return suggestion([{ kind: 'fillDown', columns: columnNames }], { kind: 'fillCells', cells: filled }, input)
}

/** How many cells are empty below names that are written once each; null where that is not how it is. */
function groupGaps(index: number, rows: readonly string[][]): number | null {
  const texts = rows.map((cells) => (cells[index] ?? '').trim())
  const names = texts.filter((text) => text !== '')
  const empty = texts.length - names.length
  if (texts[0] === '' || names.length < 2 || empty < texts.length * FILL_MIN_SHARE) return null
  if (new Set(names).size < names.length * 0.9) return null
  // A missing value stands in a row by itself; rows of a group are as full as the one that names it.
  const following = rows.filter(
    (cells, at) => texts[at] === '' && cells.some((cell, place) => place !== index && cell !== ''),
  )
  const isGrouped = texts.filter((text, at) => text !== '' && texts[at + 1] === '').length >= names.length * 0.5
  return isGrouped && following.length === empty ? empty : null
}

const TOTAL_ROW = /^(grand total|total|totalt|summa|delsumma|subtotal|sum)(?![\p{L}\p{N}])/iu
const TOTAL_ROWS_MAX_SHARE = 0.25
const LEADING_COLUMNS = 2

/** Rows that add up others would count them twice: those that say no more than that, or where there are more, those that begin so. */
function suggestDropTotals(input: SuggestionInput): CleaningSuggestion | null {
  const plain = input.rows.filter((cells) => totalRowLabel(cells) !== null).length
  const begun = suggestDropBegun(input)
  if (begun && begun.dropped > plain) return begun.offered
  if (plain === 0 || plain > input.rows.length * TOTAL_ROWS_MAX_SHARE) return null
  return suggestion([{ kind: 'dropTotals' }], { kind: 'removeRows', rows: plain }, input)
}

function suggestDropBegun(input: SuggestionInput): { offered: CleaningSuggestion; dropped: number } | null {
  for (const { index, label, type } of input.columns.slice(0, LEADING_COLUMNS)) {
    if (type !== 'text') continue
    const texts = input.rows.map((cells) => (cells[index] ?? '').trim())
    const totals = texts.filter((text) => TOTAL_ROW.test(text))
    const [first] = totals
    if (first === undefined || totals.length > texts.length * TOTAL_ROWS_MAX_SHARE) continue
    const found = totalsCondition(first, texts)
    if (!found) continue
    const { dropped, when, value } = found
    const steps: CleaningStep[] = [{ kind: 'dropRows', column: label, when, value }]
    return { offered: suggestion(steps, { kind: 'removeRows', rows: dropped }, input), dropped }
  }
  return null
}

/**
 * What tells a total and those like it: how they start, or where another text starts so (“Summaform AB”) all that they are.
 * Null where it is too long to be a heading.
 */
function totalsCondition(
  total: string,
  texts: readonly string[],
): { when: 'startsWith' | 'is'; value: string; dropped: number } | null {
  const word = TOTAL_ROW.exec(total)?.[1] ?? total
  const startAlike = texts.filter((text) => text.toLowerCase().startsWith(word.toLowerCase()))
  if (startAlike.every((text) => TOTAL_ROW.test(text))) {
    const value = word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
    return { when: 'startsWith', value, dropped: startAlike.length }
  }
  if (total.length > SPELLING_MAX_CHARS) return null
  const same = texts.filter((text) => text.toLowerCase() === total.toLowerCase())
  return { when: 'is', value: total, dropped: same.length }
}
