/** Who has not been heard of for this long is gone: its request was cut off, and nothing of it runs any more. */
const LEASE_MS = 20_000

/**
 * Turns at taking files apart. Each opening may hold tens of megabytes, and all requests of one isolate share its
 * memory: too many at once would end every one of them, and whoever else is served.
 */
export class LeasedSemaphore {
  readonly #max: number
  readonly #heard = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** False while all turns are taken. */
  acquire(token: string, now: number): boolean {
    for (const [other, heard] of this.#heard) if (heard <= now - LEASE_MS) this.#heard.delete(other)
    if (this.#heard.size >= this.#max) return false
    this.#heard.set(token, now)
    return true
  }

  /** Says that an opening is still at work. */
  renew(token: string, now: number): void {
    if (this.#heard.has(token)) this.#heard.set(token, now)
  }

  release(token: string): void {
    this.#heard.delete(token)
  }
}
