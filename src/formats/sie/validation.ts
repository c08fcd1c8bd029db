import type { FileWarning } from '../../shared/data-sources/files'
import { ExactSum } from './exact-sum'
import { formatUnits, type FiscalYear } from './values'

/** Warnings of one code that are told one by one; the rest is counted. */
const LISTED_MAX = 20

/** Collects warnings without growing with the file. */
export class WarningCollector {
  readonly #told = new Map<FileWarning['code'], { list: FileWarning[]; count: number }>()

  add(code: FileWarning['code'], message: string, line?: number): void {
    const found = this.#told.get(code) ?? { list: [], count: 0 }
    this.#told.set(code, found)
    if (found.count++ < LISTED_MAX) found.list.push(line === undefined ? { code, message } : { code, message, line })
  }

  list(): FileWarning[] {
    return [...this.#told].flatMap(([code, { list, count }]) =>
      count > list.length ? [...list, { code, message: `${count - list.length} more like these.` }] : list,
    )
  }
}

interface AccountSums {
  opening: bigint | null
  closing: bigint | null
  entries: ExactSum
  /** Line of the closing balance, else of the opening one. */
  line: number
}
interface YearSums {
  closing: bigint
  result: bigint
  line: number
}
/** Less than this is rounding by the program that wrote the file: a hundredth. */
const ROUNDING_TOLERANCE = 500_000n
const absolute = (units: bigint): bigint => (units < 0n ? -units : units)

/** The sums that a ledger promises, kept while its records go by. */
export class BalanceChecks {
  readonly #accounts = new Map<string, AccountSums>()
  readonly #years = new Map<number, YearSums>()
  #vouchers = 0

  balance(at: { kind: 'IB' | 'UB' | 'RES'; year: number; account: string; units: bigint; line: number }): void {
    if (at.kind !== 'IB') {
      const year = this.#years.get(at.year) ?? { closing: 0n, result: 0n, line: at.line }
      year[at.kind === 'UB' ? 'closing' : 'result'] += at.units
      this.#years.set(at.year, year)
    }
    if (at.year !== 0 || at.kind === 'RES') return
    const account = this.#account(at.account)
    if (at.kind === 'IB') account.opening = (account.opening ?? 0n) + at.units
    else account.closing = (account.closing ?? 0n) + at.units
    if (at.kind === 'UB' || account.line === 0) account.line = at.line
  }

  voucher(): void {
    this.#vouchers++
  }

  /** What the entries of an account add up to: they are added there. */
  entriesOf(account: string): ExactSum {
    return this.#account(account).entries
  }

  /** Says what does not add up: accounts of this year by the vouchers, years by their balances. */
  report(years: ReadonlyMap<number, FiscalYear>, collector: WarningCollector): void {
    if (this.#vouchers > 0) this.#reportAccounts(collector)
    for (const [number, { closing, result, line }] of this.#years) {
      const sum = closing + result
      if (absolute(sum) < ROUNDING_TOLERANCE) continue
      const name = years.get(number)?.name ?? String(number)
      collector.add(
        'unbalanced_year',
        `Fiscal year ${name}: closing balances (${formatUnits(closing)}) and results (${formatUnits(result)}) differ by ${formatUnits(sum)}; they should add up to 0.`,
        line,
      )
    }
  }

  #reportAccounts(collector: WarningCollector): void {
    for (const [account, { opening, closing, entries, line }] of this.#accounts) {
      if (opening === null && closing === null) continue
      const wanted = (opening ?? 0n) + entries.units
      if (absolute(wanted - (closing ?? 0n)) < ROUNDING_TOLERANCE) continue
      collector.add(
        'unbalanced_year',
        `Account ${account}: opening balance and vouchers add up to ${formatUnits(wanted)}, the closing balance is ${formatUnits(closing ?? 0n)}.`,
        line,
      )
    }
  }

  #account(account: string): AccountSums {
    const found = this.#accounts.get(account) ?? { opening: null, closing: null, entries: new ExactSum(), line: 0 }
    this.#accounts.set(account, found)
    return found
  }
}
