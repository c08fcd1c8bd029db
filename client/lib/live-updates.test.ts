import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { liveUpdates, isOutdated, isEventDriven, isInvalidatedBy } from './live-updates'
import { backoffMs, LiveSocket, liveUrl } from './live-socket'
import { LIVE_NOUNS, type LiveEvent } from '../../src/shared/live'
import type { Measure, QueryPlan } from '../../src/shared/query/plan'

const count = (dataset: string, more: Partial<QueryPlan> = {}): QueryPlan => ({
  v: 1,
  kind: 'aggregate',
  dataset,
  measures: [{ kind: 'column', agg: 'count' }],
  dimensions: [],
  filters: [],
  ...more,
})
const metric = (id: string): Measure => ({ kind: 'metric', id })
/** A kept answer to a plan, of these versions. */
const figures = (plan: QueryPlan, versions?: Record<string, number>, more: object = {}) => ({
  queryKey: ['figures', plan],
  state: {
    data: versions && {
      datasets: Object.entries(versions).map(([id, dataVersion]) => ({ id, dataVersion })),
      ...more,
    },
  },
})
const kept = (...queryKey: string[]) => ({ queryKey, state: {} })
const data = (datasetId: string, dataVersion: number): LiveEvent => ({ kind: 'data', datasetId, dataVersion })
const changed = (noun: (typeof LIVE_NOUNS)[number], id: string | null = null): LiveEvent => ({
  kind: 'changed',
  noun,
  id,
})

describe('what new rows make stale', () => {
  const stale = isInvalidatedBy([data('a', 3)])
  it('is every answer from older rows of that dataset, and no other', () => {
    expect(stale(figures(count('a'), { a: 2 }))).toBe(true)
    expect(stale(figures(count('a'), { a: 3 }))).toBe(false)
    expect(stale(figures(count('b'), { b: 1 }))).toBe(false)
    expect(stale(figures(count('b'), { b: 1, a: 2 }))).toBe(true)
  })

  it('is a question that waits for its first answer when it may read that dataset', () => {
    expect(stale(figures(count('a')))).toBe(true)
    expect(stale(figures(count('b')))).toBe(false)
    expect(stale(figures(count('b', { measures: [metric('m')] })))).toBe(true)
  })

  it('is what is known of sources, and nothing of people', () => {
    expect(stale(kept('sources', 'list'))).toBe(true)
    expect(stale(kept('targets'))).toBe(true)
    expect(stale(kept('members'))).toBe(false)
    expect(stale(kept('insights', 'list'))).toBe(false)
  })
})

