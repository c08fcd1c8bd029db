import { DurableObject } from 'cloudflare:workers'

interface Window {
  startedAt: number
  count: number
}
const KEY = 'window'

/** Counts tries of one key (an account, an address) in a window that begins with the first try. */
export class RateLimiter extends DurableObject {
  /**
   * Takes a try (or `count` of them), before it is made: parallel tries cannot slip past the count together.
   * `retryAfterMs` is null when there were enough left. `now` is the caller's clock, in epoch milliseconds.
   */
  async take(now: number, max: number, windowMs: number, count = 1): Promise<{ retryAfterMs: number | null }> {
    const window = await this.#current(now, windowMs)
    if (window.count + count > max) return { retryAfterMs: window.startedAt + windowMs - now }
    // Cleaning goes by the platform's clock: an alarm knows no other.
    if (window.count === 0) await this.ctx.storage.setAlarm(Date.now() + windowMs)
    await this.ctx.storage.put<Window>(KEY, { startedAt: window.startedAt, count: window.count + count })
    return { retryAfterMs: null }
  }

  /** Gives tries back: they were no failure. */
  async release(count = 1): Promise<void> {
    const window = await this.ctx.storage.get<Window>(KEY)
    if (window) await this.ctx.storage.put<Window>(KEY, { ...window, count: Math.max(0, window.count - count) })
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }

  async #current(now: number, windowMs: number): Promise<Window> {
    const window = await this.ctx.storage.get<Window>(KEY)
    return window && now < window.startedAt + windowMs ? window : { startedAt: now, count: 0 }
  }
}
