import { expect, it } from 'vitest'
import { OpeningTurns } from './opening-turns'

it('gives as many turns as there are, one back with each that leaves, and those of the dead', () => {
  const turns = new OpeningTurns(2)
  expect(['a', 'b', 'c'].map((token) => turns.take(token, 0))).toEqual([true, true, false])
  turns.leave('a')
  expect(turns.take('c', 1_000)).toBe(true)
  turns.keep('c', 15_000)
  expect(turns.take('d', 19_999)).toBe(false)
  expect(turns.take('d', 20_000), 'b was not heard of for 20 s').toBe(true)
  expect(turns.take('e', 20_000), 'c was').toBe(false)
  turns.keep('gone', 20_000)
  expect(turns.take('e', 34_999)).toBe(false)
})
