import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowBatcher } from './row-batcher'
import { BATCH_MAX_BYTES, REJECTS_STORED_MAX } from '../shared/limits'

const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  number,
  fc.constant(null),
  number.map((n): [number] => [n]),
)
const byteLength = (text: string): number => new TextEncoder().encode(text).length

describe('batches', () => {
  it('carry every cell as it was typed', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 8 }), (values) => {
        const batcher = new RowBatcher(0)
        batcher.add({ ok: true, values }, 1)
        const [batch] = batcher.takeRest()
        expect(JSON.parse(batch?.rows ?? '')).toEqual([JSON.parse(JSON.stringify(values))])
      }),
    )
  })

  it('stay within the bytes of one statement, also in scripts of three bytes a sign, and lose no row', () => {
    const batcher = new RowBatcher(0)
    const rows = 3000
    for (let line = 1; line <= rows; line++) batcher.add({ ok: true, values: ['価'.repeat(400), line] }, line)
    const batches = batcher.takeRest()
    expect(batches.length).toBeGreaterThan(1)
    for (const { rows: json } of batches) expect(byteLength(json)).toBeLessThanOrEqual(BATCH_MAX_BYTES)
    const read = batches.flatMap(({ rows: json }) => JSON.parse(json) as [string, number][])
    expect(read.map(([, line]) => line)).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
    expect(batches.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(rows)
    expect(batcher.takeRest()).toEqual([])
  })

  it('take a row that fills a whole statement, and reject one that none can take', () => {
    const batcher = new RowBatcher(0)
    batcher.add({ ok: true, values: ['x'.repeat(BATCH_MAX_BYTES - 6)] }, 6)
    batcher.add({ ok: true, values: ['x'.repeat(BATCH_MAX_BYTES)] }, 7)
    expect(batcher.takeRest()).toMatchObject([{ rowCount: 1, rejects: [{ line: 7, reason: expect.any(String) }] }])
  })

  it('count all rejected rows and keep only so many, over all segments', () => {
    const batcher = new RowBatcher(REJECTS_STORED_MAX - 1)
    for (let line = 1; line <= 3; line++) batcher.add({ ok: false, reject: { line, reason: 'no', text: '' } }, line)
    expect(batcher.takeRest()).toMatchObject([{ rejectCount: 3, rejects: [{ line: 1 }] }])
    expect([batcher.rowsRead, batcher.rejected]).toEqual([3, 3])
  })
})
