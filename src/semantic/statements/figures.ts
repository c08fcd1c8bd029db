import type { ColumnKey } from '../../shared/data-sources/files'
import type { LedgerTables } from '../../shared/statements/ledger-tables'
import type { Cell, QueryResult } from '../../shared/query/result'
import { lastActiveMonth } from './columns'
import { accountNamesPlan, entriesBeforePlan, entriesPlan, objectsPlan, periodsPlan } from './ledger-plans'
import { clamp, firstDayOf, lastDayOf, monthOf } from './months'
import { allRows, type AskPlan, type BookYear, type LedgerOutline } from './outline'
import { toUnits } from './units'

/** What an account moved: the sum, and what of it was debited (null where only the sum is known). Debit positive. */
export interface Movement {
  amount: bigint
  debit: bigint | null
}
/** Figures of one fiscal year, debit positive. */
export interface YearFigures {
  year: BookYear
  /** Null where neither the books nor an earlier year say what it began with. */
  opening: Map<string, bigint> | null
  /** By month and account; empty where only the year is known. */
  months: Map<number, Map<string, Movement>>
  /** Of a year that is known as a whole: what accounts moved in it. */
  whole: Map<string, bigint> | null
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

  /** Figures of a year; what it began with is looked up in the year before where the books do not say. */
  async year(year: BookYear, object?: { key: ColumnKey; value: string }): Promise<YearFigures> {
    const [opening, months] = await Promise.all([this.#opening(year), this.#months(year, object)])
    return { year, opening, months, whole: year.detail === 'year' ? this.#whole(year) : null }
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
      addMovement(months, year, { account, month, amount, debit: toUnits(debit) })
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
      for (const [account, day, amount] of rows) {
        const month = monthOf(day)
        if (month === null) continue
        const own = months.get(month) ?? new Map<string, bigint>()
        months.set(month, own)
        addTo(own, accountOf(account), toUnits(amount))
      }
    }
    return months
  }

  #partOf(year: BookYear): { company: string | null; year?: string; days?: { from: string; to: string } } {
    if (this.#tables.entries?.year != null) return { company: this.#company, year: year.name }
    return { company: this.#company, days: { from: firstDayOf(year.from), to: lastDayOf(year.to) } }
  }

  async #months(
    year: BookYear,
    object: { key: ColumnKey; value: string } | undefined,
  ): Promise<Map<number, Map<string, Movement>>> {
    const months = new Map<number, Map<string, Movement>>()
    const { entries, periods } = this.#tables
    if (year.detail === 'entries' && entries) {
      const { rows } = await allRows(this.#ask, entriesPlan(entries, { ...this.#partOf(year), object }))
      for (const [account, month, amount, debit] of rows)
        addMovement(months, year, { account, month, amount, debit: toUnits(debit) })
    } else if (year.detail === 'months' && periods) {
      const part = { company: this.#company, year: year.name }
      const { rows } = await allRows(this.#ask, periodsPlan(periods, part))
      for (const [account, month, amount] of rows) addMovement(months, year, { account, month, amount, debit: null })
    }
    return months
  }

  /** What accounts moved in a year of which only balances are known: closing less opening, and the result. */
  #whole(year: BookYear): Map<string, bigint> {
    const moved = new Map<string, bigint>()
    const stated = this.#outline.stated.get(year.name)
    for (const [account, amount] of stated?.closing ?? []) addTo(moved, account, amount)
    for (const [account, amount] of stated?.opening ?? []) addTo(moved, account, -amount)
    for (const [account, amount] of stated?.result ?? []) addTo(moved, account, amount)
    return moved
  }

  async #opening(year: BookYear): Promise<Map<string, bigint> | null> {
    const { entries } = this.#tables
    const { stated, years } = this.#outline
    const own = stated.get(year.name)?.opening
    if (own && own.size > 0) return own
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

interface MovementRow {
  account: Cell | undefined
  month: Cell | undefined
  amount: Cell | undefined
  /** Null: only the sum is known. */
  debit: bigint | null
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
    debit: debit === null || known?.debit === null ? null : (known?.debit ?? 0n) + debit,
  })
}
