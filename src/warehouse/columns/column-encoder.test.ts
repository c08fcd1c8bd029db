import { describe, expect, it } from 'vitest'
import { CHUNK_ROWS, decodeCodes, decodeNumbers } from './chunk'
import { ColumnEncoder, keepWithin, type ColumnChunk } from './column-encoder'
import { WORDS_MAX } from './dictionary'
import type { StorageValue } from '../../lib/storage-value'

/** All chunks of a column, as a load makes them. */
function chunksOf(encoder: ColumnEncoder, cells: readonly StorageValue[]): (ColumnChunk | null)[] {
  const chunks: (ColumnChunk | null)[] = []
  for (const [i, cell] of cells.entries()) {
    encoder.add(cell)
    if ((i + 1) % CHUNK_ROWS === 0) chunks.push(encoder.take())
  }
  if (cells.length % CHUNK_ROWS !== 0) chunks.push(encoder.take())
  return chunks
}

function textsOf(chunks: readonly (ColumnChunk | null)[]): (string | null)[] {
  const words: string[] = []
  return chunks.flatMap((each) => {
    if (!each) throw new Error('a chunk is missing')
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
    const chunks = chunksOf(new ColumnEncoder({ key: 'c0', type: 'text' }, [], 'batches'), cells)
    expect(textsOf(chunks)).toEqual(cells)
    expect(chunks[0]?.chunk.bits).toBe(16)
    const few = chunksOf(new ColumnEncoder({ key: 'c0', type: 'text' }, [], 'batches'), ['a', 'b', null, 'a', 'c'])
    expect(few[0]?.chunk.bits).toBe(8)
    const many = chunksOf(
      new ColumnEncoder({ key: 'c0', type: 'text' }, [], 'batches'),
      Array.from({ length: 2 * CHUNK_ROWS }, (_, i) => String(i % 70_000)),
    )
    expect(many[1]?.chunk.bits).toBe(32)
  })

  it('goes on with the dictionary of the chunks before', () => {
    const encoder = new ColumnEncoder({ key: 'c0', type: 'text' }, ['a', 'b'], 'batches')
    const [chunk] = chunksOf(encoder, ['b', 'new', 'a'])
    expect(chunk?.words).toEqual({ first: 3, added: ['new'] })
  })

  it('splits rows past a chunk, 65 537 into two', () => {
    const cells = Array.from({ length: CHUNK_ROWS + 1 }, (_, i) => (i % 5 === 0 ? null : i - 30_000))
    const chunks = chunksOf(new ColumnEncoder({ key: 'c1', type: 'integer' }, [], 'batches'), cells)
    expect(chunks.map((each) => each?.chunk.rows)).toEqual([CHUNK_ROWS, 1])
    const read = chunks.flatMap((each) => {
      const to = new Float64Array(each?.chunk.rows ?? 0)
      if (each) decodeNumbers(each.chunk, to)
      return [...to].map((value) => (Number.isNaN(value) ? null : value))
    })
    expect(read).toEqual(cells)
  })

  it('gives a column up whose texts are more than a dictionary holds, and one whose cells are of another kind', () => {
    const encoder = new ColumnEncoder({ key: 'c0', type: 'text' }, [], 'batches')
    for (let i = 0; i <= WORDS_MAX; i += 1) encoder.add(`own ${i}`)
    expect(encoder.take()).toBeNull()
    expect(encoder.state).toBe('large')
    const mixed = new ColumnEncoder({ key: 'c1', type: 'integer' }, [], 'batches')
    mixed.add('text')
    expect(mixed.take()).toBeNull()
    expect(mixed.state).toBe('unfit')
    for (const text of ['half \ud83d', 'a\0b']) {
      const broken = new ColumnEncoder({ key: 'c0', type: 'text' }, [], 'batches')
      broken.add(text)
      expect(broken.state).toBe('unfit')
    }
  })
})

it('gives up the longest dictionaries when all together are too long, and no other', () => {
  const encoders = [3, 1, 5, 2].map((length, at) => {
    const encoder = new ColumnEncoder({ key: `c${at}`, type: 'text' }, [], 'rows')
    for (let row = 0; row < 10; row += 1) encoder.add(String(row).repeat(length))
    return encoder
  })
  keepWithin(encoders, 110)
  expect(encoders.map(({ state }) => state)).toEqual(['within', 'within', 'within', 'within'])
  keepWithin(encoders, 31)
  expect(encoders.map(({ state }) => state)).toEqual(['large', 'within', 'large', 'within'])
  expect(encoders.map((encoder) => encoder.take() !== null)).toEqual([false, true, false, true])
})
