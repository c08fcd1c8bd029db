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
export class VoucherKeyGenerator {
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
