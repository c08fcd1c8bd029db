/** A load that shows no progress for this long may have lost its process. */
const STALL_MS = 8_000
const PROGRESS_MARKS_MAX = 500

interface ProgressMark {
  mark: string
  since: number
}

/**
 * Notices loads that stand still, as far as this isolate has looked at them. Only a hint: a wrong one is harmless,
 * and without one the lease's expiry ends the load anyway.
 */
export class StallDetector {
  readonly #seen = new Map<string, ProgressMark>()

  /** True once per stretch of standing still. `mark` changes whenever the load moves. */
  hasStalled(runId: string, mark: string, now: number): boolean {
    const before = this.#seen.get(runId)
    if (before?.mark !== mark) {
      this.#remember(runId, { mark, since: now })
      return false
    }
    if (now - before.since < STALL_MS) return false
    before.since = now
    return true
  }

  #remember(runId: string, progressMark: ProgressMark): void {
    this.#seen.delete(runId)
    this.#seen.set(runId, progressMark)
    const oldest = this.#seen.keys().next().value
    if (this.#seen.size > PROGRESS_MARKS_MAX && oldest !== undefined) this.#seen.delete(oldest)
  }
}
