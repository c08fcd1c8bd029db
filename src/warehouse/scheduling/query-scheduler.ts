import type { Clock } from '../../shared/ids'
import { ProductError } from '../../shared/errors'
import { QUESTIONS_AT_ONCE, RETRY_AFTER_MAX_S } from '../../shared/limits'
import { ANSWER_MAX_MS, queryTooLong } from './query-cost'
import { RateWindow } from './rate-window'
import { ShortQuestions } from './short-questions'

/**
 * `short`: hardly noticed by whoever comes next. `long`: every other question of a person. `background`: work that
 * nobody waits for at a screen.
 */
export type QueryPriority = 'short' | 'long' | 'background'
const PRIORITIES: readonly QueryPriority[] = ['short', 'long', 'background']

export interface SchedulerLimits {
  /** Questions of one person that are answered at a time; the others wait. */
  runningPerPerson: number
  /** Questions of one person that may wait, and of everybody together. */
  waitingPerPerson: number
  waitingMax: number
  /** Estimated work of one person's questions in the queue, ms. */
  workPerPersonMs: number
  /** Questions of a person in {@link SchedulerLimits.rateWindowMs}. */
  rateMax: number
  rateWindowMs: number
  /** A class that got no turn for so long gets one, however much stands before it, ms. */
  ageingMs: Record<QueryPriority, number>
  /** Pieces of one answer that follow each other before others have their turn, while nobody else asks short questions. */
  piecesPerTurn: Record<QueryPriority, number>
  /** For so long after a short question, its person is taken to be there, ms. */
  presenceMs: number
  /** Work that may follow each other, each question at once as it arrives, before others are let into the queue, ms. */
  pauseAfterMs: number
  /** What one answer may take, ms: its pieces and what the object does in the pause after each. */
  budgetMs: number
}

export const SCHEDULER_LIMITS: SchedulerLimits = {
  runningPerPerson: QUESTIONS_AT_ONCE,
  waitingPerPerson: 60,
  waitingMax: 2_000,
  workPerPersonMs: 90_000,
  rateMax: 600,
  rateWindowMs: 60_000,
  ageingMs: { short: 0, long: 2_000, background: 10_000 },
  piecesPerTurn: { short: 6, long: 6, background: 2 },
  presenceMs: 1_000,
  pauseAfterMs: 250,
  budgetMs: ANSWER_MAX_MS,
}

/** Pieces of an answer: each runs in one go, mostly for a few milliseconds; a promise among them is waited for while others have their turns. */
export type QuerySteps<T> = Generator<Promise<unknown> | undefined, T, undefined>

export interface ScheduledQuery<T> {
  person: string
  priority: QueryPriority
  /** Estimated work, ms. */
  costMs: number
  /** Names the question for {@link QueryScheduler.cancel}; unique within the person's. */
  ticket?: string | undefined
  steps: () => QuerySteps<T>
}

interface Job {
  person: string
  priority: QueryPriority
  costMs: number
  ticket: string | undefined
  /** What it has taken of the object, ms. */
  usedMs: number
  /** Waits for something else than its turn. */
  isBlocked: boolean
  /** Runs one piece. True: there is more. */
  step(): boolean
  fail(error: unknown): void
}

/** The refusal of a question that nobody waits for any more. */
export const queryCancelled = (): ProductError => new ProductError('busy', {}, 'Query cancelled.')

const SHORT_QUESTIONS = new ShortQuestions()
/** The longest rest of a longer question, ms. */
const REST_MAX_MS = 50

/** One of many questions that somebody asks by one click counts as so much of one. */
const PART_OF_PAGE = 0.25

/** Persons whose last turn is remembered. */
const TURNS_KEPT = 500
/** The least that somebody who is sent away is asked to wait, s. */
const RETRY_AFTER_MIN_S = 1

/**
 * Who is answered next. Answers are given in pieces, a few at a time: short questions before long ones, long ones before
 * background work, persons in turn, and the questions of one person in their order. Ageing keeps each class moving. While others
 * ask short questions, longer ones leave half of the thread to whatever else runs on it.
 */
