/** Who has not been heard of for this long is gone: its request was cut off, and nothing of it runs any more. */
const HOLDER_LEASE_MS = 20_000
const WAITER_LEASE_MS = 2_000
/** So long after its last turn ended, a workspace that asked for no other counts as one that had none. */
const LAST_TURN_COUNTS_MS = 60_000
/**
 * An opening that did so much more than another one pauses until it has caught up, and one of a workspace that comes anew
 * has so much of a start: turns that changed with every piece would cost more than the pieces do.
 */
const LEAD_BYTES = 1024 * 1024
/** What an opening counts for beside what it reads and writes: looking it up, storing its tables. */
const OPENING_BYTES = 256 * 1024
/**
 * A workspace that was served since another one came waits with its next file until that one is done: so long at most, and
 * for none that has been at work for longer than that.
 */
const YIELD_MAX_MS = 250
const NEVER = -1
/** Openings of one workspace that wait, unless said otherwise. */
const WAITING_MAX = 20

/**
 * Files that hold little while they are taken apart (some 10 MB, 30 of the worst) go beside one that may hold much (some
 * 70 MB): all requests of one isolate share its 128 MB. One that turns out to hold much goes on as such, or begins again.
 */
export type OpeningLane = 'small' | 'wide'
const SLOTS: Record<OpeningLane, number> = { small: 2, wide: 1 }

/** A place in the list. It is kept by looking for its turn again and again. */
export interface OpeningTicket {
  workspaceId: string
  lane: OpeningLane
  /** Order of arrival in this isolate. */
  readonly arrival: number
  /** When it was asked for, epoch ms. */
  readonly arrivedAt: number
  /** Since when it could have begun, had it not let others go first. */
  yieldingSince?: number
  /** When its turn began, and when the one before it of its workspace ended. */
  turn?: { at: number; before: number }
}

/** Somebody whose file is looked up, before its place in the list. */
export interface OpeningArrival {
  workspaceId: string
  readonly arrivedAt: number
}

/**
 * Turns at taking files apart, fair between workspaces: of one workspace one file at a time, in the order they came; among
 * workspaces first those whose last turn is longest ago.
 */
export class OpeningTurns {
  /** With the time each was last heard of, epoch ms. */
  readonly #holders = new Map<OpeningTicket, number>()
  readonly #waiting = new Map<OpeningTicket, number>()
  readonly #arriving = new Map<OpeningArrival, number>()
  readonly #lastTurns = new Map<string, { nth: number; endedAt: number }>()
  /** Bytes that each workspace had read and written while others did; one that comes anew owes nothing. */
  readonly #done = new Map<string, number>()
  readonly #waitingMax: number
  /** Whose turn it is in each workspace; null when somebody came or went since. Everybody who waits asks for it again and again. */
  #nextOfEach: { arriving: OpeningArrival[]; waiting: OpeningTicket[] } | null = null
  #arrivals = 0
  #turns = 0

  constructor({ waitingMax = WAITING_MAX }: { waitingMax?: number } = {}) {
    this.#waitingMax = waitingMax
  }

