import type { ColumnFormat, ColumnHint } from '../../shared/data-sources/files'
import type { NumberFormat } from './number-format'

/** One filled cell as a sheet gives it. */
export interface SheetValue {
  text: string
  kind: 'text' | 'number' | 'date' | 'boolean'
  format?: NumberFormat
}

/** What a filled cell is, beside its text. */
export interface CellTraits {
  kind: SheetValue['kind']
  format: NumberFormat | undefined
  /** Whether it is text that a number would not give back. */
  isLossy: boolean
}

/** Nearly all numbers of a column: a total below may be written otherwise. */
const FORMAT_MIN_SHARE = 0.9
const SAFE_DIGITS = 15
/** Text that a number would not give back: leading zeros, a plus sign, more digits than a number holds. */
const LOSSY_NUMBER = /^\s*[+-]?(?:0\d|\d{16,})|^\s*\+/

/** Whether a text would not come back from the number that it looks like. */
export const isLossyText = (text: string): boolean => LOSSY_NUMBER.test(text) && /^[\s\d.,+-]+$/.test(text)

interface ColumnTally {
  texts: number
  lossy: number
  others: number
  numbers: number
  percents: number
  durations: number
  currencies: Map<string, number>
}

/** What the kinds and formats of a sheet's cells say of its columns, beyond their texts. */
export class SheetColumnStats {
  private readonly columns: ColumnTally[] = []

  add(column: number, { text, kind, format }: SheetValue): void {
    const isLossy =
      kind === 'text' ? isLossyText(text) : kind === 'number' && text.length > SAFE_DIGITS && /^-?\d{16,}$/.test(text)
    this.count(column, { kind, format, isLossy })
  }

  /** The same of a cell whose text is not at hand. */
  count(column: number, { kind, format, isLossy }: CellTraits): void {
    const facts = this.statsOf(column)
    if (isLossy) facts.lossy++
    if (kind === 'text') facts.texts++
    else if (kind === 'number') {
      facts.numbers++
      if (format === undefined) return
      if (format.kind === 'percent') facts.percents++
      if (format.kind === 'duration') facts.durations++
      if (format.currency !== undefined)
        facts.currencies.set(format.currency, (facts.currencies.get(format.currency) ?? 0) + 1)
    } else facts.others++
  }

  /** Hints for these columns, by their position among them. */
  hints(shown: readonly number[]): ColumnHint[] {
    return shown.flatMap((column, index): ColumnHint[] => {
      const facts = this.columns[column]
      if (!facts) return []
      if (facts.numbers === 0 && facts.others === 0 && facts.lossy > 0) return [{ index, type: 'text' }]
      const format = columnFormatOf(facts)
      return format ? [{ index, format }] : []
    })
  }

  /** Columns that hold any value, from left to right. */
  used(): number[] {
    return this.columns.flatMap((_, column) => [column])
  }

  /** Columns that hold durations. */
  durations(): number[] {
    return this.columns.flatMap((facts, column) => (facts.durations > 0 ? [column] : []))
  }

  private statsOf(column: number): ColumnTally {
    const known = this.columns[column]
    if (known) return known
    const made = { texts: 0, lossy: 0, others: 0, numbers: 0, percents: 0, durations: 0, currencies: new Map() }
    this.columns[column] = made
    return made
  }
}

function columnFormatOf({ numbers, percents, currencies }: ColumnTally): ColumnFormat | null {
  if (numbers === 0) return null
  if (percents >= numbers * FORMAT_MIN_SHARE) return { style: 'percent' }
  const [currency] = currencies
  if (currency && currencies.size === 1 && currency[1] >= numbers * FORMAT_MIN_SHARE)
    return { style: 'currency', currency: currency[0] }
  return null
}

/** A row of a sheet: cells by column, nulls where nothing stands. */
export interface SheetRow {
  line: number
  cells: (SheetValue | null)[]
}
