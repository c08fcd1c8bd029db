import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance } from './edit-distance'

/** The same by every pair of places. */
function naive(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => i || j))
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity
      const own = rows[i]
      if (own) own[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped)
    }
  return at(a.length, b.length)
}

it('counts letters that differ, swapped ones once', () => {
  const distances = [
    ...[editDistance('chair', 'chair', 2), editDistance('chair', 'chiar', 2), editDistance('chair', 'chairs', 2)],
    ...[editDistance('chair', 'cheir', 2), editDistance('chair', 'table', 2), editDistance('revenue', 'revneu', 2)],
  ]
  expect(distances).toEqual([0, 1, 1, 1, 3, 2])
})

it('says of texts, and of their bytes, what all pairs of places say, up to the most that is asked for', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
      const [left, right] = [a, b].map((text) => new TextEncoder().encode(text))
      expect(editDistance(a, b, most)).toBe(Math.min(naive(a, b), most + 1))
      expect(editDistance(left ?? a, right ?? b, most)).toBe(editDistance(a, b, most))
    }),
    { seed: 20_261_128, numRuns: 300 },
  )
})
