import { StripeError, notFoundError } from './errors.ts'
import { emptyState, type State } from './state.ts'

export interface SimulationOptions {
  /** Where it answers: addresses of its pages begin with this. */
  origin: string
  livemode: boolean
  /** The real clock, in milliseconds. */
  now: () => number
  /** Countries of the accounts to which bank transfers may go. */
  bankTransferCountries: readonly string[]
  /** What becomes of a subscription when no further attempt to charge the card follows. */
  afterRetries: 'past_due' | 'unpaid' | 'canceled'
  state?: State
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** What the stand-in knows and its clock. */
export class Simulation {
  readonly options: SimulationOptions
  state: State
  /** The instant at which something that is due happens; null = now. */
  at: number | null = null
  /** The call that is being answered. */
  request: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null }

  constructor(options: SimulationOptions) {
    this.options = options
    this.state = options.state ?? emptyState()
  }

  /** Seconds on its own clock, however far something that is due has come. */
  now(): number {
    return this.at ?? this.clock()
  }

  /** Seconds on its own clock. */
  clock(): number {
    return Math.floor(this.options.now() / 1000) + this.state.ahead
  }

  id(prefix: string, length = 16): string {
    return `${prefix}_${this.word(length)}`
  }

  word(length: number): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => ALPHABET[byte % ALPHABET.length]).join(
      '',
    )
  }

  /** Runs a change that is made whole or not at all. That a refusal of a card was used up stays. */
  atomically<T>(change: () => T): T {
    const before = this.snapshot()
    const { events, deliveries } = this.state
    const [said, ordered] = [events.length, deliveries.length]
    try {
      return change()
    } catch (error) {
      if (error instanceof StripeError && error.kept) throw error
      const { declines, replies } = this.state
      const kept = { events: events.slice(0, said), deliveries: deliveries.slice(0, ordered), replies, declines }
      this.state = { ...before, ...kept }
      throw error
    }
  }

  /** A copy of everything but what was said and answered, which only ever grows. */
  private snapshot(): State {
    return structuredClone({ ...this.state, events: [], deliveries: [], replies: {} })
  }

  /** Another world with the same contents: what is tried there has no effect here. */
  copy(): Simulation {
    const other = new Simulation({ ...this.options, state: this.snapshot() })
    other.at = this.at
    other.request = this.request
    return other
  }
}

/** The record of that id. @throws 404, or 400 when a parameter names it */
export function requireRecord<T>(records: Record<string, T>, noun: string, id: string, param?: string): T {
  const record = Object.hasOwn(records, id) ? records[id] : undefined
  if (record === undefined) throw notFoundError(noun, id, param)
  return record
}
