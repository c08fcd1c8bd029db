import { expect, it } from 'vitest'
import { describeFreshness, type FreshnessInput } from './freshness'

const line = (over: Partial<FreshnessInput> = {}) =>
  describeFreshness({
    ...{ asOf: '14:02', loading: false, failed: false, offline: false },
    sources: { failed: [], loading: false },
    ...over,
  })

it.each<[string, Partial<FreshnessInput>, string, string]>([
  ['fresh', {}, 'fresh', 'Updated 14:02'],
  ['on the way', { loading: true }, 'working', 'Updated 14:02 · refreshing'],
  ['stale', { failed: true }, 'stale', 'Updated 14:02 · couldn’t refresh'],
  ['offline', { offline: true }, 'stale', 'Updated 14:02 · offline'],
  ['loading', { sources: { failed: [], loading: true } }, 'working', 'Updated 14:02 · importing'],
  [
    'failed',
    { sources: { failed: ['Orders', 'Books'], loading: true } },
    'failed',
    'Updated 14:02 · import of Orders and Books failed',
  ],
  ['empty', { asOf: null }, 'fresh', 'No data yet'],
])('%s figures say so', (_name, over, state, words) => {
  expect(line(over)).toEqual({ state, words })
})

it('says first what keeps newer figures away', () => {
  const all = { offline: true, failed: true, loading: true, sources: { failed: ['Orders'], loading: true } }
  expect(line(all).words).toContain('offline')
  expect(line({ ...all, offline: false }).words).toContain('couldn’t refresh')
})
