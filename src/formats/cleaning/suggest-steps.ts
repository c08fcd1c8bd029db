import { parseMonthName, parseYearMonth } from './parse-period'
import { changeCase } from './step-runners'
import {
  LETTER_CASES,
  type CleaningStep,
  type CleaningSuggestion,
  type LetterCase,
} from '../../shared/data-sources/cleaning'
import type { FileColumn } from '../../shared/data-sources/files'

/** The first rows of a table, below its columns. */
interface SuggestionInput {
  columns: readonly FileColumn[]
  rows: readonly string[][]
  fileName: string
}

/** Steps that the rows call for, each with what it would do to the rows that were read. */
export function suggestSteps(input: SuggestionInput): CleaningSuggestion[] {
  if (input.rows.length === 0) return []
  const unpivot = suggestUnpivot(input)
  return [suggestDropTotals(input), suggestFillDown(input), unpivot, suggestTrim(input), ...suggestCases(input)].filter(
    (suggestion) => suggestion !== null,
  )
}

const countOf = (n: number, one: string): string => (n === 1 ? `1 ${one}` : `${n} ${one}s`)

const OUTER_BLANK = /^\s|\s$/
function suggestTrim({ columns, rows }: SuggestionInput): CleaningSuggestion | null {
  let changed = 0
  for (const cells of rows)
    for (const { index, type } of columns) if (type === 'text' && OUTER_BLANK.test(cells[index] ?? '')) changed++
  if (changed === 0) return null
  return {
    steps: [{ kind: 'trim', columns: [], inner: false }],
    effect: `Changes ${countOf(changed, 'cell')}.`,
  }
}

/** Columns of so many different texts are names of things that nobody groups by. */
const SPELLINGS_MAX = 200
const CASE_SUGGESTIONS_MAX = 3

function suggestCases({ columns, rows }: SuggestionInput): CleaningSuggestion[] {
  return columns
    .filter(({ type, role }) => type === 'text' && role === 'dimension')
    .flatMap((column) => suggestCase(column, rows) ?? [])
    .slice(0, CASE_SUGGESTIONS_MAX)
}

function suggestCase({ index, label }: FileColumn, rows: readonly string[][]): CleaningSuggestion | null {
  const counts = new Map<string, number>()
  for (const cells of rows) {
    const text = (cells[index] ?? '').trim()
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
    if (counts.size > SPELLINGS_MAX) return null
  }
  const spellings = [...counts]
  const words = new Set(spellings.map(([text]) => text.toLowerCase()))
  const doubled = counts.size - words.size
  if (doubled === 0) return null
  // The case in which most cells are already.
  const fitOf = (to: LetterCase): number =>
    spellings.reduce((sum, [text, count]) => sum + (changeCase(text, to) === text ? count : 0), 0)
  const to = LETTER_CASES.toSorted((a, b) => fitOf(b) - fitOf(a))[0] ?? 'title'
  return {
    steps: [{ kind: 'case', columns: [label], to }],
    effect: `“${label}”: ${countOf(counts.size, 'spelling')} of ${countOf(words.size, 'value')}.`,
  }
}

const YEAR = /^(19|20)\d\d$/
const QUARTER = /^(?:(19|20)\d\d ?)?(?:q|kv|kvartal |quarter )[1-4](?: ?(19|20)\d\d)?$/i
const TOTAL_HEADING = /^(grand )?(total|totalt|totalen|summa|sum|helår|full year|year total|ytd|ack|ackumulerat)\b/i
type PeriodKind = 'yearMonth' | 'month' | 'quarter' | 'year'
const PERIODS: readonly { kind: PeriodKind; label: string; least: number; is: (heading: string) => boolean }[] = [
  { kind: 'yearMonth', label: 'Month', least: 2, is: (heading) => isPlausible(parseYearMonth(heading)?.year) },
  { kind: 'month', label: 'Month', least: 3, is: (heading) => parseMonthName(heading) !== null },
  { kind: 'quarter', label: 'Quarter', least: 2, is: (heading) => QUARTER.test(heading.trim()) },
  { kind: 'year', label: 'Year', least: 2, is: (heading) => YEAR.test(heading.trim()) },
]
const isPlausible = (year: number | undefined): boolean => year !== undefined && year >= 1900 && year <= 2200

/** Columns that are called like periods and hold figures belong below each other. */
function suggestUnpivot({ columns, rows, fileName }: SuggestionInput): CleaningSuggestion | null {
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
  return {
    steps: [unpivot, ...parseSteps(period.kind, nameColumn, fileName)],
    effect: `${countOf(turned.length, `${period.label.toLowerCase()} column`)}: ${countOf(rows.length, 'row')} become ${filled}.`,
  }
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
function suggestFillDown({ columns, rows }: SuggestionInput): CleaningSuggestion | null {
  const gaps = columns
    .slice(0, GROUP_COLUMNS_MAX)
    .filter(({ type }) => type === 'text')
    .flatMap((column) => {
      const empty = groupGaps(column.index, rows)
      return empty === null ? [] : [{ label: column.label, empty }]
    })
  if (gaps.length === 0) return null
  const filled = gaps.reduce((sum, { empty }) => sum + empty, 0)
  return {
    steps: [{ kind: 'fillDown', columns: gaps.map(({ label }) => label) }],
    effect: `Fills ${countOf(filled, 'empty cell')}.`,
  }
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

const TOTAL_ROW = /^(grand total|total|totalt|summa|delsumma|subtotal|sum)\b/i
const TOTAL_ROWS_MAX_SHARE = 0.25
const LEADING_COLUMNS = 2

/** Rows that add up others would count them twice. */
function suggestDropTotals({ columns, rows }: SuggestionInput): CleaningSuggestion | null {
  for (const { index, label, type } of columns.slice(0, LEADING_COLUMNS)) {
    if (type !== 'text') continue
    const words = rows.flatMap((cells) => TOTAL_ROW.exec((cells[index] ?? '').trim())?.[1] ?? [])
    const [word] = words
    if (word === undefined || words.length > rows.length * TOTAL_ROWS_MAX_SHARE) continue
    const dropped = rows.filter((cells) =>
      (cells[index] ?? '').trim().toLowerCase().startsWith(word.toLowerCase()),
    ).length
    const value = word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
    return {
      steps: [{ kind: 'dropRows', column: label, when: 'startsWith', value }],
      effect: `Removes ${countOf(dropped, 'row')}.`,
    }
  }
  return null
}
