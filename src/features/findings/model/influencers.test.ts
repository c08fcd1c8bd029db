import { describe, expect, it } from 'vitest'
import { findInfluencers, type Factor } from './influencers'

const BUCKETS = 8
/** Cells of two columns with the same rows in each bucket; hits by cell and bucket. */
function pairOf(hitsAt: (a: string, b: string, bucket: number) => number): Factor[] {
  const at = Array.from({ length: BUCKETS }, (_, bucket) => bucket)
  const cells = ['x', 'y', 'z'].flatMap((a) =>
    ['p', 'q', 'r'].map((b) => ({ values: [a, b], rows: at.map(() => 40), hits: at.map((t) => hitsAt(a, b, t)) })),
  )
  return [{ kind: 'pair', keys: ['a', 'b'], cells }]
}
const told = (factors: Factor[]): string[] => findInfluencers(factors).map(({ segment }) => segment.values.join())
const isPlanted = (a: string, b: string): boolean => a === 'x' && b === 'p'

describe('a pair of values', () => {
  it('is told by the lesser of its differences over both halves, though another one is the lesser in each half', () => {
    // Beside the rest of x the first half is nearly as that; beside the rest of p the second is.
    const hits = (a: string, b: string, bucket: number): number => {
      if (isPlanted(a, b)) return 16
      const isEven = bucket % 2 === 0
      if (a === 'x') return isEven ? 13 : 4
      if (b === 'p') return isEven ? 4 : 13
      return 6
    }
    expect(told(pairOf(hits))).toEqual(['x,p'])
  })

  it('is not told where one half shows nothing of it', () => {
    expect(told(pairOf((a, b) => (isPlanted(a, b) ? 16 : 6)))).toEqual(['x,p'])
    expect(told(pairOf((a, b, bucket) => (isPlanted(a, b) && bucket % 2 === 1 ? 18 : 6)))).toEqual([])
    expect(told(pairOf((a, b, bucket) => (isPlanted(a, b) && bucket % 2 === 0 ? 18 : 6)))).toEqual([])
  })

  it('is not told where it is as one of its values is', () => {
    expect(told(pairOf((a) => (a === 'x' ? 16 : 6)))).toEqual([])
  })
})
