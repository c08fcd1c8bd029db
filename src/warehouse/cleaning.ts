import { dropOldGroupings } from './groupings/through'
import { cleaningDue, retireStale, tidy } from './ingest/sweep'
import type { Room } from './room'

/** Nearest that the object wakes itself for cleaning. */
const ALARM_MIN_MS = 1000

/** How the object keeps itself clean. */
export class Cleaning {
  readonly #room: () => Room
  readonly #storage: DurableObjectStorage
  #tidying: Promise<number> | null = null

  constructor(room: () => Room, storage: DurableObjectStorage) {
    this.#room = room
    this.#storage = storage
  }

  /** Lets go of what nobody needs any more; answers how many tables went. */
  async clean(): Promise<number> {
    retireStale(this.#room())
    dropOldGroupings(this.#room())
    const dropped = await this.tidy()
    await this.arm()
    return dropped
  }

  /** Sees to it that an alarm stands no later than the next thing to clean. */
  async arm(): Promise<void> {
    const due = cleaningDue(this.#room())
    if (due === null) return
    const at = Date.now() + Math.max(ALARM_MIN_MS, due - this.#room().clock.now())
    const standing = await this.#storage.getAlarm()
    if (standing === null || standing > at) await this.#storage.setAlarm(at)
  }

  /** Removes the bytes of what was let go. One cleaning at a time. */
  tidy(): Promise<number> {
    this.#tidying ??= tidy(this.#room()).finally(() => {
      this.#tidying = null
    })
    return this.#tidying
  }

  /** When the cleaning under way has ended. */
  async ended(): Promise<void> {
    await this.#tidying
  }
}
