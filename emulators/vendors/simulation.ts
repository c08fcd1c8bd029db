/** What can go wrong with a call on order. `repeat-page` answers the page before once more, `cut-off` half a body. */
export const VENDOR_FAULTS = ['error', 'rate-limit', 'unauthorized', 'repeat-page', 'cut-off'] as const
export type VendorFault = (typeof VENDOR_FAULTS)[number]

interface OrderedFault {
  mode: VendorFault
  /** Calls that go well before it. */
  after: number
  times: number
}

export interface SimulationOptions {
  /** Where it answers: addresses in its answers begin with this. */
  origin: string
  /** The real clock, in milliseconds. */
  now?: () => number
}

/** What all stand-ins for vendors share: a clock that can be moved, and faults that were ordered. */
export class VendorSimulation {
  readonly origin: string
  /** Calls of data so far, each as method and path. */
  readonly calls: string[] = []
  readonly #now: () => number
  #aheadMs = 0
  #fault: OrderedFault | null = null
  #ids = 0

  constructor({ origin, now = Date.now }: SimulationOptions) {
    this.origin = origin
    this.#now = now
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#now() + this.#aheadMs
  }

  advance(ms: number): void {
    this.#aheadMs += ms
  }

  /** Lets `after` calls of data go well and the next `times` fail. */
  order(mode: VendorFault, { after = 0, times = 1 }: { after?: number; times?: number } = {}): void {
    this.#fault = { mode, after, times }
  }

  /** What goes wrong with the call at hand; null = nothing. */
  takeFault(): VendorFault | null {
    const fault = this.#fault
    if (fault === null) return null
    if (fault.after > 0) {
      fault.after -= 1
      return null
    }
    fault.times -= 1
    if (fault.times <= 0) this.#fault = null
    return fault.mode
  }

  /** Never the same twice; what it is called says what it is of. */
  id(prefix: string): string {
    this.#ids += 1
    return `${prefix}${String(this.#ids).padStart(6, '0')}`
  }
}

/** A limit of so many calls in a window that slides, for each key by itself. */
export class CallWindow {
  readonly #max: number
  readonly #ms: number
  readonly #calls = new Map<string, number[]>()

  constructor(max: number, ms: number) {
    this.#max = max
    this.#ms = ms
  }

  /** Milliseconds until a call is let through again; 0 = this one was, and counts. */
  take(key: string, now: number): number {
    const recent = (this.#calls.get(key) ?? []).filter((at) => at > now - this.#ms)
    this.#calls.set(key, recent)
    const [oldest] = recent
    if (oldest !== undefined && recent.length >= this.#max) return oldest + this.#ms - now
    recent.push(now)
    return 0
  }
}
