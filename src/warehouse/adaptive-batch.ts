import type { Clock } from '../shared/ids'

/** What one piece of background work may take, ms: a fourth of what others may have to wait. */
const TARGET_MS = 50
/** Smaller pieces spend more on beginning and ending than they give way: some ten milliseconds where nothing else runs. */
const ROWS_MIN = 5_000
const ROWS_MAX = 25_000

/** How many rows a piece of background work takes in one go: as many as take about as long as others may wait. */
export class AdaptiveBatch {
  /** Milliseconds of the longest piece so far. */
  longestMs = 0
  readonly #clock: Clock
  readonly #pause: () => Promise<void>
  #rows: number

  constructor({ clock, pause }: { clock: Clock; pause: () => Promise<void> }, first = 10_000) {
    this.#clock = clock
    this.#pause = pause
    this.#rows = first
  }

  get size(): number {
    return this.#rows
  }

  /**
   * Does one piece, then lets whatever waits run. Where the clock stands still while code runs, the waiting counts as
   * its own: where others have much to do, pieces become small.
   */
  async run<T>(work: () => T): Promise<T> {
    const started = this.#clock.now()
    const done = work()
    const worked = this.#clock.now() - started
    await this.#pause()
    const taken = worked > 0 ? worked : this.#clock.now() - started
    this.longestMs = Math.max(this.longestMs, taken)
    const fit = this.#rows * Math.min(1.5, TARGET_MS / Math.max(1, taken))
    this.#rows = Math.round(Math.min(ROWS_MAX, Math.max(ROWS_MIN, fit)))
    return done
  }
}
