import { dropExpiredGroupings } from './groupings/through'
import { nextMaintenanceAt, discardExpired, dropDiscardedSets } from './ingest/sweep'
import type { WarehouseContext } from './room'

/** Nearest that the object wakes itself for cleaning. */
const ALARM_DELAY_MIN_MS = 1000

/** How the object keeps itself clean. */
export class Maintenance {
  readonly #context: () => WarehouseContext
  readonly #storage: DurableObjectStorage
  #dropping: Promise<number> | null = null

  constructor(room: () => WarehouseContext, storage: DurableObjectStorage) {
    this.#context = room
    this.#storage = storage
  }

  /** Lets go of what nobody needs any more; answers how many tables went. */
  async run(): Promise<number> {
    discardExpired(this.#context())
    dropExpiredGroupings(this.#context())
    const dropped = await this.dropDiscarded()
    await this.scheduleAlarm()
    return dropped
  }

  /** Sees to it that an alarm stands no later than the next thing to clean. */
  async scheduleAlarm(): Promise<void> {
    const due = nextMaintenanceAt(this.#context())
    if (due === null) return
    const at = Date.now() + Math.max(ALARM_DELAY_MIN_MS, due - this.#context().clock.now())
    const standing = await this.#storage.getAlarm()
    if (standing === null || standing > at) await this.#storage.setAlarm(at)
  }

  /** Removes the bytes of what was let go. One cleaning at a time. */
  dropDiscarded(): Promise<number> {
    this.#dropping ??= dropDiscardedSets(this.#context()).finally(() => {
      this.#dropping = null
    })
    return this.#dropping
  }

  /** When the cleaning under way has ended. */
  async idle(): Promise<void> {
    await this.#dropping
  }
}
