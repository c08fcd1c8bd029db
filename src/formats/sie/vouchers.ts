import { parseAmountOrWarn, emptyToNull, objectPairs, parseQuantity, splitObjects, fieldText } from './context'
import type { SieContext } from './context'
import type { SieField } from './tokenizer'
import { getOrAddAccount, objectKey } from './metadata'
import { parseSieAmount, parseSieDate, formatUnits } from './values'

const RANGES_MAX = 20_000
const TEXTS_MAX = 20_000
/** Longer numbers are not remembered: nobody numbers so. */
const TEXT_MAX_CHARS = 40

/** Numbers of one series. Kept as ranges: vouchers are numbered in a row. */
class SeenNumbers {
  readonly #ranges: { from: number; to: number }[] = []
  readonly #texts = new Set<string>()

  /** Whether the number is new; a number that can no longer be told from an earlier one counts as seen. */
  add(text: string): boolean {
    return /^\d{1,15}$/.test(text) && !text.startsWith('0') ? this.#addNumber(Number(text)) : this.#addText(text)
  }

  #addText(text: string): boolean {
    if (text.length > TEXT_MAX_CHARS || this.#texts.has(text) || this.#texts.size >= TEXTS_MAX) return false
    this.#texts.add(text)
    return true
  }

  #addNumber(number: number): boolean {
    const ranges = this.#ranges
    const at = this.#rangesUpTo(number)
    const before = ranges[at - 1]
    const after = ranges[at]
    if (before && number <= before.to) return false
    const touchesBefore = before?.to === number - 1
    const touchesAfter = after?.from === number + 1
    if (before && touchesBefore) {
      before.to = touchesAfter && after ? after.to : number
      if (touchesAfter) ranges.splice(at, 1)
    } else if (after && touchesAfter) after.from = number
    else if (ranges.length >= RANGES_MAX) return false
    else ranges.splice(at, 0, { from: number, to: number })
    return true
  }

  /** What it keeps in memory. */
  get size(): number {
    return this.#ranges.length + this.#texts.size
  }

  /** How many ranges begin at or before the number. */
  #rangesUpTo(number: number): number {
    let [low, high] = [0, this.#ranges.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ranges[middle]?.from ?? 0) <= number) low = middle + 1
      else high = middle
    }
    return low
  }
}

const SERIES_MAX = 1000
const SERIES_MAX_CHARS = 200
/** Ranges and texts of all series together. */
const TRACKED_MAX = 100_000

/** Keys of vouchers: `org/year/series/number`, with the line of `#VER` behind it when that is not unique in the file. */
class VoucherKeyGenerator {
  readonly #series = new Map<string, SeenNumbers>()
  #kept = 0

  key(at: { part: string; series: string; number: string; line: number }): string {
    const series = `${at.part}/${at.series}`
    let seen = this.#series.get(series)
    if (!seen && this.#series.size < SERIES_MAX && series.length <= SERIES_MAX_CHARS)
      this.#series.set(series, (seen = new SeenNumbers()))
    const unique = at.number !== '' && seen !== undefined && this.#isNew(seen, at.number)
    return unique ? `${series}/${at.number}` : `${series}/${at.number}#${at.line}`
  }

  #isNew(seen: SeenNumbers, number: string): boolean {
    // What grows past this cannot be told from what was there before.
    if (this.#kept >= TRACKED_MAX) return false
    const before = seen.size
    const added = seen.add(number)
    this.#kept += seen.size - before
    return added
  }
}

interface OpenVoucher {
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
interface SieRecord {
  fields: SieField[]
  line: number
}

/** Vouchers and their rows, each written as it comes. */
export class VoucherParser {
  readonly #ledger: SieContext
  readonly #keys = new VoucherKeyGenerator()
  #voucher: OpenVoucher | null = null
  /** An `#RTRANS` whose `#TRANS` should follow at once. */
  #added: { account: string; units: bigint; line: number } | null = null

  constructor(sieContext: SieContext) {
    this.#ledger = sieContext
  }

  /** The voucher being read, if any. */
  current(): Pick<OpenVoucher, 'name' | 'line'> | null {
    return this.#voucher
  }

  /** `#VER series number date text registered sign`. */
  begin({ fields, line }: SieRecord): void {
    this.end()
    const { survey, tables, checks, years } = this.#ledger
    const [series, number] = [fieldText(fields, 0), fieldText(fields, 1)]
    const date = this.#date(fieldText(fields, 2), line)
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
        emptyToNull(series),
        emptyToNull(number),
        date,
        emptyToNull(fieldText(fields, 3)),
        this.#date(fieldText(fields, 4), line),
      ],
      line,
    )
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
        emptyToNull(voucher.series),
        emptyToNull(voucher.number),
        String(++voucher.rows),
        this.#date(fieldText(rest, 1), line) ?? voucher.date,
        `${org}/${voucher.year}/${account}`,
        account,
        tables.trackedNumber('entries', 'amount', amount),
        emptyToNull(fieldText(rest, 2)),
        tables.trackedNumber('entries', 'quantity', parseQuantity(fieldText(rest, 3))),
        ...this.#dimensions(objects, line),
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
    if (voucher.sum !== 0n)
      this.#ledger.warnings.add(
        'unbalanced_voucher',
        `Voucher ${voucher.name === '' ? 'without number' : voucher.name} on line ${voucher.line} does not balance: its rows add up to ${formatUnits(voucher.sum)}.`,
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
  #dimensions(objects: string[], line: number): (string | null)[] {
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