  /** Openings of others pause for it while it is looked up; null when too many of its workspace wait. */
  arrive(workspaceId: string, now: number): OpeningArrival | null {
    this.#forget(now)
    if ([...this.#arriving.keys()].filter((one) => one.workspaceId === workspaceId).length >= this.#waitingMax)
      return null
    const arrival = { workspaceId, arrivedAt: now }
    this.#arriving.set(arrival, now)
    this.#nextOfEach = null
    return arrival
  }
  /** Whether its file may be looked up: one of a workspace at a time, and none while another waits for its turn. */
  isLookupNext(arrival: OpeningArrival, now: number): boolean {
    this.#hear(this.#arriving, arrival, now)
    this.#forget(now)
    const { arriving, waiting } = this.#next()
    return arriving.includes(arrival) && !waiting.some(({ workspaceId }) => workspaceId === arrival.workspaceId)
  }
  depart(arrival: OpeningArrival): void {
    this.#drop(this.#arriving, arrival)
  }

  /** A place behind those of the workspace that came before; null when too many wait. `arrivedAt`: now, unless said. */
  join(workspaceId: string, lane: OpeningLane, now: number, arrivedAt = now): OpeningTicket | null {
    this.#forget(now)
    const waiting = [...this.#waiting.keys()].filter((ticket) => ticket.workspaceId === workspaceId)
    if (waiting.length >= this.#waitingMax) return null
    const ticket = { workspaceId, lane, arrival: ++this.#arrivals, arrivedAt }
    this.#waiting.set(ticket, now)
    this.#nextOfEach = null
    return ticket
  }

  /** Whether it is this one's turn; keeps its place otherwise. */
  isNext(ticket: OpeningTicket, now: number): boolean {
    this.#hear(this.#waiting, ticket, now)
    this.#forget(now)
    const { waiting } = this.#next()
    if (!waiting.includes(ticket)) return false
    if (this.#isFree(ticket) && this.#isServedBefore(ticket, now)) ticket.yieldingSince ??= now
    const [first] = waiting
      .filter((one) => one.lane === ticket.lane && this.#canBegin(one, now))
      .toSorted((a, b) => this.#lastTurnOf(a) - this.#lastTurnOf(b) || a.arrival - b.arrival)
    return first === ticket
  }

  /** Whether there is a place for it, and it lets no other one go first. */
  #canBegin(ticket: OpeningTicket, now: number): boolean {
    return this.#isFree(ticket) && !this.#isYielding(ticket, now)
  }

  #isYielding(ticket: OpeningTicket, now: number): boolean {
    return now - (ticket.yieldingSince ?? now) < YIELD_MAX_MS && this.#isServedBefore(ticket, now)
  }

  /**
   * Whether its workspace was served since it came, or since another one did that was not and is about to be, or just is:
   * the first file of those who come waits for none of the next files of those who were there.
   */
  #isServedBefore({ workspaceId, arrivedAt }: OpeningArrival, now: number): boolean {
    const last = this.#lastTurns.get(workspaceId)?.endedAt
    if (last === undefined) return false
    const isFirst = (other: OpeningArrival, before: number): boolean =>
      other.workspaceId !== workspaceId &&
      before < last &&
      before <= other.arrivedAt &&
      Math.min(arrivedAt, other.arrivedAt) < last
    const lastOf = (other: OpeningArrival): number => this.#lastTurns.get(other.workspaceId)?.endedAt ?? NEVER
    return (
      [...this.#holders.keys()].some(
        (one) => one.turn && now - one.turn.at < YIELD_MAX_MS && isFirst(one, one.turn.before),
      ) ||
      this.#next().arriving.some((one) => !this.#isAtWork(one) && isFirst(one, lastOf(one))) ||
      this.#next().waiting.some((one) => this.#isFree(one) && isFirst(one, lastOf(one)))
    )
  }

  /** Whether its lane has room, and its workspace holds no turn. */
  #isFree(ticket: OpeningTicket): boolean {
    const { lane } = ticket
    return [...this.#holders.keys()].filter((one) => one.lane === lane).length < SLOTS[lane] && !this.#isAtWork(ticket)
  }

  /** Whether a file of the workspace is opened. */
  #isAtWork({ workspaceId }: { workspaceId: string }): boolean {
    return [...this.#holders.keys()].some((one) => one.workspaceId === workspaceId)
  }

  /** Takes the turn; false when it is another's. */
  acquire(ticket: OpeningTicket, now: number): boolean {
    if (!this.isNext(ticket, now)) return false
    this.#drop(this.#waiting, ticket)
    this.#done.set(ticket.workspaceId, this.#entryOf(ticket.workspaceId))
    this.#holders.set(ticket, now)
    ticket.turn = { at: now, before: this.#lastTurns.get(ticket.workspaceId)?.endedAt ?? NEVER }
    this.#lastTurns.set(ticket.workspaceId, { nth: ++this.#turns, endedAt: now })
    return true
  }

  /**
   * What a workspace begins with beside those at work: one that comes anew has a start before them; one that did more, with
   * files of just now, waits for them, though never for more than they wait for it.
   */
  #entryOf(workspaceId: string): number {
    const known = this.#done.get(workspaceId)
    if (this.#holders.size === 0) return known ?? 0
    const least = Math.min(...this.#doneByHolders())
    const [start, end] = [least - LEAD_BYTES - 1, least + LEAD_BYTES + 1]
    return Math.min(end, Math.max(start, known ?? start))
  }

  /**
   * Hears of an opening that it is still at work, and how many bytes it read and wrote; answers whether it should pause:
   * for another one that it is far ahead of, or for somebody of another workspace who did less and is about to begin. For
   * those who wait for its own turn, or for that of their own workspace, it goes on, and is done the sooner.
   */
  worked(ticket: OpeningTicket, bytes: number, now: number): boolean {
    if (this.#holders.has(ticket)) this.#holders.set(ticket, now)
    this.#forget(now)
    const done = this.#done.get(ticket.workspaceId)
    // One that was taken for gone, and forgotten, owes nothing.
    if (done !== undefined) this.#done.set(ticket.workspaceId, done + bytes)
    return this.#leadOf(ticket) > LEAD_BYTES || this.#isAnotherBeginning(ticket, now)
  }

  /** Whether no other file is opened or about to be: those that wait for this one do not count. */
  isAlone(ticket: OpeningTicket, now: number): boolean {
    return [...this.#holders.keys()].every((one) => one === ticket) && this.#beginning(now).length === 0
  }

  /** Whether one that paused should do so for longer: until those that it was ahead of have caught up. */
  isToPause(ticket: OpeningTicket, now: number): boolean {
    if (this.#holders.has(ticket)) this.#holders.set(ticket, now)
    this.#forget(now)
    return this.#leadOf(ticket) > 0 || this.#isAnotherBeginning(ticket, now)
  }

  #leadOf({ workspaceId }: OpeningTicket): number {
    return (this.#done.get(workspaceId) ?? 0) - Math.min(...this.#doneByHolders())
  }

  #doneByHolders(): number[] {
    return [...this.#holders.keys()].map(({ workspaceId }) => this.#done.get(workspaceId) ?? 0)
  }

  #isAnotherBeginning(ticket: OpeningTicket, now: number): boolean {
    const done = this.#done.get(ticket.workspaceId) ?? 0
    return this.#beginning(now).some(
      ({ workspaceId }) => workspaceId !== ticket.workspaceId && this.#entryOf(workspaceId) < done,
    )
  }

  /** Who is looked up, or waits, and is to have the next place that there is. */
  #beginning(now: number): OpeningArrival[] {
    const { arriving, waiting } = this.#next()
    const isWaiting = new Set(waiting.map(({ workspaceId }) => workspaceId))
    return [
      ...arriving.filter(
        (one) => !this.#isAtWork(one) && !isWaiting.has(one.workspaceId) && !this.#isServedBefore(one, now),
      ),
      ...waiting.filter((one) => this.#canBegin(one, now)),
    ]
  }

  /** The first of each workspace that is looked up, and that waits: the others of it come after these. */
  #next(): { arriving: OpeningArrival[]; waiting: OpeningTicket[] } {
    return (this.#nextOfEach ??= { arriving: firstOfEach(this.#arriving), waiting: firstOfEach(this.#waiting) })
  }

  /** One that was taken for gone comes back with its next question, behind the others. */
  #hear<T extends OpeningArrival>(present: Map<T, number>, one: T, now: number): void {
    if (!present.has(one)) this.#nextOfEach = null
    present.set(one, now)
  }

  #drop<T extends OpeningArrival>(present: Map<T, number>, one: T): void {
    if (present.delete(one)) this.#nextOfEach = null
  }

  /** Makes a small turn a wide one; false when that is another's. */
  widen(ticket: OpeningTicket): boolean {
    const isTaken = [...this.#holders.keys()].some((one) => one !== ticket && one.lane === 'wide')
    if (!isTaken) ticket.lane = 'wide'
    return !isTaken
  }

  /** Gives the turn back, or the place in the list. */
  leave(ticket: OpeningTicket, now: number): void {
    const turn = this.#lastTurns.get(ticket.workspaceId)
    if (this.#holders.delete(ticket)) {
      if (turn) turn.endedAt = now
      this.#done.set(ticket.workspaceId, (this.#done.get(ticket.workspaceId) ?? 0) + OPENING_BYTES)
    }
    this.#drop(this.#waiting, ticket)
  }

  #lastTurnOf({ workspaceId }: OpeningTicket): number {
    return this.#lastTurns.get(workspaceId)?.nth ?? 0
  }

  #forget(now: number): void {
    for (const [ticket, heard] of this.#holders) if (heard <= now - HOLDER_LEASE_MS) this.leave(ticket, now)
    for (const [ticket, heard] of this.#waiting) if (heard <= now - WAITER_LEASE_MS) this.#drop(this.#waiting, ticket)
    for (const [arrival, at] of this.#arriving) if (at <= now - HOLDER_LEASE_MS) this.#drop(this.#arriving, arrival)
    const present = new Set([...this.#holders.keys(), ...this.#waiting.keys()].map(({ workspaceId }) => workspaceId))
    for (const [id, { endedAt }] of this.#lastTurns)
      if (endedAt <= now - LAST_TURN_COUNTS_MS && !present.has(id)) {
        this.#lastTurns.delete(id)
        this.#done.delete(id)
      }
  }
}

/** The first of each workspace, in the order in which they came. */
function firstOfEach<T extends OpeningArrival>(present: ReadonlyMap<T, number>): T[] {
  const firsts = new Map<string, T>()
  for (const one of present.keys()) if (!firsts.has(one.workspaceId)) firsts.set(one.workspaceId, one)
  return [...firsts.values()]
}
