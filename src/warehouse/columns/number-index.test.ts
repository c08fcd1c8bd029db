import { expect, it } from 'vitest'
import { hashOf, NumberIndex } from './number-index'

const HANG_MS = 20_000
const COUNT = 80_000

/** The word that one step of the hash came from: `hash ^ (hash >>> by)` undone. */
function beforeShift(hash: number, by: number): number {
  let word = hash
  for (let known = by; known < 32; known += by) word = hash ^ (word >>> by)
  return word
}
/** The word whose mix this is: the factors are the inverses of those of MurmurHash3 modulo 2^32. */
function beforeMix(hash: number): number {
  const second = Math.imul(beforeShift(hash, 16), 0x7ed1b41d)
  return beforeShift(Math.imul(beforeShift(second, 13), 0xa5cb9243), 16)
}
const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
/** A number for each of some high halves, all of which meet in one hash with a seed of 0. */
const meeting = Array.from({ length: COUNT }, (_, i): number => {
  const high = 0x40000000 + i
  words[1] = high
  // The outer mix of this word is 7, whatever the high half.
  words[0] = beforeMix(7) ^ innerMix(high)
  return float[0] ?? 0
})
function innerMix(high: number): number {
  // Of a low half of 0, the mix of the high half is mixed once more.
  return beforeMix(hashOf(0, high, 0))
}

it('numbers values that were chosen to meet in one place as fast as any', { timeout: HANG_MS }, () => {
  const hashes = new Set(
    meeting.map((value) => {
      float[0] = value
      return hashOf(words[0] ?? 0, words[1] ?? 0, 0)
    }),
  )
  expect(hashes).toEqual(new Set([7]))
  const index = new NumberIndex()
  const places = meeting.map((value) => index.placeOf(value))
  expect(places).toEqual(meeting.map((_, i) => i))
  expect(index.size).toBe(COUNT)
})

it('numbers values of one range, their negatives and what is empty in the order in which they come', () => {
  const index = new NumberIndex()
  const values = Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? i : -i) / 4)
  expect(values.map((value) => index.placeOf(value))).toEqual(values.map((_, i) => i))
  expect(values.every((value, i) => index.placeOf(value) === i && index.valueAt(i) === value)).toBe(true)
  expect(index.placeOf(-0)).toBe(index.placeOf(0))
})
