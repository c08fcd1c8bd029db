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

  it('is told whatever stands farther apart in one half alone', () => {
    const isOfOneHalf = (a: string, b: string): boolean => !isPlanted(a, b) && a !== 'x' && b !== 'p'
    const hits = (a: string, b: string, bucket: number): number =>
      isPlanted(a, b) ? 15 : isOfOneHalf(a, b) && bucket % 2 === 0 ? 26 : 6
    expect(told(pairOf(hits))).toEqual(['x,p'])
  })

  it('is told of few rows where these are nearly always so, and not where a hit more would be luck', () => {
    const few = (hitsAt: (bucket: number) => number): Factor[] =>
      pairOf(() => 1).map((factor) => ({
        ...factor,
        cells: factor.cells.map((cell) => {
          const [a, b] = cell.values.map(String)
          return isPlanted(a ?? '', b ?? '')
            ? { ...cell, rows: cell.rows.map(() => 4), hits: cell.hits.map((_, bucket) => hitsAt(bucket)) }
            : cell
        }),
      }))
    expect(told(few(() => 3))).toEqual(['x,p'])
    expect(told(few((bucket) => (bucket < 4 ? 1 : 0)))).toEqual([])
  })

  it('tells for the values beside it, which are less often so than a rest that holds it', () => {
    const pairs = pairOf((a, b) => (isPlanted(a, b) ? 34 : 8))
    const valuesOf = (at: number): Factor => {
      const names = [...new Set(pairs[0]?.cells.map(({ values }) => values[at]))]
      const cells = names.map((name = null) => {
        const own = (pairs[0]?.cells ?? []).filter(({ values }) => values[at] === name)
        const sum = (of: 'rows' | 'hits'): number[] =>
          Array.from({ length: BUCKETS }, (_, t) => own.reduce((all, cell) => all + (cell[of][t] ?? 0), 0))
        return { values: [name], rows: sum('rows'), hits: sum('hits') }
      })
      return { kind: 'value', keys: [pairs[0]?.keys[at] ?? ''], cells }
    }
    expect(told([valuesOf(0)])).toContain('y')
    expect(told([valuesOf(0), valuesOf(1), ...pairs])).toEqual(['x,p'])
  })
})

describe('a value within another one', () => {
  const at = Array.from({ length: BUCKETS }, (_, bucket) => bucket)
  const cell = (values: string[], hits: number) => ({ values, rows: at.map(() => 40), hits: at.map(() => hits) })
  /** People of three clinics, two each; those of the first see fewer of their patients, one of them perhaps still fewer. */
  const clinics = (hits: readonly [number, number]): Factor[] => {
    const people = [
      { values: ['north', 'ann'], hits: hits[0] },
      { values: ['north', 'bo'], hits: hits[1] },
      ...['south', 'east'].flatMap((clinic) => [1, 2].map((n) => ({ values: [clinic, `${clinic}${n}`], hits: 3 }))),
    ]
    const sums = ['north', 'south', 'east'].map((clinic) => {
      const own = people.filter(({ values }) => values[0] === clinic)
      const sum = own.reduce((all, one) => all + one.hits, 0)
      return { values: [clinic], rows: at.map(() => 80), hits: at.map(() => sum) }
    })
    return [
      { kind: 'value', keys: ['clinic'], cells: sums },
      { kind: 'value', keys: ['person'], cells: people.map((one) => cell(one.values.slice(1), one.hits)) },
      { kind: 'pair', keys: ['clinic', 'person'], cells: people.map((one) => cell(one.values, one.hits)) },
    ]
  }

  it('is told by that where it is as often so, and by itself where it is more often', () => {
    expect(told(clinics([12, 12])).filter((value) => ['north', 'ann', 'bo'].includes(value))).toEqual(['north'])
    expect(told(clinics([24, 8]))).toContain('ann')
  })

  it('tells for that where the rest of it is as all others', () => {
    expect(told(clinics([16, 3])).filter((value) => ['north', 'ann'].includes(value))).toEqual(['ann'])
  })
})
