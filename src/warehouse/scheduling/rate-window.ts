import { ProductError } from '../../shared/errors'
import type { Clock } from '../../shared/ids'

/** So many tries of each person in a time, counted where they arrive: no call of another object. Forgotten with its object. */
export class RateWindow {
  readonly #clock: Clock
  readonly #max: number
  readonly #windowMs: number
  #startedAt = 0
  #counts = new Map<string, number>()

  constructor(clock: Clock, { max, windowMs }: { max: number; windowMs: number }) {
    this.#clock = clock
    this.#max = max
    this.#windowMs = windowMs
  }

  /**
   * @param part of a try that this counts as
   * @throws ProductError `rate_limited` with `retryAfter` in seconds
   */
  take(person: string, part = 1): void {
    const now = this.#clock.now()
    if (now - this.#startedAt >= this.#windowMs) {
      this.#startedAt = now
      this.#counts = new Map()
    }
    const count = (this.#counts.get(person) ?? 0) + part
    this.#counts.set(person, count)
    if (count <= this.#max) return
    const retryAfter = Math.max(1, Math.ceil((this.#startedAt + this.#windowMs - now) / 1000))
    throw new ProductError('rate_limited', { retryAfter })
  }
}
