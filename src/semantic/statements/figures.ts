import type { ColumnKey } from '../../shared/data-sources/files'
import type { LedgerTables } from '../../shared/statements/ledger-tables'
import type { Cell, QueryResult } from '../../shared/query/result'
import { lastActiveMonth } from './columns'
import { accountNamesPlan, entriesBeforePlan, entriesPlan, objectsPlan, periodsPlan } from './ledger-plans'
import { clamp, firstDayOf, lastDayOf, monthOf, type Movement } from './months'
import { allRows, type AskPlan, type BookYear, type LedgerOutline, type StatedBalances } from './outline'
import { addBudgets, movementsOfPeriods } from './period-balances'
import { toUnits } from './units'

/** Figures of one fiscal year, debit positive. */
export interface YearFigures {
  year: BookYear
  /** Null where neither the books nor an earlier year say what it began with. */
  opening: Map<string, bigint> | null
  /** By month and account; empty where only the year is known. */
  months: Map<number, Map<string, Movement>>
  /** Of a year that is known as a whole: what accounts moved in it. */
  whole: Map<string, bigint> | null
  /** Accounts whose months do not come to the year's balance: the rest stands in the last month with figures. */
  completed: string[]
}
export interface Figures {
  years: YearFigures[]
  budget: Map<number, Map<string, bigint>> | null
  names: Map<string, string>
}

const accountOf = (cell: Cell | undefined): string => (cell === null || cell === undefined ? '' : String(cell))
const namesOf = ({ columns }: QueryResult): Map<string, string> => new Map(Object.entries(columns[0]?.names?.of ?? {}))
const addTo = (map: Map<string, bigint>, key: string, amount: bigint): void =>
  void map.set(key, (map.get(key) ?? 0n) + amount)

/** Reads figures of some fiscal years of one company. */
export class FigureReader {
  readonly #ask: AskPlan
  readonly #tables: LedgerTables
  readonly #outline: LedgerOutline

  constructor(ask: AskPlan, tables: LedgerTables, outline: LedgerOutline) {
    this.#ask = ask
    this.#tables = tables
    this.#outline = outline
  }

