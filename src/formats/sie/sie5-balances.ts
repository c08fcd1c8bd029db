import { ProductError } from '../../shared/errors'
import type { SieField } from './tokenizer'
import { decimalText, parseSieAmount } from './values'

/** A fiscal year of SIE 5, in months (`2025-01`), with its number in SIE 4. */
export interface Sie5Year {
  start: string
  end: string
  number: number
}

interface Figure {
  month: string
  amount: string
  quantity: string
  /** Pairs of dimension and object. */
  objects: readonly string[]
}
interface MonthFigures {
  month: string
  objects: readonly string[]
  opening?: Figure
  closing?: Figure
}
interface BalanceRecord {
  label: string
  fields: SieField[]
}

/** Months, dimensions and objects of one account, and the characters of their names: far more than any ledger has. */
const FIGURES_MAX = 50_000
const NAMES_MAX_CHARS = 4 * 1024 * 1024

/**
 * Balances of one account, which SIE 5 gives by month. The opening of a fiscal year's first month is its opening balance,
 * the closing of its last month that has one its closing balance (or outcome), and what a month opens and closes with makes
 * what the account moved in it.
 */
export class Sie5Balances {
  readonly #byMonth = new Map<string, MonthFigures>()
  #nameChars = 0

  constructor(
    private readonly account: string,
    private readonly years: readonly Sie5Year[],
    private readonly isOutcome: boolean,
  ) {}

  /** @throws ProductError for far too many. */
  add(kind: 'opening' | 'closing', figure: Figure, line: number): void {
    const key = [figure.month, ...figure.objects].join('\u0000')
    const known = this.#byMonth.get(key) ?? { month: figure.month, objects: figure.objects }
    this.#nameChars += key.length
    if (this.#byMonth.size >= FIGURES_MAX || this.#nameChars > NAMES_MAX_CHARS)
      throw new ProductError(
        'too_large',
        { what: 'balances', max: FIGURES_MAX, line },
        `Account ${this.account.slice(0, 40)} has more than ${FIGURES_MAX.toLocaleString('en-US')} balances (line ${line}). Export a shorter period.`,
      )
    this.#byMonth.set(key, { ...known, [kind]: figure })
  }

  budget({ month, objects, amount, quantity }: Figure): BalanceRecord {
    // Without a month it is of the whole year that the file is about.
    const year = month === '' ? '0' : this.#yearField(month)
    return { label: 'PBUDGET', fields: [year, month.replace('-', ''), this.account, [...objects], amount, quantity] }
  }

  /** What the account's balances are in SIE 4. */
  records(): BalanceRecord[] {
    const found: BalanceRecord[] = []
    const last = new Map<string, MonthFigures>()
    for (const figures of this.#byMonth.values()) {
      const { month, objects, opening, closing } = figures
      const year = this.years.find(({ start, end }) => start <= month && month <= end)
      if (opening && (!year || year.start === month)) found.push(this.#balance('IB', opening))
      if (opening && closing) found.push(this.#movement(opening, closing))
      if (!closing) continue
      const key = [year?.number ?? month, ...objects].join('\u0000')
      if ((last.get(key)?.month ?? '') <= month) last.set(key, figures)
    }
    for (const { closing } of last.values())
      if (closing) found.push(this.#balance(this.isOutcome ? 'RES' : 'UB', closing))
    return found
  }

  #balance(label: string, { month, objects, amount, quantity }: Figure): BalanceRecord {
    const fields = [this.#yearField(month), this.account, [...objects], amount, quantity]
    return { label, fields }
  }

  #movement(opening: Figure, closing: Figure): BalanceRecord {
    const [from, to] = [parseSieAmount(opening.amount), parseSieAmount(closing.amount)]
    // An amount that cannot be read is handed on, and told.
    const amount = from && to ? decimalText(to.units - from.units) : (from ? closing : opening).amount
    const { month, objects } = closing
    const fields = [this.#yearField(month), month.replace('-', ''), this.account, [...objects], amount, '']
    return { label: 'PSALDO', fields }
  }

  /** The number of the fiscal year that a month is in; the month itself where there is none, which is then told. */
  #yearField(month: string): string {
    const year = this.years.find(({ start, end }) => start <= month && month <= end)
    return year ? String(year.number) : month
  }
}
