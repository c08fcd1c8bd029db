import { expect, it } from 'vitest'
import { initialState } from './model/alert-state'
import { STORED_GROUPS_MAX, STORED_GROUPS_MAX_BYTES, limitStoredGroups, type StoredGroup } from './stored-groups'

const group = (member: string, over: Partial<StoredGroup> = {}): StoredGroup => ({
  ...{ ...initialState(0), member, label: member, period: null, value: 1, compared: null },
  ...over,
})

it('remembers what goes on, and of the quiet as many as there is room for', () => {
  const quiet = Array.from({ length: 5_000 }, (_, n) => group(`quiet ${n}`))
  const open = group('open', { state: 'open', told: 'open' })
  const begun = group('begun', { streak: 1 })
  const kept = limitStoredGroups([...quiet, open, begun])
  expect(kept).toHaveLength(STORED_GROUPS_MAX)
  expect(kept.slice(-3)).toEqual([quiet[STORED_GROUPS_MAX - 3], open, begun])
  expect(limitStoredGroups(quiet.slice(0, 10))).toEqual(quiet.slice(0, 10))
})

it('fits one row of a database, however long the names of groups are', () => {
  const long = Array.from({ length: 100 }, (_, n) => group('å'.repeat(30_000) + n))
  const open = group('open', { state: 'open', told: 'open' })
  const kept = limitStoredGroups([...long, open])
  expect(new TextEncoder().encode(JSON.stringify(kept)).byteLength).toBeLessThanOrEqual(STORED_GROUPS_MAX_BYTES + 1)
  expect([kept.length, kept.at(-1)]).toEqual([9, open])
})
