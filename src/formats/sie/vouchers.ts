import { parseAmountOrWarn, emptyToNull, objectPairs, parseQuantity, splitObjects, fieldText } from './context'
import type { SieContext } from './context'
import type { SieField } from './tokenizer'
import { getOrAddAccount, objectKey } from './metadata'
import { parseSieAmount, parseSieDate, formatUnits } from './values'
import { plainNumber, VoucherNumbers } from './voucher-numbers'
import { ExactSum } from './exact-sum'
import { CellBytes, encodeCells, type EncodedCells } from '../csv/canonical-records'
import { DAY_MS } from '../../shared/dates'

export interface OpenVoucher {
  year: string
  key: string
  series: string
  number: string
  date: string | null
  line: number
  readonly sum: ExactSum
  rows: number
  /** Company, year, key, series and number: what its own row and all of its entries begin with. */
  readonly cells: EncodedCells
  /** Its date, where whoever opened it had written that already. */
  readonly dateCells: EncodedCells | null
}
/** A voucher registered later than this after its date is told, days. */
const LATE_DAYS = 60

export interface VoucherHead {
  series: string
  number: string
  /** The number's value; 0 for one that is not plainly written. */
  plain: number
  date: string | null
  registered: string | null
  line: number
  dateCells: EncodedCells | null
}

/** As people name it. */
const nameOf = ({ series, number }: Pick<OpenVoucher, 'series' | 'number'>): string =>
  `${series} ${number}`.trim() || 'without number'

/** Series, number, date, text and day of registration. Some programs leave the series out altogether, without quotes for it. */
function voucherFields(fields: SieField[]): string[] {
  const all = [0, 1, 2, 3, 4].map((at) => fieldText(fields, at))
  const [series = '', number = '', date = ''] = all
  const isLeftOut = /^\d+$/.test(series) && parseSieDate(number) !== null && parseSieDate(date) === null
  return isLeftOut ? ['', ...all] : all
}

interface SieRecord {
  fields: SieField[]
  line: number
}

/** Vouchers and their rows, each written as it comes. */
export class VoucherParser {
  readonly #ledger: SieContext
  readonly #numbers = new VoucherNumbers()
  #voucher: OpenVoucher | null = null
  readonly #cells = new CellBytes()
  /** Company and year, as the vouchers of that year begin with them; null where they are written cell by cell. */
  #firstCells: { year: string; cells: EncodedCells | null } | null = null
  /** An `#RTRANS` whose `#TRANS` should follow at once. */
  #added: { account: string; units: bigint; line: number } | null = null

  constructor(sieContext: SieContext) {
    this.#ledger = sieContext
  }

  /** The voucher being read, if any. */
  get current(): OpenVoucher | null {
    return this.#voucher
  }
  /** Whether a row added later waits for its `#TRANS`. */
  get isRowExpected(): boolean {
    return this.#added !== null
  }
  nameOfCurrent(): string {
    return this.#voucher ? nameOf(this.#voucher) : ''
  }

