import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchesOf } from '../../../test/row-batches'
import { CHUNK_ROWS, decodeCodes, decodeNumbers } from './chunk'
import { ColumnEncoder, keepWithin } from './column-encoder'
import { TextPart } from './texts/text-chunk'
import { decodeBatch } from './column-batch'
import { RowBatcher } from '../../sync/row-batcher'
import { Dictionary, WORDS_MAX } from './dictionary'
import type { StorageValue } from '../../lib/storage-value'
import { anyText } from '../../../test/worker/random/any-text'

function take(encoder: ColumnEncoder) {
  const taken = encoder.take()
  if (taken.kind === 'texts') throw new Error('a dictionary was expected')
  return taken
}
type Taken = ReturnType<typeof take>

/** All chunks of a column, as a load makes them. */
function chunksOf(encoder: ColumnEncoder, cells: readonly StorageValue[]): Taken[] {
  const chunks: Taken[] = []
  for (const [i, cell] of cells.entries()) {
    encoder.add(cell)
    if ((i + 1) % CHUNK_ROWS === 0) chunks.push(take(encoder))
  }
  if (cells.length % CHUNK_ROWS !== 0) chunks.push(take(encoder))
  return chunks
}

function textsOf(chunks: readonly Taken[]): (string | null)[] {
  const words: string[] = []
  return chunks.flatMap((each) => {
    expect(each.words.first).toBe(words.length + 1)
    words.push(...each.words.added)
    const codes = new Int32Array(each.chunk.rows)
    decodeCodes(each.chunk, codes)
    return [...codes].map((code) => (code === 0 ? null : (words[code - 1] ?? 'nothing')))
  })
}

