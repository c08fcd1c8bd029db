import { describe, expect, it } from 'vitest'
import { readSessionRecord } from './session-record'

const HASH = 'a'.repeat(64)
const ANNA = { userId: 'usr_anna', epoch: 1 }

/** A KV namespace of one value that counts how often it is read. */
function oneValue(value: unknown) {
  const state = { value, reads: 0, now: 1_000_000 }
  const sessions = new Proxy({} as KVNamespace, {
    get: (_target, key) => (key === 'get' ? () => (state.reads++, Promise.resolve(state.value)) : undefined),
  })
  const deps = { sessions, clock: { now: () => state.now } }
  return { state, agrees: (row = ANNA) => readSessionRecord(deps, HASH)(row) }
}

describe('the record of a session in KV', () => {
  it('is read once a minute by pages that ask again and again', async () => {
    const { state, agrees } = oneValue(ANNA)
    for (let i = 0; i < 10; i++) expect(await agrees()).toBe(true)
    expect(state.reads).toBe(1)
    state.now += 60_000
    expect(await agrees()).toBe(true)
    expect(state.reads).toBe(2)
  })

  it('refuses another person, another epoch and what is no record, and lets the right one in at once', async () => {
    const { state, agrees } = oneValue({ ...ANNA, userId: 'usr_else' })
    expect(await agrees()).toBe(false)
    state.value = { ...ANNA, epoch: 2 }
    expect(await agrees()).toBe(false)
    state.value = 'nonsense'
    expect(await agrees()).toBe(false)
    state.value = ANNA
    expect(await agrees()).toBe(true)
  })

  it('never lets a remembered record speak for a newer epoch', async () => {
    const { state, agrees } = oneValue(ANNA)
    expect(await agrees()).toBe(true)
    expect(await agrees({ ...ANNA, epoch: 2 })).toBe(false)
    state.value = { ...ANNA, epoch: 2 }
    expect(await agrees({ ...ANNA, epoch: 2 })).toBe(true)
  })

  it('leaves it to the row when there is none', async () => {
    const { state, agrees } = oneValue(null)
    expect([await agrees(), await agrees()]).toEqual([true, true])
    expect(state.reads).toBe(1)
    state.value = { ...ANNA, epoch: 2 }
    state.now += 60_000
    expect(await agrees()).toBe(false)
  })
})