  get #company(): string | null {
    return this.#outline.company.id
  }

  /** What accounts are called. */
  async names(): Promise<Map<string, string>> {
    const plan = accountNamesPlan(this.#tables, { company: this.#company })
    return plan ? namesOf((await allRows(this.#ask, plan)).result) : new Map()
  }

  /** Values of a dimension; '' stands for entries without one. */
  async objects(key: ColumnKey): Promise<{ key: string; name: string | null }[]> {
    const { entries } = this.#tables
    if (!entries) return []
    const plan = objectsPlan(entries, key, { company: this.#company })
    const { rows, result } = await allRows(this.#ask, plan)
    const names = namesOf(result)
    return rows.map(([cell]) => ({ key: accountOf(cell), name: names.get(accountOf(cell)) ?? null }))
  }

  /** Figures of a year, of which the books need not say what it began with. */
  async year(year: BookYear, object?: { key: ColumnKey; value: string }): Promise<YearFigures> {
    const stated = this.#outline.stated.get(year.name)
    const ownOpening = stated && stated.opening.size > 0 ? stated.opening : null
    const rows = await this.#rows(year, object)
    const { months, completed } =
      year.detail === 'months'
        ? movementsOfPeriods(rows, { year, opening: ownOpening, stated })
        : { months: movementsOfEntries(rows, year), completed: [] }
    const worksBack = year.detail !== 'year' && stated !== undefined && stated.closing.size > 0 && !object
    const opening = ownOpening ?? (worksBack ? openingBefore(stated.closing, months) : await this.#openingOf(year))
    const whole = year.detail === 'year' && stated ? movedInYear(stated, opening) : null
    return { year, opening, months, completed, whole }
  }

  /** Movements of a year's entries by object of a dimension. */
  async byObject(year: BookYear, by: ColumnKey): Promise<Map<string, Map<number, Map<string, Movement>>>> {
    const objects = new Map<string, Map<number, Map<string, Movement>>>()
    const { entries } = this.#tables
    if (!entries || year.detail !== 'entries') return objects
    const { rows } = await allRows(this.#ask, entriesPlan(entries, { ...this.#partOf(year), by }))
    for (const [account, month, object, amount, debit] of rows) {
      const months = objects.get(accountOf(object)) ?? new Map<number, Map<string, Movement>>()
      objects.set(accountOf(object), months)
      addMovement(months, year, { account, month, amount, debit })
    }
    return objects
  }

  /** Budgets by month; null without any. */
  async budget(years: readonly BookYear[]): Promise<Map<number, Map<string, bigint>> | null> {
    const { budget } = this.#tables
    const { budgetYears } = this.#outline
    if (!budget || budgetYears.size === 0) return null
    const named = years.filter(({ name }) => budgetYears.has(name))
    const parts = budgetYears.has('') ? [undefined] : named.map(({ name }) => name)
    const months = new Map<number, Map<string, bigint>>()
    for (const year of parts) {
      const { rows } = await allRows(this.#ask, periodsPlan(budget, { company: this.#company, year }))
      addBudgets(months, rows)
    }
    return months
  }

  #partOf(year: BookYear): { company: string | null; year?: string; days?: { from: string; to: string } } {
    if (this.#tables.entries?.year != null) return { company: this.#company, year: year.name }
    return { company: this.#company, days: { from: firstDayOf(year.from), to: lastDayOf(year.to) } }
  }

  /** Sums by account and month: of entries, or of period balances. */
  async #rows(year: BookYear, object: { key: ColumnKey; value: string } | undefined): Promise<Cell[][]> {
    const { entries, periods } = this.#tables
    if (year.detail === 'entries' && entries)
      return (await allRows(this.#ask, entriesPlan(entries, { ...this.#partOf(year), object }))).rows
    if (year.detail === 'months' && periods)
      return (await allRows(this.#ask, periodsPlan(periods, { company: this.#company, year: year.name }))).rows
    return []
  }

  /** What a year began with by earlier entries, or by the year before; null where neither is there. */
  async #openingOf(year: BookYear): Promise<Map<string, bigint> | null> {
    const { entries } = this.#tables
    const { stated, years } = this.#outline
    if (entries && entries.year === null) {
      if (year === years[0]) return null
      const before = firstDayOf(year.from)
      const { rows } = await allRows(this.#ask, entriesBeforePlan(entries, { company: this.#company, before }))
      return new Map(rows.map(([account, amount]) => [accountOf(account), toUnits(amount)]))
    }
    const before = years.find(({ to }) => to === year.from - 1)
    if (!before) return null
    const closed = stated.get(before.name)?.closing
    if (closed && closed.size > 0) return closed
    const earlier = await this.year(before)
    if (earlier.opening === null) return null
    const closing = new Map(earlier.opening)
    for (const month of earlier.months.values())
      for (const [account, { amount }] of month) addTo(closing, account, amount)
    return closing
  }
}

/** What accounts moved in a year of which only balances are known: closing less opening, and the result. */
function movedInYear(
  { closing, result }: StatedBalances,
  opening: ReadonlyMap<string, bigint> | null,
): Map<string, bigint> {
  const moved = new Map<string, bigint>()
  for (const [account, amount] of closing) addTo(moved, account, amount)
  for (const [account, amount] of opening ?? []) addTo(moved, account, -amount)
  for (const [account, amount] of result) addTo(moved, account, amount)
  return moved
}

/** What accounts began with by what they closed with: closing less what moved. Accounts of profit and loss have no closing. */
function openingBefore(closing: ReadonlyMap<string, bigint>, months: YearFigures['months']): Map<string, bigint> {
  const opening = new Map(closing)
  for (const accounts of months.values()) for (const [account, { amount }] of accounts) addTo(opening, account, -amount)
  return opening
}

interface MovementRow {
  account: Cell | undefined
  month: Cell | undefined
  amount: Cell | undefined
  debit: Cell | undefined
}

/** A day outside its fiscal year counts in the year's nearest month; one that is missing in the last with figures. */
function addMovement(
  months: Map<number, Map<string, Movement>>,
  year: BookYear,
  { account, month, amount, debit }: MovementRow,
): void {
  const at = clamp(monthOf(month) ?? lastActiveMonth(year), year)
  const accounts = months.get(at) ?? new Map<string, Movement>()
  months.set(at, accounts)
  const known = accounts.get(accountOf(account))
  accounts.set(accountOf(account), {
    amount: (known?.amount ?? 0n) + toUnits(amount),
    debit: (known?.debit ?? 0n) + toUnits(debit),
  })
}

function movementsOfEntries(rows: readonly Cell[][], year: BookYear): YearFigures['months'] {
  const months: YearFigures['months'] = new Map()
  for (const [account, month, amount, debit] of rows) addMovement(months, year, { account, month, amount, debit })
  return months
}
