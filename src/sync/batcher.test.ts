import { describe, expect, it } from 'vitest'
import { Batcher } from './batcher'
import { BATCH_MAX_BYTES, REJECTS_KEPT_MAX } from '../shared/limits'

const byteLength = (text: string): number => new TextEncoder().encode(text).length

describe('batches', () => {
  it('stay within the bytes of one statement, also in scripts of three bytes a sign, and lose no row', () => {
    const batcher = new Batcher(0)
    const rows = 3000
    for (let line = 1; line <= rows; line++) batcher.add({ ok: true, values: ['価'.repeat(400), line] }, line)
    const batches = batcher.rest()
    expect(batches.length).toBeGreaterThan(1)
    for (const { rows: json } of batches) expect(byteLength(json)).toBeLessThanOrEqual(BATCH_MAX_BYTES)
    const read = batches.flatMap(({ rows: json }) => JSON.parse(json) as [string, number][])
    expect(read.map(([, line]) => line)).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
    expect(batches.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(rows)
    expect(batcher.rest()).toEqual([])
  })

  it('reject a row that no statement can take', () => {
    const batcher = new Batcher(0)
    batcher.add({ ok: true, values: ['x'.repeat(BATCH_MAX_BYTES)] }, 7)
    expect(batcher.rest()).toMatchObject([{ rowCount: 0, rejects: [{ line: 7, reason: expect.any(String) }] }])
  })

  it('count all rejected rows and keep only so many, over all segments', () => {
    const batcher = new Batcher(REJECTS_KEPT_MAX - 1)
    for (let line = 1; line <= 3; line++) batcher.add({ ok: false, reject: { line, reason: 'no', text: '' } }, line)
    expect(batcher.rest()).toMatchObject([{ rejectCount: 3, rejects: [{ line: 1 }] }])
    expect([batcher.rowsRead, batcher.rejected]).toEqual([3, 3])
  })
})
