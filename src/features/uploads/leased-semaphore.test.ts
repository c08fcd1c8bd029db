import { expect, it } from 'vitest'
import { LeasedSemaphore } from './leased-semaphore'

it('gives as many turns as there are, one back with each that leaves, and those of the dead', () => {
  const turns = new LeasedSemaphore(2)
  expect(['a', 'b', 'c'].map((token) => turns.acquire(token, 0))).toEqual([true, true, false])
  turns.release('a')
  expect(turns.acquire('c', 1_000)).toBe(true)
  turns.renew('c', 15_000)
  expect(turns.acquire('d', 19_999)).toBe(false)
  expect(turns.acquire('d', 20_000), 'b was not heard of for 20 s').toBe(true)
  expect(turns.acquire('e', 20_000), 'c was').toBe(false)
  turns.renew('gone', 20_000)
  expect(turns.acquire('e', 34_999)).toBe(false)
})
