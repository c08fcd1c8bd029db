import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CANONICAL_CSV, canonicalCsvRecord } from './canonical-csv'
import { createCsvReader } from './csv-reader'
import { ProductError } from '../../shared/errors'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS } from '../../shared/limits'

const encoder = new TextEncoder()

function read(text: string, more: { header?: boolean; skipLines?: number; pieces?: number } = {}) {
  const found: [number, string[]][] = []
  const { header = false, skipLines = 0, pieces = 7 } = more
  const reader = createCsvReader({
    settings: { ...CANONICAL_CSV, header, skipLines },
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => found.push([line, cells]),
  })
  const bytes = encoder.encode(text)
  for (let at = 0; at < bytes.length; at += pieces) reader.push(bytes.subarray(at, at + pieces))
  reader.end()
  return found
}

describe('canonical text', () => {
  it('gives back every cell and the line it stands on in the original', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '"', ',', '\n', '\r\n', 'a"b,c\n', ' x '),
      fc.constant(null),
    )
    const row = fc.tuple(fc.array(cell, { maxLength: 6 }), fc.integer({ min: 1, max: 5_000_000 }))
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const clean = rows.map(([cells, line]) => [line, cells.map((text) => (text ?? '').replaceAll('\0', ''))])
        expect(read(rows.map(([cells, line]) => canonicalCsvRecord(cells, line)).join(''))).toEqual(clean)
      }),
    )
  })

  it('keeps rows without any value, which are rows of the table all the same', () => {
    expect(read(canonicalCsvRecord([null, ''], 4) + canonicalCsvRecord([], 9))).toEqual([
      [4, ['', '']],
      [9, []],
    ])
  })

  it('leaves out titles and names as any text does, and lets the lines of the original stand', () => {
    const text = [['Sales, all'], ['day', 'amount'], ['2026-01-01', '5']].map((cells, at) =>
      canonicalCsvRecord(cells, at * 10 + 1),
    )
    expect(read(text.join(''), { skipLines: 1, header: true })).toEqual([[21, ['2026-01-01', '5']]])
  })

  it('holds as many columns as a dataset, the line not counted', () => {
    const wide = Array.from({ length: DATASET_MAX_COLUMNS }, () => 'x')
    expect(read(canonicalCsvRecord(wide, 1), { pieces: 500 })).toEqual([[1, wide]])
    expect(() => read(canonicalCsvRecord([...wide, 'x'], 1))).toThrow(ProductError)
  })

  it('refuses a cell that is too long by its line in the original', () => {
    const long = 'é'.repeat(CELL_MAX_BYTES / 2)
    expect(canonicalCsvRecord([long], 7)).toContain(long)
    expect(() => canonicalCsvRecord(['a', `${long}é`], 7)).toThrow(/line 7 \(column 2\)/)
  })
})