describe('the encoder of a column', () => {
  it('gives texts back over chunks that share one dictionary, which grows past one and two bytes', () => {
    const cells = Array.from({ length: CHUNK_ROWS + 4000 }, (_, i) => (i % 97 === 0 ? null : `text ${i % 66_000}`))
    const chunks = chunksOf(new ColumnEncoder({ key: 'c0', type: 'text' }, []), cells)
    expect(textsOf(chunks)).toEqual(cells)
    expect(chunks[0]?.chunk.bits).toBe(16)
    const few = chunksOf(new ColumnEncoder({ key: 'c0', type: 'text' }, []), ['a', 'b', null, 'a', 'c'])
    expect(few[0]?.chunk.bits).toBe(8)
    const many = chunksOf(
      new ColumnEncoder({ key: 'c0', type: 'text' }, []),
      Array.from({ length: 2 * CHUNK_ROWS }, (_, i) => String(i % 70_000)),
    )
    expect(many[1]?.chunk.bits).toBe(32)
  })

  it('goes on with the dictionary of the chunks before', () => {
    const encoder = new ColumnEncoder({ key: 'c0', type: 'text' }, ['a', 'b'])
    const [chunk] = chunksOf(encoder, ['b', 'new', 'a'])
    expect(chunk?.words).toEqual({ first: 3, added: ['new'] })
  })

  it('splits rows past a chunk, 65 537 into two', () => {
    const cells = Array.from({ length: CHUNK_ROWS + 1 }, (_, i) => (i % 5 === 0 ? null : i - 30_000))
    const chunks = chunksOf(new ColumnEncoder({ key: 'c1', type: 'integer' }, []), cells)
    expect(chunks.map((each) => each.chunk.rows)).toEqual([CHUNK_ROWS, 1])
    const read = chunks.flatMap((each) => {
      const to = new Float64Array(each.chunk.rows)
      decodeNumbers(each.chunk, to)
      return [...to].map((value) => (Number.isNaN(value) ? null : value))
    })
    expect(read).toEqual(cells)
  })

  it('keeps texts as they are once they are more than a dictionary holds, those of the chunk before it included', () => {
    const encoder = new ColumnEncoder({ key: 'c0', type: 'text' })
    const cells = Array.from({ length: WORDS_MAX + 2 }, (_, i) => (i === 1 ? null : `own ${i}`))
    const read: (string | null)[] = []
    const kinds: string[] = []
    for (const [i, cell] of cells.entries()) {
      encoder.add(cell)
      if ((i + 1) % CHUNK_ROWS !== 0 && i + 1 !== cells.length) continue
      const taken = encoder.take()
      kinds.push(taken.kind)
      if (taken.kind === 'values') read.push(...textsOf([{ ...taken, words: { ...taken.words, first: 1 } }]))
      else
        for (const part of taken.parts.map((each) => new TextPart(each)))
          for (let row = 0; row < part.rows; row += 1) read.push(part.text(part.first + row))
    }
    expect(kinds).toEqual(['values', 'values', 'texts'])
    expect(read.slice(2 * CHUNK_ROWS)).toEqual(cells.slice(2 * CHUNK_ROWS))
  })

  it('gives a chunk the decimals of its values, and none where they are too many', () => {
    const scaled = (...cells: (number | [number] | null)[]) => {
      const encoder = new ColumnEncoder({ key: 'c0', type: 'number', scale: 2 })
      for (const cell of cells) encoder.add(cell)
      const { chunk, scale } = take(encoder)
      const values = new Float64Array(chunk.rows)
      decodeNumbers(chunk, values)
      return { scale, values: [...values] }
    }
    expect(scaled(1250, [1.005], -100, null)).toEqual({ scale: 3, values: [12_500, 1005, -1000, Number.NaN] })
    expect(scaled(1250, [0.12345], 10)).toEqual({ scale: undefined, values: [12.5, 0.12345, 0.1] })
    const most = Number.MAX_SAFE_INTEGER
    expect(scaled(most, [0.125])).toEqual({ scale: undefined, values: [most / 100, 0.125] })
    expect(scaled([0.125], most)).toEqual({ scale: undefined, values: [0.125, most / 100] })
  })

  it('takes batches as it takes their cells one by one, and a long batch with too many texts', () => {
    const text = fc.option(anyText({ maxLength: 3 }).map((each) => each.toWellFormed()))
    const cell = fc.option(
      fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, min: -9, max: 9 }).map((n): [number] => [n + 0]),
      ),
    )
    const pair = fc.tuple(text, cell)
    const columns = [
      { key: 'c0', type: 'text' },
      { key: 'c1', type: 'number', scale: 2 },
    ] as const
    fc.assert(
      fc.property(fc.array(fc.array(pair, { minLength: 1, maxLength: 9 }), { maxLength: 5 }), (batches) => {
        for (const [at, column] of columns.entries()) {
          const [whole, single] = [new ColumnEncoder(column), new ColumnEncoder(column)]
          for (const rows of batches) {
            for (const cells of rows) single.add(cells[at] ?? null)
            for (const batch of batchesOf(columns, rows)) {
              const taken = decodeBatch(batch.rows).columns[at]
              if (taken) whole.addBatch(taken, batch.rowCount)
            }
          }
          expect(whole.take()).toEqual(single.take())
        }
      }),
    )
    const encoder = new ColumnEncoder(
      { key: 'c0', type: 'text' },
      Array.from({ length: WORDS_MAX }, (_, n) => `w${n}`),
    )
    const rows = Array.from({ length: 3_000 }, (_, n) => [n % 2 === 0 ? `w${n}` : n % 5 === 0 ? null : `new ${n}`])
    for (const batch of batchesOf([{ type: 'text' }], rows)) {
      const [taken] = decodeBatch(batch.rows).columns
      if (taken) encoder.addBatch(taken, batch.rowCount)
    }
    const taken = encoder.take()
    const parts = taken.kind === 'texts' ? taken.parts.map((each) => new TextPart(each)) : []
    expect(
      parts.flatMap((part) => Array.from({ length: part.rows }, (_, row) => [part.text(part.first + row)])),
    ).toEqual(rows)
  })

  it('takes in no word that only rejected rows have', () => {
    const batcher = new RowBatcher([{ type: 'text' }], 0)
    const read = (word: string, isValid: boolean): void => {
      batcher.reserve(word.length)
      batcher.cells[0] = batcher.texts[0]?.codeOf(word) ?? 0
      if (isValid) batcher.take()
    }
    for (const [word, isValid] of [['a', true], ['b', false], ['c', true], ['d', false], ['a', false], ['c', true], ['b', true]] as const) read(word, isValid) // oxfmt-ignore
    const encoder = new ColumnEncoder({ key: 'c0', type: 'text' }, [])
    for (const batch of batcher.takeRest()) {
      const [taken] = decodeBatch(batch.rows).columns
      if (taken) encoder.addBatch(taken, batch.rowCount)
    }
    const taken = take(encoder)
    expect(taken.words).toEqual({ first: 1, added: ['a', 'c', 'b'] })
    expect(textsOf([taken])).toEqual(['a', 'c', 'c', 'b'])
  })

  it('takes no cell of another kind than its column', () => {
    expect(() => new ColumnEncoder({ key: 'c1', type: 'integer' }, []).add('text')).toThrow('number was expected')
    expect(() => new ColumnEncoder({ key: 'c0', type: 'text' }, []).add(1)).toThrow('text was expected')
  })
})

it('gives up the longest dictionaries when all together are too long, and no other', () => {
  const kindsWithin = (charsMax: number): string[] => {
    const encoders = [3, 1, 5, 2].map((length, at) => {
      const encoder = new ColumnEncoder({ key: `c${at}`, type: 'text' })
      for (let row = 0; row < 10; row += 1) encoder.add(String(row).repeat(length))
      return encoder
    })
    keepWithin(encoders, charsMax)
    return encoders.map((encoder) => encoder.take().kind)
  }
  expect(kindsWithin(110)).toEqual(['values', 'values', 'values', 'values'])
  expect(kindsWithin(31)).toEqual(['texts', 'values', 'texts', 'values'])
})

it('counts the characters of a dictionary alike, whether texts come as they are or in UTF-8', () => {
  fc.assert(
    fc.property(fc.array(anyText().map((each) => each.toWellFormed())), (texts) => {
      const [written, encoded] = [new Dictionary([]), new Dictionary([])]
      for (const text of texts) {
        const bytes = new TextEncoder().encode(text)
        expect(encoded.codeOfBytes(bytes, 0, bytes.length)).toBe(written.codeOf(text))
      }
      expect(encoded.chars).toBe(written.chars)
      expect(encoded.words).toEqual([...new Set(texts)])
    }),
  )
})
