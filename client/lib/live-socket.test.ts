import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shareSocket } from './live-socket'

class FakeSocket extends EventTarget {
  constructor() {
    super()
    open.push(this)
  }
  send(): void {
    // Pings go nowhere.
  }
  close(): void {
    open.splice(open.indexOf(this), 1)
    this.dispatchEvent(new CloseEvent('close', { code: 1000 }))
  }
}
const open: FakeSocket[] = []

/** Locks of one browser: whoever asked first holds, the others wait in line. */
function fakeLocks() {
  const lines = new Map<string, Promise<void>>()
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>): Promise<void> => {
      const turn = (lines.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : work()))
      lines.set(name, turn)
      return turn
    },
  }
}

/** Tabs of one browser hear each other, never themselves. */
class FakeChannel extends EventTarget {
  static readonly all = new Set<FakeChannel>()
  readonly name: string
  constructor(name: string) {
    super()
    this.name = name
    FakeChannel.all.add(this)
  }
  postMessage(data: unknown): void {
    for (const one of FakeChannel.all)
      if (one !== this && one.name === this.name) one.dispatchEvent(new MessageEvent('message', { data }))
  }
  close(): void {
    FakeChannel.all.delete(this)
  }
}

let browser: { onLine: boolean; locks: ReturnType<typeof fakeLocks> }
let visibility: DocumentVisibilityState = 'visible'
function see(state: DocumentVisibilityState): void {
  visibility = state
  document.dispatchEvent(new Event('visibilitychange'))
}
const settle = () => vi.advanceTimersByTimeAsync(0)
const stops: (() => void)[] = []

function tab(workspaceId = 'w') {
  const heard: string[] = []
  const stop = shareSocket({
    ...{ userId: 'anna', workspaceId },
    onMessage: ({ events }) => void heard.push(`${events.length} events`),
    onUp: (again) => void heard.push(again ? 'up again' : 'up'),
    onDown: () => void heard.push('down'),
  })
  stops.push(stop)
  return { heard, stop }
}
const MESSAGE = JSON.stringify({ events: [{ kind: 'changed', noun: 'insight', id: null }], spread: 0 })
const say = () => open[0]?.dispatchEvent(new MessageEvent('message', { data: MESSAGE }))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('BroadcastChannel', FakeChannel)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  browser = { onLine: true, locks: fakeLocks() }
  vi.stubGlobal('navigator', browser)
})
afterEach(() => {
  stops.splice(0).forEach((stop) => stop())
  open.length = 0
  visibility = 'visible'
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('is held by one tab, from which the others hear all', async () => {
  const [first, second, elsewhere] = [tab(), tab(), tab('other')]
  await settle()
  // One for each workspace.
  expect(open).toHaveLength(2)
  open[0]?.dispatchEvent(new Event('open'))
  say()
  expect([first.heard.at(-1), second.heard.at(-1), elsewhere.heard]).toEqual(['1 events', '1 events', []])
})

it('goes to the next tab when the one that holds it is closed', async () => {
  const [first, second] = [tab(), tab()]
  await settle()
  const [held] = open
  first.stop()
  await settle()
  expect([open.length, open[0] === held]).toEqual([1, false])
  open[0]?.dispatchEvent(new Event('open'))
  say()
  expect(second.heard.at(-1)).toBe('1 events')
})

it('is given up by a page that stays hidden, not by one that is looked away from for a moment', async () => {
  const { heard } = tab()
  await settle()
  open[0]?.dispatchEvent(new Event('open'))
  see('hidden')
  await vi.advanceTimersByTimeAsync(5_000)
  see('visible')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(open).toHaveLength(1)
  see('hidden')
  await vi.advanceTimersByTimeAsync(11_000)
  expect([open.length, heard.at(-1)]).toEqual([0, 'down'])
  see('visible')
  await settle()
  open[0]?.dispatchEvent(new Event('open'))
  expect(heard.at(-1)).toBe('up again')
})

it('is given up at once without a network, and taken again with it', async () => {
  tab()
  await settle()
  browser.onLine = false
  window.dispatchEvent(new Event('offline'))
  expect(open).toHaveLength(0)
  browser.onLine = true
  window.dispatchEvent(new Event('online'))
  await settle()
  expect(open).toHaveLength(1)
})

it('is one for each tab where tabs cannot agree', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  tab()
  tab()
  await settle()
  expect(open).toHaveLength(2)
})
