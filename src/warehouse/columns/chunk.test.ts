import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHUNK_ROWS, decodeCodes, decodeNumbers, encodeNumbers, isIntact, type EncodedChunk } from './chunk'

const NULL = Number.NaN
const roundTrip = (values: readonly number[]): number[] => {
  const chunk = encodeNumbers(Float64Array.from(values), values.length)
  expect(isIntact(chunk)).toBe(true)
  const to = new Float64Array(values.length)
  decodeNumbers(chunk, to)
  return [...to]
}
const encoded = (values: readonly number[]): EncodedChunk => encodeNumbers(Float64Array.from(values), values.length)

const scaled = (scale: number): fc.Arbitrary<number> =>
  fc.integer({ min: -(10 ** Math.min(scale + 3, 15)), max: 10 ** Math.min(scale + 3, 15) })
const hostile = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    2 ** 53,
    -(2 ** 53),
    2 ** 53 - 1,
    1 - 2 ** 53,
    2 ** 60,
    1e308,
    5e-324,
    Infinity,
    -Infinity,
  ),
  fc.double({ noNaN: true }),
  fc.integer(),
  ...[4, 9, 12, 18].map(scaled),
)
const cells = (value: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  fc.array(fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constant(NULL) }), { maxLength: 300 })

describe('a chunk of a column', () => {
  it('gives back every number as it was, −0, those past 2^53 and empty cells included', () => {
    fc.assert(
      fc.property(cells(hostile), (values) => {
        expect(roundTrip(values)).toEqual(values)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps whole numbers in the least width that their span needs, wherever they lie', () => {
    const span = fc.constantFrom(
      [0, 0],
      [1, 1],
      [255, 8],
      [256, 16],
      [65_535, 16],
      [65_536, 32],
      [2 ** 32 - 1, 32],
      [2 ** 32, 64],
    )
    fc.assert(
      fc.property(span, fc.integer({ min: -(2 ** 52), max: 2 ** 51 }), ([most = 0, bits], base) => {
        const values = [base, NULL, base + most, base + Math.floor(most / 2)]
        expect(encoded(values).bits).toBe(bits)
        expect(roundTrip(values)).toEqual(values)
      }),
    )
  })

  it('keeps nothing but the bounds of a column with one value, and takes a bit a row of a boolean', () => {
    expect(encoded([7, 7, 7])).toMatchObject({ bits: 0, base: 7, least: 7, most: 7, nulls: 0 })
    expect(encoded([7, 7, 7]).data.byteLength).toBe(0)
    expect(encoded(Array.from({ length: 8000 }, (_, i) => i % 2)).data.byteLength).toBe(1000)
  })

  it('tells the least, the most and how many are empty', () => {
    expect(encoded([3, NULL, -2, 9])).toMatchObject({ least: -2, most: 9, nulls: 1 })
    expect(encoded([NULL, NULL])).toMatchObject({ least: null, most: null, nulls: 2 })
    expect(encoded([])).toMatchObject({ rows: 0, least: null, most: null, nulls: 0 })
    expect(roundTrip([NULL, NULL])).toEqual([NULL, NULL])
  })

  it('holds a chunk of all rows, and of one', () => {
    const values = Float64Array.from({ length: CHUNK_ROWS }, (_, i) => (i % 11 === 0 ? NULL : i * 3 - 70_000))
    const to = new Float64Array(CHUNK_ROWS)
    decodeNumbers(encodeNumbers(values, CHUNK_ROWS), to)
    expect(to).toEqual(values)
    expect(roundTrip([42])).toEqual([42])
  })

  it('reads codes of every width, those of a chunk that has only high ones included', () => {
    for (const codes of [
      [0, 1, 0],
      [5, 5],
      [0, 200, 3],
      [70, 300],
      [0, 65_537, 2],
      [65_530, 65_536],
    ]) {
      const to = new Int32Array(codes.length)
      decodeCodes(encoded(codes), to)
      expect([...to]).toEqual(codes)
    }
  })

  it('finds any byte that was changed, and bytes that are missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { minLength: 2, maxLength: 60 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (values, at, by) => {
          const chunk = encoded([...values, 0, 2 ** 33])
          const data = chunk.data.slice(0)
          const bytes = new Uint8Array(data)
          bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ by
          expect(isIntact({ ...chunk, data })).toBe(false)
          expect(isIntact({ ...chunk, data: chunk.data.slice(4) })).toBe(false)
        },
      ),
    )
  })
})
