import { describe, expect, it } from 'vitest'
import { loadSegment, segmentBytesOf, START_POSITION, type SegmentInput } from './load-segment'
import { LOAD_SEGMENT_BYTES } from '../shared/limits'
import { rowsOfBatch } from '../../test/row-batches'
import { column } from '../../test/worker/warehouse-rows'

const ROWS = 400
const TEXT = `Kund;Belopp\n${Array.from({ length: ROWS }, (_, n) => `"Åsa ${n}\n& Co";${n},25`).join('\n')}`
const BYTES = new TextEncoder().encode(TEXT)
const REQUEST: SegmentInput['request'] = {
  settings: {
    encoding: 'utf-8',
    delimiter: ';',
    quote: '"',
    escape: '"',
    header: true,
    skipLines: 0,
    decimalMark: ',',
    dateOrder: 'ymd',
  },
  columns: [column(0, { type: 'text', label: 'Kund' }), column(1, { type: 'number', scale: 2, label: 'Belopp' })],
  files: [{ index: 0 }, { index: 1 }],
  keyColumns: [],
  fileWidth: 2,
  fileHash: '',
}

/** The file in pieces of 97 bytes; `dies` ends it at a byte, with an error or as if it were the end. */
function source(dies?: { at: number; how: 'error' | 'end' }): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      const limit = dies?.at ?? BYTES.length
      if (at >= limit) return dies?.how === 'error' ? controller.error(new Error('gone')) : controller.close()
      const next = BYTES.slice(at, Math.min(at + 97, limit))
      at += next.length
      controller.enqueue(next)
    },
  })
}

function work(stream: ReadableStream<Uint8Array>) {
  const staged: unknown[] = []
  const ask: SegmentInput = {
    request: REQUEST,
    size: BYTES.length,
    from: START_POSITION,
    read: async () => stream,
    stage: async (batches) => void staged.push(...batches.flatMap(({ rows }) => rowsOfBatch(rows))),
    pause: async () => undefined,
  }
  return { staged, done: loadSegment(ask) }
}

/** Loads a text stretch by stretch, each from where the last one ended. */
async function loadAll(text: string, segmentBytes?: number, request = REQUEST) {
  const bytes = new TextEncoder().encode(text)
  const rows: unknown[] = []
  const rejects: unknown[] = []
  let at = START_POSITION
  while (at.nextByte < bytes.length)
    at = await loadSegment({
      request,
      size: bytes.length,
      from: at,
      ...(segmentBytes === undefined ? {} : { segmentBytes }),
      read: async (offset, length) => new Response(bytes.slice(offset, offset + length)).body ?? new ReadableStream(),
      stage: async (batches) => {
        for (const batch of batches) {
          if (batch.rowCount > 0) rows.push(...rowsOfBatch(batch.rows))
          rejects.push(...batch.rejects)
        }
      },
      pause: async () => undefined,
    })
  return { at, rows, rejects }
}

