import { amountOf, orNull, pairsOf, quantityOf, splitObjects, textAt } from './context'
import type { Ledger } from './context'
import type { Field } from './fields'
import { accountOf, objectId } from './survey'
import { readAmount, readDate, showUnits } from './values'
import { VoucherKeys } from './voucher-keys'

interface Voucher {
  /** As people name it. */
  name: string
  key: string
  year: string
  series: string
  number: string
  date: string | null
  line: number
  sum: bigint
  rows: number
}
interface RecordAt {
  fields: Field[]
  line: number
}

/** Vouchers and their rows, each written as it comes. */
export class VoucherReading {
  readonly #ledger: Ledger
  readonly #keys = new VoucherKeys()
  #voucher: Voucher | null = null
  /** An `#RTRANS` whose `#TRANS` should follow at once. */
  #added: { account: string; units: bigint; line: number } | null = null

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** The voucher being read, if any. */
  current(): Pick<Voucher, 'name' | 'line'> | null {
    return this.#voucher
  }

  /** `#VER series number date text registered sign`. */
  begin({ fields, line }: RecordAt): void {
    this.end()
    const { survey, tables, checks, years } = this.#ledger
    const [series, number] = [textAt(fields, 0), textAt(fields, 1)]
    const date = this.#date(textAt(fields, 2), line)
    const year = years.ofVoucher(date, line)
    const org = survey.company.orgNumber
    const key = this.#keys.key({ part: `${org}/${year}`, series, number, line })
    const name = `${series} ${number}`.trim()
    this.#voucher = { name, key, year, series, number, date, line, sum: 0n, rows: 0 }
    checks.voucher()
    tables.add(
      'vouchers',
      [
        org,
        year,
        key,
        orNull(series),
        orNull(number),
        date,
        orNull(textAt(fields, 3)),
        this.#date(textAt(fields, 4), line),
      ],
      line,
    )
  }

  /** `#TRANS account {objects} amount date text quantity sign`. False outside a voucher. */
  entry({ fields, line }: RecordAt): boolean {
    const voucher = this.#voucher
    if (!voucher) return false
    const { survey, tables, checks } = this.#ledger
    const account = accountOf(survey, textAt(fields, 0), line).account
    const { objects, rest } = splitObjects(fields, 1)
    const amount = amountOf(this.#ledger, textAt(rest, 0), line)
    const units = amount?.units ?? 0n
    voucher.sum += units
    checks.entry(account, units)
    if (this.#added?.account === account && this.#added.units === units) this.#added = null
    const org = survey.company.orgNumber
    tables.add(
      'entries',
      [
        org,
        voucher.year,
        voucher.key,
        orNull(voucher.series),
        orNull(voucher.number),
        String(++voucher.rows),
        this.#date(textAt(rest, 1), line) ?? voucher.date,
        `${org}/${voucher.year}/${account}`,
        account,
        tables.figure('entries', 'amount', amount),
        orNull(textAt(rest, 2)),
        tables.figure('entries', 'quantity', quantityOf(textAt(rest, 3))),
        ...this.#dimensions(objects, line),
      ],
      line,
    )
    return true
  }

  /** `#RTRANS`: a row added later. It stands once more as `#TRANS` right after, and that one counts. */
  added({ fields, line }: RecordAt): void {
    this.#reportAdded()
    const { rest } = splitObjects(fields, 1)
    const units = readAmount(textAt(rest, 0))?.units ?? 0n
    this.#added = { account: textAt(fields, 0), units, line }
  }

  /** The voucher is complete. */
  end(): void {
    this.#reportAdded()
    const voucher = this.#voucher
    this.#voucher = null
    if (!voucher) return
    if (voucher.sum !== 0n)
      this.#ledger.warnings.add(
        'unbalanced_voucher',
        `Voucher ${voucher.name === '' ? 'without number' : voucher.name} on line ${voucher.line} does not balance: its rows add up to ${showUnits(voucher.sum)}.`,
        voucher.line,
      )
  }

  #reportAdded(): void {
    const added = this.#added
    this.#added = null
    if (!added || added.units === 0n) return
    this.#ledger.warnings.add(
      'skipped_entry',
      `Line ${added.line}: a row added later (#RTRANS) on account ${added.account} has no #TRANS after it and is left out.`,
      added.line,
    )
  }

  #date(field: string, line: number): string | null {
    if (field === '') return null
    const date = readDate(field)
    if (date === null)
      this.#ledger.warnings.add(
        'skipped_entry',
        `Line ${line}: “${field.slice(0, 40)}” is no date and is left empty.`,
        line,
      )
    return date
  }

  /** Object and its name for each dimension that has columns. */
  #dimensions(objects: string[], line: number): (string | null)[] {
    const { tables, survey } = this.#ledger
    const pairs = pairsOf(objects)
    const places = pairs.map(({ dimension }) => tables.dimensionAt(dimension, line))
    const cells = new Array<string | null>(tables.dimensionCount() * 2).fill(null)
    pairs.forEach(({ dimension, object }, i) => {
      const at = (places[i] ?? 0) * 2
      if (cells[at] !== null) return
      cells[at] = orNull(object)
      cells[at + 1] = orNull(survey.objects.get(objectId(dimension, object))?.name ?? object)
    })
    return cells
  }
}