describe('what a change makes stale', () => {
  it('is what is kept of its noun, and figures that rest on it', () => {
    const byMetric = figures(count('a', { measures: [metric('m')] }), { a: 1 })
    expect(isInvalidatedBy([changed('metric', 'm')])(byMetric)).toBe(true)
    expect(isInvalidatedBy([changed('metric', 'other')])(byMetric)).toBe(false)
    expect(isInvalidatedBy([changed('metric')])(byMetric)).toBe(true)
    expect(isInvalidatedBy([changed('metric')])(figures(count('a'), { a: 1 }))).toBe(false)
    expect(isInvalidatedBy([changed('dataset', 'a')])(byMetric)).toBe(true)
    expect(isInvalidatedBy([changed('insight', 'i')])(byMetric)).toBe(false)
    expect(isInvalidatedBy([changed('source', 's')])(figures(count('a'), { a: 1 }))).toBe(true)
    expect(isInvalidatedBy([changed('insight', 'i')])(kept('insights', 'one', 'i'))).toBe(true)
    expect(isInvalidatedBy([changed('rates')])(figures(count('a'), { a: 1 }, { conversion: {} }))).toBe(true)
    expect(isInvalidatedBy([changed('rates')])(figures(count('a'), { a: 1 }))).toBe(false)
    expect(isInvalidatedBy([changed('relation')])(figures(count('a'), { a: 1, b: 1 }))).toBe(true)
  })

  it('is the briefing, whenever something that it tells of becomes true', () => {
    for (const noun of ['finding', 'alert', 'forecast', 'source', 'note', 'comment'] as const)
      expect([noun, isInvalidatedBy([changed(noun)])(kept('briefing', 'ws'))]).toEqual([noun, true])
    expect(isInvalidatedBy([data('a', 3)])(kept('briefing', 'ws'))).toBe(false)
  })

  it('is found under a key for every noun, also by a page that missed it', () => {
    for (const noun of LIVE_NOUNS) {
      const roots = [
        'insights',
        'findings',
        'metrics',
        'groupings',
        'targets',
        'alerts',
        'forecasts',
        'reports',
        'notes',
        'comments',
        'rates',
        'sources',
        'relations',
        'groups',
        'members',
        'categories',
        'accounts',
      ]
      const found = roots.filter((root) => isInvalidatedBy([changed(noun)])(kept(root, 'list')))
      expect(found, noun).not.toEqual([])
      expect(found.every((root) => isEventDriven(kept(root, 'list')))).toBe(true)
    }
  })

  it('is told by the versions of the data to a page that heard nothing', () => {
    const stands = isOutdated([{ id: 'a', dataVersion: 2 }])
    expect([
      stands(figures(count('a'), { a: 1 })),
      stands(figures(count('a'), { a: 2 })),
      stands(kept('sources')),
    ]).toEqual([true, false, false])
  })
})

describe('an open page', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const page = (isVisible: boolean, random = 1) => {
    const client = new QueryClient()
    const asked = vi.fn(async () => ({ datasets: [{ id: 'a', dataVersion: 1 }], at: Date.now() }))
    const plan = count('a')
    const observed = client.getQueryCache().build(client, { queryKey: ['figures', plan], queryFn: asked })
    const updates = liveUpdates({ client, random: () => random, isVisible: () => isVisible })
    return { client, asked, observed, updates, key: ['figures', plan] }
  }
  const watched = async (isVisible: boolean, random = 1) => {
    const made = page(isVisible, random)
    const { QueryObserver } = await import('@tanstack/react-query')
    const stop = new QueryObserver(made.client, { queryKey: made.key, queryFn: made.asked }).subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    return { ...made, stop }
  }

  it('keeps the old figures, marked, until the new ones are there', async () => {
    const { client, asked, updates, key, stop } = await watched(true)
    const old = client.getQueryData(key)
    updates.handleMessage({ events: [data('a', 2)], spread: 100 })
    expect(client.getQueryState(key)).toMatchObject({ isInvalidated: true, data: old })
    expect(asked).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toHaveBeenCalledTimes(2)
    expect(client.getQueryState(key)?.isInvalidated).toBe(false)
    stop()
  })

  it('asks once for a burst', async () => {
    const { asked, updates, stop } = await watched(true)
    for (let version = 2; version < 50; version++) updates.handleMessage({ events: [data('a', version)], spread: 50 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked).toHaveBeenCalledTimes(2)
    stop()
  })

  it('asks again what was being asked when it was told: that answer may be from before', async () => {
    const { client, asked, updates, key, stop } = await watched(true)
    asked.mockImplementationOnce(async () => {
      await new Promise((answered) => setTimeout(answered, 40))
      return { datasets: [{ id: 'a', dataVersion: 1 }], at: Date.now() }
    })
    void client.refetchQueries({ queryKey: key })
    await vi.advanceTimersByTimeAsync(10)
    updates.handleMessage({ events: [data('a', 2)], spread: 100 })
    await vi.advanceTimersByTimeAsync(50)
    expect(client.getQueryState(key)).toMatchObject({ isInvalidated: false, fetchStatus: 'idle' })
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toHaveBeenCalledTimes(3)
    stop()
  })

  it('asks within two seconds in the background, and at once alone in the foreground', async () => {
    const hidden = await watched(false)
    const shown = await watched(true)
    hidden.updates.handleMessage({ events: [data('a', 2)], spread: 1 })
    shown.updates.handleMessage({ events: [data('a', 2)], spread: 1 })
    await vi.advanceTimersByTimeAsync(2)
    expect([hidden.asked.mock.calls.length, shown.asked.mock.calls.length]).toEqual([1, 2])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(hidden.asked).toHaveBeenCalledTimes(2)
    hidden.stop()
    shown.stop()
  })
})