export class QueryScheduler {
  readonly #clock: Clock
  readonly #pause: (ms?: number) => Promise<void>
  readonly #shortQuestions: ShortQuestions
  readonly #limits: SchedulerLimits
  readonly #rate: RateWindow
  readonly #jobs: Job[] = []
  /** Serial number of each person's last turn. */
  readonly #lastTurn = new Map<string, number>()
  /** When each class last had a turn, or began to wait for one. */
  readonly #servedAt: Record<QueryPriority, number> = { short: 0, long: 0, background: 0 }
  #turns = 0
  #sincePauseMs = 0
  #isPumping = false
  /** Ends the rest that is under way. */
  #endRest: () => void = () => undefined

  /** @param given `pause` lets whatever waits for the thread in, between two pieces */
  constructor(given: {
    clock: Clock
    pause: (ms?: number) => Promise<void>
    limits?: SchedulerLimits
    shortQuestions?: ShortQuestions
  }) {
    const { clock, pause, limits, shortQuestions } = given
    this.#clock = clock
    this.#pause = pause
    this.#shortQuestions = shortQuestions ?? SHORT_QUESTIONS
    this.#limits = limits ?? SCHEDULER_LIMITS
    this.#rate = new RateWindow(clock, { max: this.#limits.rateMax, windowMs: this.#limits.rateWindowMs })
  }

  /** Counts a question. @throws ProductError `rate_limited` with `retryAfter` when a person asks too often */
  countQuestion(person: string, isPart = false): void {
    this.#rate.take(person, isPart ? PART_OF_PAGE : 1)
  }

  /**
   * Answers when it is the question's turn.
   * @throws ProductError `busy` with `retryAfter` when the queue is full, or the question was cancelled;
   * `query_too_complex` when it takes longer than one answer may
   */
  async run<T>(query: ScheduledQuery<T>): Promise<T> {
    this.#assertRoom(query)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let steps: QuerySteps<T> | null = null
    const { person, priority, costMs, ticket } = query
    const job: Job = {
      ...{ person, priority, costMs, ticket, usedMs: 0, isBlocked: false },
      step: () => {
        steps ??= query.steps()
        const { done, value } = steps.next()
        if (done === true) {
          resolve(value)
          return false
        }
        if (value) this.#block(job, value)
        return true
      },
      fail: reject,
    }
    if (!this.#jobs.some((each) => each.priority === priority)) this.#servedAt[priority] = this.#clock.now()
    this.#jobs.push(job)
    if (priority === 'short') this.noteShortQuestion(person)
    void this.#pump()
    return promise
  }

  /** Somebody is there whose questions are short, kept answers included. */
  noteShortQuestion(person: string): void {
    this.#shortQuestions.note(person, this.#clock.now())
    this.#endRest()
  }
  /** Whether a question that is not short itself is answered beside such of other people. */
  #isShared({ priority, person }: Job): boolean {
    const sinceMs = this.#clock.now() - this.#shortQuestions.lastOfOthers(person)
    return priority !== 'short' && sinceMs < this.#limits.presenceMs
  }

  /** Drops a question that nobody waits for any more; one whose answer is under way goes before its next piece. */
  cancel(person: string, ticket: string): void {
    const job = this.#jobs.find((each) => each.person === person && each.ticket === ticket)
    if (!job) return
    this.#remove(job)
    job.fail(queryCancelled())
  }