describe('one stretch of a file', () => {
  it('reads every row of a whole file', async () => {
    const { staged, done } = work(source())
    expect(await done).toMatchObject({ rowsRead: ROWS, rejected: 0, nextByte: BYTES.length })
    expect(staged).toHaveLength(ROWS)
    expect(staged[1]).toEqual(['Åsa 1\n& Co', 125])
  })

  it('fails when the source dies or ends early at any of 100 bytes, and the next try reads it whole', async () => {
    for (let k = 0; k < 100; k++) {
      const at = Math.floor((k * BYTES.length) / 100)
      for (const how of ['error', 'end'] as const) await expect(work(source({ at, how })).done).rejects.toThrow()
    }
    const again = work(source())
    await again.done
    expect(again.staged).toHaveLength(ROWS)
  })

  it('begins where the one before ended: many stretches read what one does', async () => {
    const text = `Kund;Belopp\n${Array.from({ length: ROWS }, (_, n) => `"Åsa ${n}\n& Co";${n % 7 === 3 ? 'x' : n}`).join('\n')}`
    const whole = await loadAll(text)
    const parts = await loadAll(text, 500)
    expect(parts.at.segment).toBeGreaterThan(10)
    expect(whole.at).toMatchObject({ segment: 1, nextLine: 2 * ROWS + 2, rowsRead: ROWS })
    expect(whole.at.rejected).toBeGreaterThan(50)
    expect(parts).toEqual({ ...whole, at: { ...whole.at, segment: parts.at.segment } })
  })

  it('goes on with a recipe where the stretch before ended: values filled down, rows unpivoted, effects counted', async () => {
    const header = ['Kund', 'Jan', 'Feb']
    const lines = Array.from(
      { length: ROWS },
      (_, n) => `${n % 9 === 0 ? `Kund ${n}` : ''};${n};${n % 5 === 0 ? 'x' : 2 * n}`,
    )
    const text = `${header.join(';')}\n${lines.join('\n')}\n1;2;3;4`
    const request: SegmentInput['request'] = {
      ...REQUEST,
      columns: [column(0, { type: 'text' }), column(1, { type: 'text' }), column(2, { type: 'number', scale: 2 })],
      files: [{ index: 0 }, { index: 1 }, { index: 2 }],
      fileWidth: 3,
      cleaning: {
        header,
        steps: [
          { kind: 'fillDown', columns: ['Kund'] },
          { kind: 'unpivot', keep: ['Kund'], leaveOut: [], nameColumn: 'Month', valueColumn: 'Value', dropEmpty: true },
        ],
      },
    }
    const whole = await loadAll(text, undefined, request)
    expect([segmentBytesOf(1), segmentBytesOf(2)]).toEqual([LOAD_SEGMENT_BYTES, LOAD_SEGMENT_BYTES / 2])
    expect(segmentBytesOf(1000)).toBe(4 * 1024 * 1024)
    const parts = await loadAll(text, 60, request)
    expect(parts.at.segment).toBeGreaterThan(50)
    expect(parts).toEqual({ ...whole, at: { ...whole.at, segment: parts.at.segment } })
    expect(whole.rows[1]).toEqual(['Kund 0', 'Jan', 100])
    expect(whole.at).toMatchObject({ rowsRead: 2 * ROWS + 1, rejected: ROWS / 5 + 1 })
    expect(whole.at.cleaning?.effects[1]).toMatchObject({ rowsIn: ROWS, rowsOut: 2 * ROWS })
    expect(whole.rejects.at(-1)).toMatchObject({ line: ROWS + 2, reason: 'The row has 4 values for 3 columns.' })
  })

  it('pauses by what a recipe makes of the rows, not by what the file holds', async () => {
    const header = Array.from({ length: 400 }, (_, n) => `C${n}`)
    const line = header.map(() => 1).join(';')
    const lines = Array.from({ length: 100 }, () => line)
    const bytes = new TextEncoder().encode([header.join(';'), ...lines].join('\n'))
    const keep = header.slice(0, 100)
    const unpivot = {
      kind: 'unpivot' as const,
      keep,
      leaveOut: [],
      nameColumn: 'N',
      valueColumn: 'V',
      dropEmpty: false,
    }
    let [pauses, rows] = [0, 0]
    const done = await loadSegment({
      request: {
        ...REQUEST,
        columns: [column(0, { type: 'text' }), column(1, { type: 'integer' })],
        files: [{ index: 100 }, { index: 101 }],
        fileWidth: 102,
        cleaning: { header, steps: [unpivot] },
      },
      size: bytes.length,
      from: START_POSITION,
      read: async () => new Response(bytes).body ?? new ReadableStream(),
      stage: async (batches) => void (rows += batches.reduce((sum, { rowCount }) => sum + rowCount, 0)),
      pause: async () => void (pauses += 1),
    })
    expect([done.rowsRead, rows]).toEqual([30_000, 30_000])
    expect(pauses).toBeGreaterThan(1)
  })
})
