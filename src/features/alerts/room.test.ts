import { expect, it } from 'vitest'
import { fresh } from './model/machine'
import { KEPT_MAX, KEPT_MAX_BYTES, withRoom } from './room'
import type { KeptGroup } from './rows'

const group = (member: string, over: Partial<KeptGroup> = {}): KeptGroup => ({
  ...{ ...fresh(0), member, label: member, period: null, value: 1, compared: null },
  ...over,
})

it('remembers what goes on, and of the quiet as many as there is room for', () => {
  const quiet = Array.from({ length: 5_000 }, (_, n) => group(`quiet ${n}`))
  const open = group('open', { state: 'open', told: 'open' })
  const begun = group('begun', { streak: 1 })
  const kept = withRoom([...quiet, open, begun])
  expect(kept).toHaveLength(KEPT_MAX)
  expect(kept.slice(-3)).toEqual([quiet[KEPT_MAX - 3], open, begun])
  expect(withRoom(quiet.slice(0, 10))).toEqual(quiet.slice(0, 10))
})

it('fits one row of a database, however long the names of groups are', () => {
  const long = Array.from({ length: 100 }, (_, n) => group('å'.repeat(30_000) + n))
  const open = group('open', { state: 'open', told: 'open' })
  const kept = withRoom([...long, open])
  expect(new TextEncoder().encode(JSON.stringify(kept)).byteLength).toBeLessThanOrEqual(KEPT_MAX_BYTES + 1)
  expect([kept.length, kept.at(-1)]).toEqual([9, open])
})
