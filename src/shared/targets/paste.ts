import { periodStart, type TargetGrain } from './periods'
import { formatTargetUnits, toTargetUnits } from './spread'
import { TARGET_CELLS_MAX, TARGET_DECIMALS } from './targets'

/** One line that could not be read, by its number in what was pasted. */
export interface PasteError {
  line: number
  message: string
}
interface PastedCell {
  /** Null: the whole. */
  member: string | null
  period: string
  value: string
}
export interface PasteResult {
  cells: PastedCell[]
  faults: PasteError[]
}
export interface PasteOptions {
  grain: TargetGrain
  fiscalYearStart: number
  /** Whether a first column names members; a table with a heading of periods has one too. */
  byMember: boolean
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Swedish, Norwegian, Danish, German and Finnish forms that differ. */
const FOREIGN_MONTHS: Record<string, number> = {
  ...{ maj: 5, mai: 5, okt: 10, dez: 12, des: 12, mär: 3, mrz: 3 },
  ...{ tam: 1, hel: 2, maa: 3, huh: 4, tou: 5, kes: 6, hei: 7, elo: 8, syy: 9, lok: 10, mar: 3 },
}

/** A period as people write it: `2026-03`, `2026-03-01`, `Mar 2026`, `03/2026`, `Q1 2026`, `2026Q1`, `2026`. Null: none. */
export function parsePeriod(text: string, { grain, fiscalYearStart }: Omit<PasteOptions, 'byMember'>): string | null {
  const found = parseFirstDay(text.trim().toLowerCase().replaceAll('.', ''), fiscalYearStart, grain)
  return found === null ? null : periodStart(found, { grain, fiscalYearStart })
}

function parseFirstDay(text: string, fiscalYearStart: number, grain: TargetGrain): string | null {
  const iso = /^(\d{4})[-/](\d{1,2})(?:[-/]\d{1,2})?$/.exec(text)
  if (iso) return firstOfMonth(iso[1], Number(iso[2]))
  const slashed = /^(\d{1,2})[-/](\d{4})$/.exec(text)
  if (slashed) return firstOfMonth(slashed[2], Number(slashed[1]))
  const quarter = /^q([1-4])[ /-]?(\d{4})$/.exec(text) ?? swapGroups(/^(\d{4})[ /-]?q([1-4])$/.exec(text))
  if (quarter) return firstOfQuarter(quarter[2], Number(quarter[1]), grain === 'fiscalQuarter' ? fiscalYearStart : 1)
  const year = /^(?:fy ?)?(\d{4})(?:[/-]\d{2})?$/.exec(text)
  if (year) return firstOfMonth(year[1], grain === 'fiscalYear' || grain === 'fiscalQuarter' ? fiscalYearStart : 1)
  const named = /^(\p{L}{3})\p{L}*[ -]?'?(\d{2}|\d{4})$/u.exec(text)
  if (!named) return null
  const name = named[1] ?? ''
  const month = MONTHS.includes(name) ? MONTHS.indexOf(name) + 1 : FOREIGN_MONTHS[name]
  const digits = named[2] ?? ''
  return month === undefined ? null : firstOfMonth(digits.length === 2 ? `20${digits}` : digits, month)
}
const swapGroups = (found: RegExpExecArray | null): (string | undefined)[] | null =>
  found && [found[0], found[2], found[1]]
function firstOfQuarter(year: string | undefined, quarter: number, start: number): string | null {
  const months = start - 1 + (quarter - 1) * 3
  return firstOfMonth(String(Number(year) + Math.floor(months / 12)), (months % 12) + 1)
}
const firstOfMonth = (year: string | undefined, month: number): string | null =>
  year !== undefined && month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}-01` : null

/**
 * A number as spreadsheets copy it: `1 234,50`, `1,234.50`, `1.234,50`, `−5`, `12 kr`. What stands alone as `1,234` or
 * `1.234` is read by the mark that the rest of the paste uses. Null: none, or more decimals than a target keeps.
 */
export function parseAmount(text: string, decimalMark: ',' | '.' | null): string | null {
  const bare = text
    .replaceAll(/[\s\u00a0\u202f']/g, '')
    .replaceAll('\u2212', '-')
    .replace(/^(\D*?)(-?)(\d)/, '$2$3')
    .replace(/[^\d.,]+$/, '')
  if (!/^-?\d[\d.,]*$/.test(bare)) return null
  const mark = decimalMarkOf(bare) ?? decimalMark
  const plain = mark === ',' ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '')
  if (!/^-?\d{1,15}(\.\d*)?$/.test(plain)) return null
  const decimals = plain.split('.')[1]?.replace(/0+$/, '').length ?? 0
  return decimals > TARGET_DECIMALS ? null : formatTargetUnits(toTargetUnits(plain.replace(/\.$/, '')))
}

/** The decimal mark that a number says by itself; null where it could be either, or there is none. */
function decimalMarkOf(text: string): ',' | '.' | null {
  const [comma, dot] = [text.lastIndexOf(','), text.lastIndexOf('.')]
  if (comma >= 0 && dot >= 0) return comma > dot ? ',' : '.'
  if (comma < 0 && dot < 0) return null
  const mark = comma >= 0 ? ',' : '.'
  const parts = text.split(mark)
  // Several of one mark group digits: the other one would stand for decimals.
  if (parts.length > 2) return mark === ',' ? '.' : ','
  return parts[1]?.length === 3 ? null : mark
}

/** Whether all numbers of a paste that say it agree on a decimal mark. */
function commonDecimalMark(cells: readonly string[]): ',' | '.' | null {
  const marks = new Set(
    cells.flatMap((cell) => (/\d/.test(cell) ? (decimalMarkOf(cell.replaceAll(/[^\d.,-]/g, '')) ?? []) : [])),
  )
  return marks.size === 1 ? ([...marks][0] ?? null) : null
}

/**
 * Reads what was copied from a spreadsheet or a CSV: lines of `period, amount`, of `member, period, amount`, or a table
 * with periods in its heading. Separated by tabs, semicolons or, where neither is there, commas. Every line that cannot be
 * read is named.
 */
export function parsePaste(text: string, rules: PasteOptions): PasteResult {
  const lines = text.split(/\r\n|\r|\n/).map((line, index) => ({ line: index + 1, text: line }))
  const filled = lines.filter((one) => one.text.trim() !== '')
  const separator = filled.some((one) => one.text.includes('\t'))
    ? '\t'
    : filled.some((one) => one.text.includes(';'))
      ? ';'
      : ','
  const rows = filled.map(({ line, text: raw }) => ({ line, cells: splitCells(raw, separator) }))
  const [head, ...rest] = rows
  if (!head) return { cells: [], faults: [{ line: 1, message: 'Enter at least one line.' }] }
  const mark = separator === ',' ? '.' : commonDecimalMark(rows.flatMap(({ cells }) => cells))
  const wide = head.cells.slice(1).filter((cell) => parsePeriod(cell, rules) !== null).length
  const at = { ...rules, mark }
  const found = wide >= 1 && head.cells.length > 2 ? parseWideTable(head, rest, at) : parseLongTable(rows, at)
  return found.cells.length > TARGET_CELLS_MAX
    ? { cells: [], faults: [{ line: 1, message: `Enter at most ${TARGET_CELLS_MAX} figures.` }] }
    : rejectDuplicates(found)
}

const splitCells = (line: string, separator: string): string[] =>
  line.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
      .trim(),
  )

interface PastedRow {
  line: number
  cells: string[]
}
type PasteContext = PasteOptions & { mark: ',' | '.' | null }

function parseWideTable(head: PastedRow, rows: readonly PastedRow[], context: PasteContext): PasteResult {
  const periods = head.cells.slice(1).map((cell) => parsePeriod(cell, context))
  const bad = head.cells.slice(1).filter((cell, index) => cell !== '' && periods[index] === null)
  const faults: PasteError[] = bad.map((cell) => ({ line: head.line, message: `Enter a period instead of “${cell}”.` }))
  const cells: PastedCell[] = []
  for (const { line, cells: row } of rows) {
    const [name = '', ...amounts] = row
    amounts.forEach((amount, index) => {
      const period = periods[index]
      if (amount === '' || typeof period !== 'string') return
      const value = parseAmount(amount, context.mark)
      if (value === null) faults.push({ line, message: notANumber(amount) })
      else cells.push({ member: context.byMember ? name : null, period, value })
    })
  }
  return { cells, faults }
}

const notANumber = (text: string): string => `“${text}” isn’t a number with at most ${TARGET_DECIMALS} decimals.`

function parseLongTable(rows: readonly PastedRow[], context: PasteContext): PasteResult {
  const cells: PastedCell[] = []
  const faults: PasteError[] = []
  rows.forEach(({ line, cells: row }, index) => {
    const given = context.byMember ? row : ['', ...row]
    const [member = '', when = '', amount = ''] = given
    const period = parsePeriod(when, context)
    const value = parseAmount(amount, context.mark)
    // A first line without a period is its heading.
    if (index === 0 && period === null && value === null) return
    if (given.length < 3)
      faults.push({
        line,
        message: context.byMember ? 'Enter an item, a period and an amount.' : 'Enter a period and an amount.',
      })
    else if (period === null) faults.push({ line, message: `Enter a period instead of “${when}”.` })
    else if (value === null) faults.push({ line, message: notANumber(amount) })
    else cells.push({ member: context.byMember ? member : null, period, value })
  })
  return { cells, faults }
}

/** A period that stands twice is a mistake: nobody knows which one counts. */
function rejectDuplicates({ cells, faults }: PasteResult): PasteResult {
  const seen = new Set<string>()
  for (const { member, period } of cells) {
    const key = `${member ?? ''}\n${period}`
    if (seen.has(key))
      return {
        cells,
        faults: [
          ...faults,
          { line: 1, message: `Enter ${period.slice(0, 7)} once${member === null ? '' : ` for ${member}`}.` },
        ],
      }
    seen.add(key)
  }
  return { cells, faults }
}
