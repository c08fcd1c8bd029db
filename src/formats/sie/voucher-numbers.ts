import { encodeCells, encodeNumberedCell, type EncodedCells } from '../csv/canonical-records'
import type { WarningCollector } from './validation'

const RANGES_MAX = 20_000
const TEXTS_MAX = 20_000
const PLAIN_NUMBER = /^[1-9]\d{0,14}$/
/** Stretches of missing numbers that are named, of each series. */
const GAPS_SHOWN = 8
/** Longer numbers are not remembered: nobody numbers so. */
const TEXT_MAX_CHARS = 40

/** A number as it is written, and its value; 0 for one that is not plainly written. */
interface VoucherNumber {
  number: string
  plain: number
}
export const plainNumber = (text: string): number => (PLAIN_NUMBER.test(text) ? Number(text) : 0)

interface NumberedVoucher extends VoucherNumber {
  org: string
  year: string
  series: string
  line: number
}

/** Numbers of one series. Kept as ranges: vouchers are numbered in a row. */
class SeenNumbers {
  readonly #ranges: { from: number; to: number }[] = []
  readonly #texts = new Set<string>()

  /** Whether the number is new; a number that can no longer be told from an earlier one counts as seen. */
  add({ number, plain }: VoucherNumber): boolean {
    return plain > 0 ? this.#addNumber(plain) : this.#addText(number)
  }

  /** Whether the number was added before, as far as is remembered. */
  has({ number, plain }: VoucherNumber): boolean {
    if (plain === 0) return this.#texts.has(number)
    const before = this.#ranges[this.#rangesUpTo(plain) - 1]
    return before !== undefined && plain <= before.to
  }

  /** What is missing between the numbers. */
  gaps(): { from: number; to: number }[] {
    return this.#ranges.slice(1).map(({ from }, at) => ({ from: (this.#ranges[at]?.to ?? 0) + 1, to: from - 1 }))
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

interface SeriesNumbers {
  seen: SeenNumbers
  /** As people name it, with its year. */
  name: string
}

interface LastSeries {
  of: string
  year: string
  /** What keys of its vouchers begin with. */
  series: string
  /** The same with the line between it and a number, and the series' own cell; null where they are written as texts. */
  cells: { key: EncodedCells; series: EncodedCells } | null
  /** Null where they are not remembered. */
  numbers: SeriesNumbers | null
}

/** Keys of vouchers: `org/year/series/number`, with the line of `#VER` behind it when that is not unique in the file. */
export class VoucherNumbers {
  readonly #series = new Map<string, SeriesNumbers>()
  #last: LastSeries | null = null
  #kept = 0

  /**
   * The voucher's key, and whether its number is known to be that of an earlier one. `cells`: what its key and its series are
   * written by, where the key is that with the number behind it.
   */
  add(at: NumberedVoucher): { key: string; isDuplicate: boolean; cells: LastSeries['cells'] } {
    const known = this.#seriesOf(at)
    const { series } = known
    const isDuplicate = at.number !== '' && known.numbers?.seen.has(at) === true
    const unique = at.number !== '' && !isDuplicate && known.numbers !== null && this.#isNew(known.numbers.seen, at)
    const key = unique ? `${series}/${at.number}` : `${series}/${at.number}#${at.line}`
    return { key, isDuplicate, cells: unique && at.plain > 0 ? known.cells : null }
  }

  /** The series of the last voucher is nearly always that of the next. */
  #seriesOf({ org, year, series }: NumberedVoucher): LastSeries {
    const last = this.#last
    if (last?.of === series && last.year === year) return last
    const name = `${org}/${year}/${series}`
    let numbers = this.#series.get(name) ?? null
    if (!numbers && this.#series.size < SERIES_MAX && name.length <= SERIES_MAX_CHARS) {
      numbers = { seen: new SeenNumbers(), name: `${series === '' ? 'Vouchers' : `Series ${series}`}, ${year}` }
      this.#series.set(name, numbers)
    }
    const [key, own] = [encodeNumberedCell(`${name}/`), encodeCells([series])]
    this.#last = { of: series, year, series: name, cells: key && own && { key, series: own }, numbers }
    return this.#last
  }

  #isNew(seen: SeenNumbers, number: VoucherNumber): boolean {
    // What grows past this cannot be told from what was there before.
    if (this.#kept >= TRACKED_MAX) return false
    const before = seen.size
    const added = seen.add(number)
    this.#kept += seen.size - before
    return added
  }

  /** Says which numbers are missing between the first and the last of each series. */
  reportGaps(collector: WarningCollector): void {
    if (this.#kept >= TRACKED_MAX) return
    for (const { seen, name } of this.#series.values()) {
      const gaps = seen.gaps()
      if (gaps.length === 0) continue
      const count = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0)
      const shown = gaps.slice(0, GAPS_SHOWN).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`))
      const rest = gaps.length > GAPS_SHOWN ? ' …' : ''
      const numbers = count === 1 ? '1 number is' : `${count} numbers are`
      collector.add('voucher_number', `${name}: ${numbers} missing: ${shown.join(', ')}${rest}.`)
    }
  }
}
