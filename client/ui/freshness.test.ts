import { expect, it } from 'vitest'
import { describeFreshness, type FreshnessInput } from './freshness'

const NOW = Date.parse('2026-11-20T13:05:00Z')
const line = (over: Partial<FreshnessInput> = {}) =>
  describeFreshness({
    ...{ asOf: '14:02', updatedAt: NOW, loading: false, failed: false, offline: false, now: NOW },
    sources: { failed: [], loading: false },
    ...over,
  })

it.each<[string, Partial<FreshnessInput>, string, string]>([
  ['fresh', {}, 'fresh', 'Data as of 14:02 · updated just now'],
  ['older', { updatedAt: NOW - 180_000 }, 'fresh', 'Data as of 14:02 · updated 3 minutes ago'],
  ['on the way', { loading: true }, 'working', 'Data as of 14:02 · getting newer figures'],
  ['stale', { failed: true }, 'stale', 'Data as of 14:02 · newer figures could not be asked for'],
  ['offline', { offline: true }, 'stale', 'Data as of 14:02 · offline, nothing new until the connection is back'],
  ['loading', { sources: { failed: [], loading: true } }, 'working', 'Data as of 14:02 · new rows are being loaded'],
  [
    'failed',
    { sources: { failed: ['Orders', 'Books'], loading: true } },
    'failed',
    'Data as of 14:02 · the last load of Orders and Books failed',
  ],
  ['empty', { asOf: null }, 'fresh', 'No data yet'],
])('%s figures say so', (_name, over, state, words) => {
  expect(line(over)).toEqual({ state, words })
})

it('says first what keeps newer figures away', () => {
  const all = { offline: true, failed: true, loading: true, sources: { failed: ['Orders'], loading: true } }
  expect(line(all).words).toContain('offline')
  expect(line({ ...all, offline: false }).words).toContain('could not be asked for')
})
