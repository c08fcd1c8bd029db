import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RollupAggregator, ValueDictionary, type RowBlock } from './folding'

type Line = { dims: (string | null)[]; amounts: (number | null)[] }
const KEYS = ['c0', 'c1', 'c2'] as const
const MEASURES = ['c8', 'c9'] as const

const linesOf = (dims: number, measures: number) =>
  fc.array(
    fc.record({
      dims: fc.array(fc.constantFrom(null, 'a', 'b', 'c', 'd'), { minLength: dims, maxLength: dims }),
      amounts: fc.array(fc.option(fc.integer({ min: -1000, max: 1000 })), { minLength: measures, maxLength: measures }),
    }),
    { maxLength: 200 },
  )
const scene = fc
  .record({ dims: fc.integer({ min: 1, max: 3 }), measures: fc.integer({ min: 0, max: 2 }) })
  .chain((of) =>
    fc.record({ of: fc.constant(of), lines: linesOf(of.dims, of.measures), size: fc.integer({ min: 1, max: 70 }) }),
  )

function blocksOf(lines: readonly Line[], values: readonly ValueDictionary[], size: number): RowBlock[] {
  const blocks: RowBlock[] = []
  for (let from = 0; from < lines.length; from += size) {
    const some = lines.slice(from, from + size)
    const [first] = lines
    blocks.push({
      rows: some.length,
      ids: values.map((own, n) => Int32Array.from(some, ({ dims }) => own.idOf(dims[n] ?? null))),
      amounts: (first?.amounts ?? []).map((_, n) => Float64Array.from(some, ({ amounts }) => amounts[n] ?? Number.NaN)),
    })
  }
  return blocks
}

/** Groups in the order in which they come, one row at a time. */
function naive(lines: readonly Line[]): unknown[][] {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = JSON.stringify(line.dims)
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()].map((own) => [
    ...(own[0]?.dims ?? []),
    own.length,
    ...(own[0]?.amounts ?? []).flatMap((_, n) => {
      const known = own.flatMap(({ amounts }) => amounts[n] ?? [])
      return known.length === 0
        ? [null, 0, null, null]
        : [known.reduce((sum, each) => sum + each, 0), known.length, Math.min(...known), Math.max(...known)]
    }),
  ])
}

describe('rows folded into groups', () => {
  it('come to what they come to one by one, in blocks of any size', () => {
    fc.assert(
      fc.property(scene, ({ of, lines, size }) => {
        const values = KEYS.slice(0, of.dims).map(() => new ValueDictionary())
        const folding = new RollupAggregator({
          dims: KEYS.slice(0, of.dims),
          measures: MEASURES.slice(0, of.measures),
          max: 1000,
        })
        for (const block of blocksOf(lines, values, size)) folding.add(block)
        expect([...folding.lines(values)]).toEqual(naive(lines))
        const isWhole = (n: number): boolean => lines.every(({ amounts }) => amounts[n] != null)
        expect(folding.whole()).toEqual(folding.measures.filter((_, n) => isWhole(n)))
      }),
    )
  })

  it('keep apart what has thousands of values, and are given up past their limit', () => {
    const values = [new ValueDictionary(), new ValueDictionary()]
    const lines = Array.from({ length: 9_000 }, (_, n): Line => ({ dims: [`${n % 30}`, `${n % 301}`], amounts: [n] }))
    const fold = (max: number): RollupAggregator => {
      const folding = new RollupAggregator({ dims: ['c0', 'c1'], measures: ['c8'], max })
      for (const block of blocksOf(lines, values, 1_000)) folding.add(block)
      return folding
    }
    expect([...fold(9_000).lines(values)]).toEqual(naive(lines))
    const given = fold(5_000)
    expect([given.isAbandoned, given.size, given.cells]).toEqual([true, 0, 0])
  })
})