  /** `#VER series number date text registered sign`. */
  begin({ fields, line }: SieRecord): void {
    this.end()
    const [series = '', number = '', day = '', text = '', registeredDay = ''] = voucherFields(fields)
    const date = this.#date(day, line)
    if (day === '')
      this.#ledger.warnings.add(
        'undated_voucher',
        `Voucher ${nameOf({ series, number })} on line ${line} has no date.`,
        line,
      )
    const registered = this.#date(registeredDay, line)
    const { cells } = this.open({
      ...{ series, number, plain: plainNumber(number) },
      ...{ date, registered, line, dateCells: null },
    })
    const { tables } = this.#ledger
    const { records } = tables.output('vouchers')
    records.begin(line)
    records.cells(cells)
    for (const cell of [date, text, registered]) records.text(cell ?? '')
    records.end()
  }

  /** Opens a voucher and says what is odd about its head; writing its row is the caller's. */
  open(head: VoucherHead): OpenVoucher {
    this.end()
    // Neither copied nor spread: there are hundreds of thousands of them.
    const { series, number, plain, date, registered, line, dateCells } = head
    const { survey, tables, years, warnings } = this.#ledger
    const year = years.ofVoucher(date, line)
    const org = survey.company.orgNumber
    const { key, isDuplicate, cells: known } = this.#numbers.add({ org, year, series, number, plain, line })
    if (isDuplicate)
      warnings.add(
        'voucher_number',
        `Voucher ${nameOf({ series, number })} on line ${line} has a number that an earlier voucher has.`,
        line,
      )
    if (date !== null && registered !== null && registered > date) this.#checkDelay(head)
    this.#ledger.checks.voucher()
    tables.yearCount('vouchers', year).rows += 1
    const cells = this.#cells
    cells.reset()
    if (this.#firstCells?.year !== year) this.#firstCells = { year, cells: encodeCells([org, year]) }
    if (this.#firstCells.cells) cells.cells(this.#firstCells.cells)
    else for (const cell of [org, year]) cells.text(cell)
    if (known) {
      cells.numbered(known.key, plain)
      cells.cells(known.series)
      cells.whole(plain)
    } else for (const cell of [key, series, number]) cells.text(cell)
    this.#voucher = { year, key, series, number, date, line, sum: new ExactSum(), rows: 0, cells, dateCells }
    return this.#voucher
  }

  #checkDelay({ series, number, date, registered, line }: VoucherHead): void {
    const days = Math.round((Date.parse(registered ?? '') - Date.parse(date ?? '')) / DAY_MS)
    if (days > LATE_DAYS)
      this.#ledger.warnings.add(
        'late_entry',
        `Voucher ${nameOf({ series, number })} on line ${line} was registered ${days} days after its date (${date}).`,
        line,
      )
  }

  /** No more vouchers: numbers that were left out are told. */
  finish(): void {
    this.end()
    this.#numbers.reportGaps(this.#ledger.warnings)
  }

  /** `#TRANS account {objects} amount date text quantity sign`. False outside a voucher. */
  entry({ fields, line }: SieRecord): boolean {
    const voucher = this.#voucher
    if (!voucher) return false
    const { survey, tables, checks } = this.#ledger
    const account = getOrAddAccount(survey, fieldText(fields, 0), line).account
    const { objects, rest } = splitObjects(fields, 1)
    const amount = parseAmountOrWarn(this.#ledger, fieldText(rest, 0), line)
    const units = amount?.units ?? 0n
    voucher.sum.add(units)
    checks.entriesOf(account).add(units)
    if (this.#added?.account === account && this.#added.units === units) this.#added = null
    const org = survey.company.orgNumber
    tables.add(
      'entries',
      [
        org,
        voucher.year,
        voucher.key,
        emptyToNull(voucher.series),
        emptyToNull(voucher.number),
        String(++voucher.rows),
        this.#date(fieldText(rest, 1), line) ?? voucher.date,
        `${org}/${voucher.year}/${account}`,
        account,
        tables.trackedNumber('entries', 'amount', amount),
        emptyToNull(fieldText(rest, 2)),
        tables.trackedNumber('entries', 'quantity', parseQuantity(fieldText(rest, 3))),
        ...this.dimensions(objects, line),
      ],
      line,
    )
    return true
  }

  /** `#RTRANS`: a row added later. It stands once more as `#TRANS` right after, and that one counts. */
  added({ fields, line }: SieRecord): void {
    this.#reportAdded()
    const { rest } = splitObjects(fields, 1)
    const units = parseSieAmount(fieldText(rest, 0))?.units ?? 0n
    this.#added = { account: fieldText(fields, 0), units, line }
  }

  /** The voucher is complete. */
  end(): void {
    this.#reportAdded()
    const voucher = this.#voucher
    this.#voucher = null
    if (!voucher) return
    if (!voucher.sum.isZero)
      this.#ledger.warnings.add(
        'unbalanced_voucher',
        `Voucher ${nameOf(voucher)} on line ${voucher.line} does not balance: its rows add up to ${formatUnits(voucher.sum.units)}.`,
        voucher.line,
      )
  }

  #reportAdded(): void {
    const added = this.#added
    this.#added = null
    if (!added || added.units === 0n) return
    this.#ledger.warnings.add(
      'skipped_entry',
      `Line ${added.line}: a row added later (#RTRANS) on account ${added.account} has no #TRANS after it and is skipped.`,
      added.line,
    )
  }

  #date(field: string, line: number): string | null {
    if (field === '') return null
    const date = parseSieDate(field)
    if (date === null)
      this.#ledger.warnings.add(
        'skipped_entry',
        `Line ${line}: “${field.slice(0, 40)}” isn’t a date and is left empty.`,
        line,
      )
    return date
  }

  /** Object and its name for each dimension that has columns. */
  dimensions(objects: string[], line: number): (string | null)[] {
    const { tables, survey } = this.#ledger
    const pairs = objectPairs(objects)
    const places = pairs.map(({ dimension }) => tables.dimensionPosition(dimension, line))
    const cells = new Array<string | null>(tables.dimensionCount() * 2).fill(null)
    pairs.forEach(({ dimension, object }, i) => {
      const at = (places[i] ?? 0) * 2
      if (cells[at] !== null) return
      cells[at] = emptyToNull(object)
      cells[at + 1] = emptyToNull(survey.objects.get(objectKey(dimension, object))?.name ?? object)
    })
    return cells
  }
}
