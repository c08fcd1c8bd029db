import { expect, it } from 'vitest'
import { isSameDeed } from './deed-roots'

it.each([
  ['receipt', 'received', true],
  ['payment', 'betald', true],
  ['repair', 'repaired', true],
  ['delivery', 'levererad', true],
  ['receipt', 'ordered', false],
  ['booked', 'cancelled', false],
])('%s and %s: one deed %s', (one, two, same) => {
  expect(isSameDeed(one, two)).toBe(same)
})
