import { ProductError } from '../../shared/errors'
import { toFiscalYear, parseSieDate, type FiscalYear } from './values'
import type { WarningCollector } from './validation'

/** Stands for a year that the file does not tell. */
export const UNKNOWN_YEAR = 'unknown'
const YEARS_MAX = 50
const YEAR_MS = 365.25 * 24 * 3600 * 1000

const endOfFebruary = (year: string): string =>
  parseSieDate(`${year}-02-29`) === null ? `${year}-02-28` : `${year}-02-29`

/** Names of fiscal years: as `#RAR` gives them, else the best that the file allows, with a warning. */
export class FiscalYearResolver {
  readonly #declared: ReadonlyMap<number, FiscalYear>
  readonly #warnings: WarningCollector
  readonly #used = new Map<string, FiscalYear | null>()
  #warned = false

  constructor(declared: ReadonlyMap<number, FiscalYear>, collector: WarningCollector) {
    this.#declared = declared
    this.#warnings = collector
  }

  /** The year of a balance; null when the field is no number of a year. */
  ofBalance(field: string, line: number): string | null {
    if (!/^-?\d{1,2}$/.test(field)) return null
    const number = Number(field)
    const found = this.#declared.get(number) ?? this.#shifted(number)
    if (found) return this.#use(found, line)
    this.#warn('No fiscal year in the file (#RAR). Its balances are kept under “unknown”.', line)
    this.#used.set(UNKNOWN_YEAR, null)
    return UNKNOWN_YEAR
  }

  /** The year of a voucher: this year, else the calendar year of its date. */
  ofVoucher(date: string | null, line: number): string {
    const current = this.#declared.get(0)
    if (current) return this.#use(current, line)
    this.#warn('No fiscal year in the file (#RAR). Vouchers use calendar years.', line)
    if (date !== null) return this.#use(toFiscalYear(`${date.slice(0, 4)}-01-01`, `${date.slice(0, 4)}-12-31`), line)
    this.#used.set(UNKNOWN_YEAR, null)
    return UNKNOWN_YEAR
  }

  /** Years of the file: those that have figures, and those that `#RAR` names. `null` where its dates are not known. */
  all(): [name: string, year: FiscalYear | null][] {
    for (const year of this.#declared.values()) this.#use(year, 1)
    return [...this.#used]
  }

  /** Years that have figures so far. */
  used(): string[] {
    return [...this.#used.keys()]
  }

  /** Year −2 of a file that only names year 0: as many years earlier. */
  #shifted(number: number): FiscalYear | null {
    const current = this.#declared.get(0)
    if (!current) return null
    const length = Date.parse(current.end) - Date.parse(current.start)
    // Only of a full year is it plain what the others are.
    if (Math.abs(length - YEAR_MS) > 3 * 24 * 3600 * 1000) return null
    const move = (date: string): string => {
      const moved = `${Number(date.slice(0, 4)) + number}${date.slice(4)}`
      // A year that ends with February ends on its last day.
      return date.slice(5, 7) === '02' && date === current.end ? endOfFebruary(moved.slice(0, 4)) : moved
    }
    return toFiscalYear(move(current.start), move(current.end))
  }

  /** @throws ProductError when there are far too many: every one has all accounts. */
  #use(year: FiscalYear, line: number): string {
    if (this.#used.has(year.name)) return year.name
    if (this.#used.size >= YEARS_MAX)
      throw new ProductError(
        'too_large',
        { what: 'years', max: YEARS_MAX, line },
        `The file holds more than ${YEARS_MAX} fiscal years (line ${line}). Check its dates, or export fewer years.`,
      )
    this.#used.set(year.name, year)
    return year.name
  }

  #warn(message: string, line: number): void {
    if (!this.#warned) this.#warnings.add('skipped_entry', message, line)
    this.#warned = true
  }
}
