import { describe, expect, it } from 'vitest'
import { QueryScheduler, SCHEDULER_LIMITS } from './query-scheduler'
import type { QueryPriority, QuerySteps, SchedulerLimits } from './query-scheduler'
import { ShortQuestions } from './short-questions'
import { ProductError } from '../../shared/errors'

interface TestQuestion {
  person?: string
  priority?: QueryPriority
  /** Ms of each piece. */
  pieces?: number[]
  costMs?: number
  ticket?: string
}

/** A scheduler whose clock moves only with the pieces that run; what ran is written down. */
function scene(limits: Partial<SchedulerLimits> = {}) {
  const clock = { time: 1_000_000, now: () => clock.time }
  const ran: string[] = []
  /** What happens while the object pauses, once each. */
  const meanwhile: (() => void)[] = []
  /** Ms of each rest; they end by the clock. */
  const rests: number[] = []
  const pause = async (ms = 0): Promise<void> => {
    await Promise.resolve()
    if (ms > 0) rests.push(ms)
    clock.time += ms
    meanwhile.shift()?.()
  }
  const piecesPerTurn = { short: 1, long: 1, background: 1 }
  const limited = { ...SCHEDULER_LIMITS, pauseAfterMs: 0, piecesPerTurn, presenceMs: 0, ...limits }
  const scheduler = new QueryScheduler({ clock, pause, limits: limited, shortQuestions: new ShortQuestions() })
  const ask = (name: string, asked: TestQuestion = {}): Promise<string> => {
    const { person = 'anna', priority = 'short', pieces = [10], costMs = 10, ticket } = asked
    function* steps(): QuerySteps<string> {
      for (const [at, ms] of pieces.entries()) {
        clock.time += ms
        ran.push(name)
        if (at < pieces.length - 1) yield
      }
      return name
    }
    return scheduler.run({ person, priority, costMs, ticket, steps })
  }
  return { scheduler, clock, ran, rests, meanwhile, ask }
}

/** A scheduler beside somebody who is there, whose rests do not end by themselves. */
function restingScene() {
  const clock = { time: 1_000_000, now: () => clock.time }
  const pause = (ms = 0): Promise<void> => (ms > 0 ? new Promise(() => undefined) : Promise.resolve())
  const shortQuestions = new ShortQuestions()
  shortQuestions.note('b', clock.time)
  const ran: string[] = []
  return { clock, ran, scheduler: new QueryScheduler({ clock, pause, shortQuestions }) }
}
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Promise.resolve()
}

const refusal = (asking: Promise<unknown>): Promise<ProductError> =>
  asking.then(
    () => {
      throw new Error('it was answered')
    },
    (error: unknown) => {
      if (error instanceof ProductError) return error
      throw error
    },
  )