  #assertRoom({ person, costMs, priority }: Pick<Job, 'person' | 'costMs' | 'priority'>): void {
    // Jobs ask one thing after the other, and their number is bounded where they are started.
    if (priority === 'background') return
    const own = this.#jobs.filter((job) => job.person === person && job.priority !== 'background')
    const workMs = own.reduce((sum, job) => sum + Math.max(0, job.costMs - job.usedMs), 0)
    const { runningPerPerson, waitingPerPerson, waitingMax, workPerPersonMs } = this.#limits
    const isFull = own.length >= runningPerPerson + waitingPerPerson || this.#jobs.length >= waitingMax
    if (!isFull && (own.length === 0 || workMs + costMs <= workPerPersonMs)) return
    const seconds = Math.ceil(workMs / 1000 / 2)
    throw new ProductError('busy', { retryAfter: Math.min(RETRY_AFTER_MAX_S, Math.max(RETRY_AFTER_MIN_S, seconds)) })
  }

  /** The question waits for something else; its turn comes when that is there. */
  #block(job: Job, until: Promise<unknown>): void {
    job.isBlocked = true
    const resume = (): void => {
      job.isBlocked = false
      void this.#pump()
    }
    // What fails there fails here, in the question's own time.
    until.then(resume, (error: unknown) => {
      this.#remove(job)
      job.fail(error)
    })
  }

  /** One turn after the other, until nothing can run. */
  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    try {
      for (let job = this.#next(); job; job = this.#next()) {
        const started = this.#clock.now()
        this.#runTurn(job)
        const worked = this.#clock.now() - started
        const isLeft = job.isBlocked
        this.#sincePauseMs += worked > 0 ? worked : job.costMs
        if (this.#jobs.length === 0 && this.#sincePauseMs < this.#limits.pauseAfterMs) break
        await this.#pause()
        this.#sincePauseMs = 0
        // Where the clock stands still while code runs, the pause shows what the piece took, or what it waits for now.
        const usedMs = worked > 0 || isLeft ? worked : this.#clock.now() - started
        job.usedMs += usedMs
        if (this.#isShared(job) && !this.#hasShort()) await this.#rest(usedMs)
        this.#servedAt[job.priority] = this.#clock.now()
        const { budgetMs } = this.#limits
        if (job.usedMs > budgetMs && this.#jobs.includes(job)) this.#fail(job, queryTooLong(budgetMs))
      }
      this.#forgetTurns()
    } finally {
      this.#isPumping = false
    }
  }

  #hasShort(): boolean {
    return this.#jobs.some(({ priority, isBlocked }) => priority === 'short' && !isBlocked)
  }

  /** As long as the last turn took, or until a short question comes. */
  async #rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#endRest = resolve
    await Promise.race([promise, this.#pause(Math.min(ms, REST_MAX_MS))])
  }

  /** Once nobody is left in the queue, and many have been. */
  #forgetTurns(): void {
    if (this.#lastTurn.size > TURNS_KEPT && this.#jobs.length === 0) this.#lastTurn.clear()
  }

  /** Nobody can come meanwhile: whose turn it is stays so. A pause costs more than a millisecond. */
  #runTurn(job: Job): void {
    this.#turns += 1
    this.#lastTurn.set(job.person, this.#turns)
    try {
      let left = this.#isShared(job) ? 1 : this.#limits.piecesPerTurn[job.priority]
      let hasMore = true
      for (; hasMore && left > 0 && !job.isBlocked; left -= 1) hasMore = job.step()
      if (!hasMore) this.#remove(job)
    } catch (error) {
      this.#fail(job, error)
    }
  }

  #fail(job: Job, error: unknown): void {
    this.#remove(job)
    job.fail(error)
  }

  #remove(job: Job): void {
    const at = this.#jobs.indexOf(job)
    if (at !== -1) this.#jobs.splice(at, 1)
  }

  /** Whose turn it is: in a class, of whoever had none for longest, the first of theirs. */
  #next(): Job | null {
    const ready = this.#admitted().filter(({ isBlocked }) => !isBlocked)
    const waiting = PRIORITIES.filter((priority) => ready.some((job) => job.priority === priority))
    const now = this.#clock.now()
    const aged = waiting.filter(
      (priority) => priority !== 'short' && now - this.#servedAt[priority] >= this.#limits.ageingMs[priority],
    )
    const priority = aged.at(-1) ?? waiting[0]
    const turnOf = ({ person }: Job): number => this.#lastTurn.get(person) ?? 0
    const [next] = ready.filter((job) => job.priority === priority).toSorted((a, b) => turnOf(a) - turnOf(b))
    return next ?? null
  }

  /** The first few of each person, short ones before the others. */
  #admitted(): Job[] {
    const counts = new Map<string, number>()
    return PRIORITIES.flatMap((priority) => this.#jobs.filter((job) => job.priority === priority)).filter((job) => {
      const count = (counts.get(job.person) ?? 0) + 1
      counts.set(job.person, count)
      return count <= this.#limits.runningPerPerson
    })
  }
}
