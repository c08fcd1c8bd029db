/** Connections that a workspace has to one source at a time. */
const SLOTS = 2

/** Turns at sources: whoever comes when all are taken waits. */
export class SourceSlots {
  readonly #taken = new Map<string, number>()
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Answers what gives the slot back. */
  async take(sourceId: string): Promise<() => void> {
    const taken = this.#taken.get(sourceId) ?? 0
    // Who gives a slot back hands it on: it stays taken.
    if (taken >= SLOTS)
      await new Promise<void>((next) => {
        const line = this.#waiting.get(sourceId) ?? []
        line.push(next)
        this.#waiting.set(sourceId, line)
      })
    else this.#taken.set(sourceId, taken + 1)
    let isMine = true
    return () => {
      if (!isMine) return
      isMine = false
      const next = this.#waiting.get(sourceId)?.shift()
      if (next) return next()
      const left = (this.#taken.get(sourceId) ?? 1) - 1
      if (left > 0) this.#taken.set(sourceId, left)
      else this.#taken.delete(sourceId)
    }
  }
}
