import {
  BAS_RANGES,
  lineOfAccount,
  STATEMENT_LINES,
  type AccountRange,
  type StatementLine,
} from '../../shared/account-classes'
import type { YearFigures } from './figures'
import type { Movement, Span } from './months'
import type { StatedBalances } from './outline'

/** The line of an account, or which statement one without a line belongs to. */
export type AccountLine = StatementLine | 'unclassifiedIncome' | 'unclassifiedBalance'

const LINE_STATEMENTS = new Map(STATEMENT_LINES.map(({ id, statement }) => [id, statement]))
export const isBalanceLine = (line: AccountLine): boolean =>
  line === 'unclassifiedBalance' || (line !== 'unclassifiedIncome' && LINE_STATEMENTS.get(line) === 'balance')

/**
 * Whether the books themselves put an account in the balance sheet: it is carried from year to year, and never a result
 * where others are.
 */
const isCarried = (account: string, years: readonly StatedBalances[]): boolean =>
  !years.some(({ result }) => result.has(account)) &&
  years.some(({ opening, closing, result }) => opening.has(account) && closing.has(account) && result.size > 0)

/**
 * What accounts belong to. One in no range stays visible: it belongs to the statement that the books themselves put it
 * in (a closing balance or a result), else by its first digit, classes 1 and 2 of the BAS chart being the balance sheet.
 * So does one that the usual range has among income though the books carry its balance from year to year.
 */
export function accountClassifier(
  ranges: readonly AccountRange[],
  stated: ReadonlyMap<string, StatedBalances>,
): (account: string) => AccountLine {
  const years = [...stated.values()]
  const known = new Map<string, AccountLine>()
  const classify = (account: string): AccountLine => {
    const line = lineOfAccount(account, ranges)
    const isUsual = line !== null && line === lineOfAccount(account, BAS_RANGES)
    if (line && !(isUsual && !isBalanceLine(line) && isCarried(account, years))) return line
    if (years.some(({ opening, closing }) => opening.has(account) || closing.has(account))) return 'unclassifiedBalance'
    if (years.some(({ result }) => result.has(account))) return 'unclassifiedIncome'
    return /^[12]/.test(account) ? 'unclassifiedBalance' : 'unclassifiedIncome'
  }
  return (account) => {
    const line = known.get(account) ?? classify(account)
    known.set(account, line)
    return line
  }
}

/** Figures of one account in one column, debit positive. */
export interface AccountFact {
  opening: bigint
  change: bigint
  /** Since the beginning of the fiscal year that the span ends in. */
  yearToDate: bigint
  closing: bigint
  /** Of the change, what was debited; null where only sums are known. */
  debit: bigint | null
}
export type ColumnFacts = ReadonlyMap<string, AccountFact>

const overlaps = (a: Span, b: Span): boolean => a.from <= b.to && b.from <= a.to

/** What the books say of spans of months. */
export class Books {
  readonly years: readonly YearFigures[]

  constructor(years: readonly YearFigures[]) {
    this.years = years
  }

  yearOf(month: number): YearFigures | undefined {
    return this.years.find(({ year }) => year.from <= month && month <= year.to)
  }

  /**
   * Figures of a span. Null where a month of it is not known: outside the fiscal years, or inside a year of which only
   * balances are there.
   */
  facts(span: Span): ColumnFacts | null {
    const within = this.years.filter(({ year }) => overlaps(year, span))
    const [first, last] = [this.yearOf(span.from), this.yearOf(span.to)]
    const covered = within.reduce(
      (sum, { year }) => sum + Math.min(year.to, span.to) - Math.max(year.from, span.from) + 1,
      0,
    )
    const isWhole = ({ year, whole }: YearFigures): boolean =>
      whole === null || (year.from >= span.from && year.to <= span.to)
    if (!first || !last || covered < span.to - span.from + 1 || !within.every(isWhole)) return null
    const facts = new Map<string, AccountFact>()
    const of = (account: string): AccountFact => {
      const fact = facts.get(account) ?? { opening: 0n, change: 0n, yearToDate: 0n, closing: 0n, debit: 0n }
      facts.set(account, fact)
      return fact
    }
    const each = (of_: YearFigures, months: Span, add: (account: string, movement: Movement) => void): void => {
      for (const [account, amount] of of_.whole ?? []) add(account, { amount, debit: null })
      for (const [month, accounts] of of_.months)
        if (months.from <= month && month <= months.to) for (const [account, moved] of accounts) add(account, moved)
    }
    for (const [account, amount] of first.opening ?? []) of(account).opening += amount
    if (first.whole === null)
      each(first, { from: first.year.from, to: span.from - 1 }, (account, { amount }) => {
        of(account).opening += amount
      })
    for (const year of within)
      each(year, span, (account, { amount, debit }) => {
        const fact = of(account)
        fact.change += amount
        fact.debit = fact.debit === null || debit === null ? null : fact.debit + debit
      })
    for (const [account, amount] of last.opening ?? []) of(account).closing += amount
    each(last, { from: last.year.from, to: span.to }, (account, { amount }) => {
      const fact = of(account)
      fact.yearToDate += amount
      fact.closing += amount
    })
    return facts
  }
}
