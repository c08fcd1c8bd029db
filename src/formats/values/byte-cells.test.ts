import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seedOf } from '../../../test/seed'
import { createCellDecoder } from '../encoding/text-decoder'
import { createRowParser } from './row-parser'
import type { CellTarget, ColumnMapping, TextNumbers } from '../contract'
import { anyText } from '../../../test/worker/random/any-text'

const LONG = env.LONG === '1'
const SHAPES: ColumnMapping['column'][] = [
  { key: 'c0', label: 'Text', type: 'text' },
  { key: 'c1', label: 'Whole', type: 'integer' },
  { key: 'c2', label: 'Amount', type: 'number', scale: 2 },
  { key: 'c3', label: 'Float', type: 'number' },
  { key: 'c4', label: 'Day', type: 'date' },
  { key: 'c5', label: 'Moment', type: 'datetime', zoned: false },
  { key: 'c6', label: 'Flag', type: 'boolean' },
  { key: 'c7', label: 'Not in the file', type: 'text' },
  { key: 'c8', label: 'Text that writes N/A for nothing', type: 'text' },
]
const COLUMNS = SHAPES.map((column, at): ColumnMapping => ({
  ...{ column, file: at === 7 ? null : at === 8 ? { index: 0, emptyMarker: 'n/a' } : { index: at } },
}))

/** Numbers texts, and remembers them. */
class Words implements TextNumbers {
  readonly all: string[] = []
  codeOf(text: string): number {
    const at = this.all.indexOf(text)
    return at < 0 ? this.all.push(text) : at + 1
  }
  codeOfBytes(bytes: Uint8Array, start: number, end: number): number {
    return this.codeOf(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(start, end)))
  }
}

const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '007',
    '-12',
    '12.5',
    '12,5',
    '1 234,50',
    '1.234,5',
    '5 %',
    '5 kr',
    '12 SEK',
    '-',
    '--1',
    '1e3',
  ),
  fc.constantFrom('999999999999999', '9999999999999999', '0.12345', ',5', '5.', '.', '(7)', 'abc', '٣'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)
const date = fc.constantFrom(
  '2026-02-28',
  '2026-02-30',
  '2026-2-3',
  '03/04/2026',
  '2026-01-31T00:00:00',
  '2026-01-31 12:30:00',
  '20260131',
  '2026-01-31Z',
)
const blank = fc.constantFrom('', ' ', '\t', '\u00a0', ' x', 'null', 'N/A')
const text = fc
  .oneof(fc.string(), anyText(), fc.constantFrom('Skåne', 'e\u0301', '日本', '\ufeffx', 'Å'))
  .map((each) => each.toWellFormed().replaceAll('\0', ''))
const cell = fc.oneof(number, date, blank, text, fc.constantFrom('ja', 'nej', 'true', '1'))

it('cells that are not decoded are typed as decoded ones are, whatever they are, in every encoding', () => {
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 6 })
  const settings = fc.record({
    decimalMark: fc.constantFrom('.' as const, ',' as const),
    dateOrder: fc.constantFrom('ymd' as const, 'dmy' as const, 'mdy' as const),
    encoding: fc.constantFrom('utf-8' as const, 'windows-1252' as const, 'cp850' as const),
    fileWidth: fc.constantFrom(7, 8),
  })
  const counts = { typed: 0, careful: 0 }
  fc.assert(
    fc.property(rows, settings, (all, at) => {
      const [bytewise, whole] = [createRowParser(COLUMNS, at), createRowParser(COLUMNS, at)]
      const decode = createCellDecoder(at.encoding)
      const words = COLUMNS.map(({ column }) => (column.type === 'text' ? new Words() : null))
      const to: CellTarget = { cells: new Float64Array(COLUMNS.length), texts: words }
      for (const [line, written] of all.entries()) {
        const encoded = written.map((each) => new TextEncoder().encode(each))
        const bytes = Uint8Array.from(encoded.flatMap((each) => [...each]))
        const ends = Int32Array.from(encoded, (_, n) =>
          encoded.slice(0, n + 1).reduce((sum, each) => sum + each.length, 0),
        )
        const starts = Int32Array.from(ends, (end, n) => end - (encoded[n]?.length ?? 0))
        const cells = written.map((_, n) => decode(bytes, starts[n] ?? 0, ends[n] ?? 0))
        const expected = whole.parse(cells, line)
        if (!bytewise.parseBytes({ bytes, starts, ends, count: written.length }, to)) {
          counts.careful += 1
          expect(bytewise.parse(cells, line)).toEqual(expected)
          continue
        }
        counts.typed += 1
        const typed = [...to.cells].map((value, n) => {
          const texts = words[n]
          if (texts) return value === 0 ? null : texts.all[value - 1]
          return Number.isNaN(value) ? null : value
        })
        expect({ ok: true, values: typed }).toEqual(expected)
      }
    }),
    { seed: seedOf(LONG), numRuns: LONG ? 50_000 : 2_000 },
  )
  expect(counts.typed).toBeGreaterThan(100)
  expect(counts.careful).toBeGreaterThan(100)
})