describe('the socket of a page', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  class FakeSocket extends EventTarget {
    sent: string[] = []
    send(text: string): void {
      this.sent.push(text)
    }
    close(code = 1000): void {
      this.dispatchEvent(new CloseEvent('close', { code }))
    }
  }
  const connect = () => {
    const sockets: FakeSocket[] = []
    const seen: string[] = []
    const open = () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      // A test's socket has what the page uses of one.
      return socket as unknown as WebSocket
    }
    const socket = new LiveSocket(
      'ws://here/live',
      {
        onMessage: ({ events }) => seen.push(`heard ${events.length}`),
        onUp: (again) => seen.push(again ? 'up again' : 'up'),
        onDown: () => seen.push('down'),
      },
      { open, random: () => 1 },
    )
    const say = (data: string) => sockets.at(-1)?.dispatchEvent(new MessageEvent('message', { data }))
    return { socket, sockets, seen, say }
  }
  const opened = (socket: FakeSocket | undefined) => socket?.dispatchEvent(new Event('open'))

  it('comes back after a loss, says that something was missed, and takes only what it understands', () => {
    const { socket, sockets, seen, say } = connect()
    socket.start()
    opened(sockets[0])
    say(JSON.stringify({ events: [data('a', 1)], spread: 0 }))
    say('{"events":"all"}')
    say('pong')
    sockets[0]?.close(1006)
    vi.advanceTimersByTime(1_000)
    opened(sockets[1])
    expect(seen).toEqual(['up', 'heard 1', 'down', 'up again'])
    socket.stop()
  })

  it('notices a line that went dead, and opens another', () => {
    const { socket, sockets } = connect()
    socket.start()
    opened(sockets[0])
    vi.advanceTimersByTime(25_000)
    expect(sockets[0]?.sent).toEqual(['ping'])
    vi.advanceTimersByTime(12_000)
    expect(sockets).toHaveLength(2)
    socket.stop()
  })

  it('keeps away for a while when newer pages of the person took its place', () => {
    const { socket, sockets } = connect()
    socket.start()
    opened(sockets[0])
    sockets[0]?.close(4002)
    vi.advanceTimersByTime(4 * 60_000)
    expect(sockets).toHaveLength(1)
    vi.advanceTimersByTime(61_000)
    expect(sockets).toHaveLength(2)
    socket.stop()
  })

  it('is quiet once it is stopped', () => {
    const { socket, sockets, seen } = connect()
    socket.start()
    opened(sockets[0])
    socket.stop()
    vi.advanceTimersByTime(10 * 60_000)
    expect([sockets.length, seen]).toEqual([1, ['up', 'down']])
  })

  it('waits ever longer, never above a minute, and never all at the same time', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.double({ min: 0, max: 1, noNaN: true }), (tries, random) => {
        const wait = backoffMs(tries, () => random)
        expect(wait).toBeGreaterThanOrEqual(Math.min(60_000, 1_000 * 2 ** tries) / 4)
        expect(wait).toBeLessThanOrEqual(60_000)
      }),
    )
  })

  it('goes to the origin of the page, safely where the page is', () => {
    expect(liveUrl('w 1', { protocol: 'https:', host: 'insikt.example' })).toBe('wss://insikt.example/live?w=w%201')
    expect(liveUrl('w', { protocol: 'http:', host: 'localhost:8787' })).toBe('ws://localhost:8787/live?w=w')
  })
})