describe('the queue of questions', () => {
  it('answers at once when nobody else is there', async () => {
    const { ask, ran } = scene()
    const answer = ask('only')
    expect(ran).toEqual(['only'])
    expect(await answer).toBe('only')
  })

  it('lets others into the queue once questions that follow each other have taken long enough', async () => {
    const { ask, ran } = scene({ pauseAfterMs: 25 })
    const asked = Array.from({ length: 5 }, (_, n) => ask(`q${n}`, { person: `p${n}` }))
    expect(ran).toEqual(['q0', 'q1', 'q2'])
    await Promise.all(asked)
    expect(ran).toHaveLength(5)
  })

  it('gives several pieces of an answer in one turn', async () => {
    const { ask, ran } = scene({ piecesPerTurn: { short: 3, long: 2, background: 1 } })
    const pieces = [1, 1, 1, 1]
    const first = ask('first')
    await Promise.all([
      first,
      ask('background', { person: 'a', priority: 'background', pieces }),
      ask('a', { person: 'a', priority: 'long', pieces }),
      ask('b', { person: 'b', priority: 'long', pieces }),
      ask('c', { person: 'c', pieces }),
      ask('d', { person: 'd', pieces }),
    ])
    expect(ran.join(' ')).toBe('first c c c d d d c d a a b b a a b b background background background background')
  })

  it('leaves half of the thread to others while they ask short questions, and all to a long one after', async () => {
    const { ask, rests, ran } = scene({ presenceMs: 100, piecesPerTurn: { short: 1, long: 2, background: 1 } })
    await ask('short', { person: 'bo' })
    await ask('long', { priority: 'long', pieces: [20, 20, 20, 20, 20, 20] })
    // One piece a turn and a rest as long, until nobody was there for 100 ms, counted from the question.
    expect(rests).toEqual([20, 20])
    expect(ran).toHaveLength(7)
  })

  it('gives the whole thread to a long question beside short ones of the same person', async () => {
    const { ask, rests } = scene({ presenceMs: 100 })
    await ask('short')
    await ask('long', { priority: 'long', pieces: [20, 20, 20] })
    expect(rests).toEqual([])
  })

  it('ends the rest of a long question when a short one comes', async () => {
    const { scheduler, clock, ran } = restingScene()
    void scheduler.run({ person: 'a', priority: 'long', costMs: 40, steps: () => piecesOf('long', 3) })
    await until(() => ran.length === 1)
    await scheduler.run({ person: 'b', priority: 'short', costMs: 1, steps: () => piecesOf('short', 1) })
    await until(() => ran.length === 3)
    expect(ran).toEqual(['long', 'short', 'long'])

    function* piecesOf(name: string, count: number): QuerySteps<void> {
      for (let at = 0; at < count; at += 1) {
        ran.push(name)
        clock.time += 20
        if (at < count - 1) yield
      }
    }
  })

  it('rests from no long question while a short one waits', async () => {
    const { ask, rests, ran, meanwhile } = scene({ presenceMs: 100 })
    meanwhile.push(() => void ask('short', { person: 'bo' }))
    await ask('long', { priority: 'long', pieces: [20, 20] })
    expect(ran).toEqual(['long', 'short', 'long'])
    expect(rests).toEqual([])
  })

  it('lets a short question in between the pieces of long ones, after at most one of them', async () => {
    const { ask, ran, meanwhile, clock } = scene()
    const hostile = Array.from({ length: 6 }, (_, n) =>
      ask(`long${n}`, { person: 'hostile', priority: 'long', pieces: [1000, 1000, 1000, 1000, 1000] }),
    )
    const waited: number[] = []
    meanwhile.push(
      () => undefined,
      () => {
        const asked = clock.time
        void ask('honest').then(() => waited.push(clock.time - asked))
      },
    )
    await Promise.all(hostile)
    expect(ran.indexOf('honest')).toBe(2)
    expect(waited).toEqual([10])
    expect(ran).toHaveLength(31)
  })

  it('answers the questions of one person in their order, and persons in turn', async () => {
    const { ask, ran } = scene()
    const asked = ['a1', 'a2', 'a3'].map((name) => ask(name, { person: 'a', priority: 'long' }))
    await Promise.all([
      ...asked,
      ask('b1', { person: 'b', priority: 'long' }),
      ask('b2', { person: 'b', priority: 'long' }),
    ])
    expect(ran).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('puts background work behind people', async () => {
    const { ask, ran } = scene()
    const first = ask('first')
    await Promise.all([
      first,
      ask('second'),
      ask('findings', { person: 'anna', priority: 'background' }),
      ask('long', { person: 'b', priority: 'long' }),
      ask('short', { person: 'c' }),
    ])
    expect(ran).toEqual(['first', 'short', 'second', 'long', 'findings'])
  })

  it('gives long questions and background work a turn now and then, however many short ones come', async () => {
    const { ask, ran } = scene({ ageingMs: { short: 0, long: 100, background: 300 } })
    const shorts = Array.from({ length: 60 }, (_, n) => ask(`s${n}`, { person: `p${n}` }))
    await Promise.all([
      ask('long', { priority: 'long', pieces: [10, 10] }),
      ask('bg', { priority: 'background' }),
      ...shorts,
    ])
    const place = (name: string): number[] => ran.flatMap((each, at) => (each === name ? [at] : []))
    // The first question runs at once, before anything waits.
    expect(place('long')).toEqual([11, 22])
    expect(place('bg')).toEqual([31])
  })

  it('waits for what a question needs without holding up others', async () => {
    const { scheduler, ask, ran } = scene()
    const { promise, resolve } = Promise.withResolvers<void>()
    function* steps(): QuerySteps<string> {
      yield promise
      ran.push('blocked')
      return 'blocked'
    }
    const blocked = scheduler.run({ person: 'anna', priority: 'short', costMs: 1, steps })
    await ask('other')
    resolve()
    expect(await blocked).toBe('blocked')
    expect(ran).toEqual(['other', 'blocked'])
  })

  it('does not count what passes while a question waits', async () => {
    const { scheduler, clock, meanwhile } = scene({ budgetMs: 100 })
    meanwhile.push(() => (clock.time += 10_000))
    function* steps(): QuerySteps<string> {
      yield Promise.resolve()
      return 'waited'
    }
    expect(await scheduler.run({ person: 'anna', priority: 'long', costMs: 10, steps })).toBe('waited')
  })

  it('fails with what a question waited for', async () => {
    const { scheduler } = scene()
    function* steps(): QuerySteps<string> {
      yield Promise.reject(new ProductError('query_too_complex'))
      return 'never'
    }
    const asked = scheduler.run({ person: 'anna', priority: 'short', costMs: 1, steps })
    expect((await refusal(asked)).code).toBe('query_too_complex')
  })
})

describe('a line that is full', () => {
  it('sends one person away early, and nobody else', async () => {
    const { ask } = scene({ runningPerPerson: 2, waitingPerPerson: 3 })
    const held = Array.from({ length: 6 }, (_, n) => ask(`q${n}`, { person: 'many' }))
    const refused = await refusal(ask('one more', { person: 'many' }))
    expect([refused.code, refused.details['retryAfter']]).toEqual(['busy', 1])
    expect(await ask('other', { person: 'other' })).toBe('other')
    await Promise.all(held)
    expect(await ask('later', { person: 'many' })).toBe('later')
  })

  it('counts what the questions of a person are expected to take', async () => {
    const { ask } = scene({ workPerPersonMs: 10_000 })
    const heavy: TestQuestion = { person: 'many', priority: 'long', costMs: 6_000, pieces: [1, 1] }
    const first = ask('first', heavy)
    const refused = await refusal(ask('second', heavy))
    expect([refused.code, refused.details['retryAfter']]).toEqual(['busy', 3])
    expect(await ask('light', { person: 'many', costMs: 100 })).toBe('light')
    expect(await first).toBe('first')
    expect(await ask('alone', { ...heavy, costMs: 60_000 })).toBe('alone')
  })

  it('admits a few questions of a person at a time', async () => {
    const { scheduler, ran } = scene({ runningPerPerson: 2 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const asked = Array.from({ length: 4 }, (_, n) =>
      scheduler.run({
        ...{ person: 'anna', priority: 'short', costMs: 1 },
        *steps(): QuerySteps<null> {
          ran.push(`begun ${n}`)
          yield promise
          return null
        },
      }),
    )
    await new Promise((done) => setTimeout(done, 5))
    expect(ran).toEqual(['begun 0', 'begun 1'])
    resolve()
    await Promise.all(asked)
    expect(ran).toHaveLength(4)
  })
})

describe('an answer', () => {
  it('may take so long and no longer, the turns of others not counted', async () => {
    const { ask } = scene({ budgetMs: 2_500 })
    const others = [ask('other', { person: 'b', priority: 'long', pieces: [1000, 1000] })]
    const endless = ask('endless', { priority: 'long', pieces: Array.from({ length: 10 }, () => 1000) })
    const refused = await refusal(endless)
    expect([refused.code, refused.details]).toEqual(['query_too_complex', { what: 'time', max: 3 }])
    expect(await Promise.all(others)).toEqual(['other'])
  })

  it('leaves the queue when it is cancelled, only by who asked', async () => {
    const { scheduler, ask, ran } = scene()
    const long = ask('long', { priority: 'long', pieces: [10, 10, 10], ticket: 't1' })
    const waiting = ask('waiting', { priority: 'long', ticket: 't2' })
    scheduler.cancel('somebody', 't2')
    scheduler.cancel('anna', 't2')
    expect((await refusal(waiting)).code).toBe('busy')
    expect(await long).toBe('long')
    expect(ran).toEqual(['long', 'long', 'long'])
  })

  it('ends between two pieces when it is cancelled on the way', async () => {
    const { scheduler, ask, ran, meanwhile } = scene()
    meanwhile.push(() => scheduler.cancel('anna', 't1'))
    expect((await refusal(ask('long', { priority: 'long', pieces: [10, 10, 10], ticket: 't1' }))).code).toBe('busy')
    expect(ran).toEqual(['long'])
  })

  it('fails alone', async () => {
    const { scheduler, ask } = scene()
    const broken = scheduler.run({
      ...{ person: 'anna', priority: 'short', costMs: 1 },
      *steps(): QuerySteps<null> {
        yield
        throw new TypeError('broken')
      },
    })
    await expect(broken).rejects.toThrow('broken')
    expect(await ask('next')).toBe('next')
  })
})

it('counts the questions of each person in a minute', () => {
  const { scheduler, clock } = scene({ rateMax: 3, rateWindowMs: 60_000 })
  for (let n = 0; n < 3; n += 1) scheduler.countQuestion('anna')
  clock.time += 20_000
  expect(() => scheduler.countQuestion('anna')).toThrow(
    expect.objectContaining({ code: 'rate_limited', details: { retryAfter: 40 } }),
  )
  expect(() => scheduler.countQuestion('bertil')).not.toThrow()
  clock.time += 40_000
  expect(() => scheduler.countQuestion('anna')).not.toThrow()
})

it('counts those of one page a quarter each', () => {
  const { scheduler } = scene({ rateMax: 3, rateWindowMs: 60_000 })
  for (let n = 0; n < 12; n += 1) scheduler.countQuestion('anna', true)
  expect(() => scheduler.countQuestion('anna', true)).toThrow(expect.objectContaining({ code: 'rate_limited' }))
})
