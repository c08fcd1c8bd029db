import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowsOfBatch } from '../../test/row-batches'
import { RowBatcher } from './row-batcher'
import { BATCH_MAX_BYTES, REJECTS_STORED_MAX } from '../shared/limits'
import { anyText } from '../../test/worker/random/any-text'

const text = fc.option(fc.oneof(anyText(), fc.string()).map((each) => each.toWellFormed()))
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((n) => n + 0)
const cell = fc.oneof(
  number,
  fc.constant(null),
  number.map((n): [number] => [n]),
)
const COLUMNS = [{ type: 'text' }, { type: 'number' }, { type: 'text' }, { type: 'integer' }] as const
const TEXTS = [{ type: 'text' }, { type: 'integer' }] as const

describe('batches', () => {
  it('carry every cell as it was typed', () => {
    const rows = fc.array(fc.tuple(text, cell, text, cell), { maxLength: 12 })
    fc.assert(
      fc.property(rows, rows, (first, second) => {
        const batcher = new RowBatcher(COLUMNS, 0)
        for (const all of [first, second]) {
          for (const [line, values] of all.entries()) batcher.add({ ok: true, values }, line)
          expect(batcher.takeRest().flatMap((batch) => rowsOfBatch(batch.rows))).toEqual(all)
        }
      }),
    )
  })

  it('stay within the bytes of one statement, also in scripts of three bytes a sign, and lose no row', () => {
    const batcher = new RowBatcher(TEXTS, 0)
    const rows = 3000
    for (let line = 1; line <= rows; line++)
      batcher.add({ ok: true, values: [`${'価'.repeat(400)}${line}`, line] }, line)
    const batches = batcher.takeRest()
    expect(batches.length).toBeGreaterThan(1)
    for (const batch of batches) expect(batch.rows.byteLength).toBeLessThanOrEqual(BATCH_MAX_BYTES)
    expect(batches.flatMap((batch) => rowsOfBatch(batch.rows)).map(([, line]) => line)).toEqual(
      Array.from({ length: rows }, (_, at) => at + 1),
    )
    expect(batches.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(rows)
    expect(batcher.takeRest()).toEqual([])
  })

  it('stay within them where every number is outside its scale', () => {
    const batcher = new RowBatcher(
      Array.from({ length: 40 }, () => ({ type: 'number' as const })),
      0,
    )
    const values = Array.from({ length: 40 }, (_, at): [number] => [Math.PI * 10 ** (at % 9) * -1e7])
    for (let line = 1; line <= 1500; line++) batcher.add({ ok: true, values }, line)
    const batches = batcher.takeRest()
    expect(batches.length).toBeGreaterThan(1)
    for (const batch of batches) expect(batch.rows.byteLength).toBeLessThanOrEqual(BATCH_MAX_BYTES)
  })

  it('take a row that fills nearly a whole statement, and reject one that none can take', () => {
    const batcher = new RowBatcher(TEXTS, 0)
    batcher.add({ ok: true, values: ['x'.repeat(BATCH_MAX_BYTES - 2_000), 1] }, 6)
    batcher.add({ ok: true, values: ['x'.repeat(BATCH_MAX_BYTES), 2] }, 7)
    const batches = batcher.takeRest()
    expect(batches).toMatchObject([{ rowCount: 1, rejects: [{ line: 7, reason: expect.any(String) }] }])
    for (const batch of batches) expect(batch.rows.byteLength).toBeLessThanOrEqual(BATCH_MAX_BYTES)
  })

  it('count all rejected rows and keep only so many, over all segments', () => {
    const batcher = new RowBatcher(TEXTS, REJECTS_STORED_MAX - 1)
    for (let line = 1; line <= 3; line++) batcher.add({ ok: false, reject: { line, reason: 'no', text: '' } }, line)
    expect(batcher.takeRest()).toMatchObject([{ rejectCount: 3, rejects: [{ line: 1 }] }])
    expect([batcher.rowsRead, batcher.rejected]).toEqual([3, 3])
  })
})
