/** Who has not been heard of for this long is gone: its request was cut off, and nothing of it runs any more. */
const SILENT_MS = 20_000

/**
 * Turns at taking files apart. Each opening may hold tens of megabytes, and all requests of one isolate share its
 * memory: too many at once would end every one of them, and whoever else is served.
 */
export class OpeningTurns {
  readonly #max: number
  readonly #heard = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** False while all turns are taken. */
  take(token: string, now: number): boolean {
    for (const [other, heard] of this.#heard) if (heard <= now - SILENT_MS) this.#heard.delete(other)
    if (this.#heard.size >= this.#max) return false
    this.#heard.set(token, now)
    return true
  }

  /** Says that an opening is still at work. */
  keep(token: string, now: number): void {
    if (this.#heard.has(token)) this.#heard.set(token, now)
  }

  leave(token: string): void {
    this.#heard.delete(token)
  }
}
