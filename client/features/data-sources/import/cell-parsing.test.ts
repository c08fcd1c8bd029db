import { describe, expect, it } from 'vitest'
import { NO_FILE_COLUMN_EDITS, fileColumnsReducer, type FileColumnEdit } from '../columns/file-column-edits'
import { fileColumn, inspection } from '../data-sources.fixture'
import { parseTable, precisionFor } from './cell-parsing'

/** The shown cells of a column of texts after a person changed it, as the import screen does. */
function shown(raw: readonly string[], change: FileColumnEdit, over: Parameters<typeof fileColumn>[1] = {}) {
  const column = fileColumn(0, { type: 'text', role: 'dimension', ...over })
  const found = { ...inspection(), columns: [column], preview: raw.map((cell) => [cell]) }
  const table = { ...found, typedPreview: raw.map((cell) => [cell]) }
  const edit = { ...change, ...precisionFor(table, column, change.type) }
  const edits = fileColumnsReducer(NO_FILE_COLUMN_EDITS, { kind: 'change', column, edit })
  return parseTable(table, edits).cells.map(([cell]) => cell)
}

describe('cells of a column that a person changed', () => {
  it('are numbers in the writing of finance people, to the last decimal', () => {
    const cells = ['1 234,50', '1\u00a0234,5', '1.234,50 kr', '(12,50)', '\u221212,5', '12,4567', '']
    const edit = { type: 'number', decimalMark: ',' } as const
    expect(shown(cells, edit)).toEqual([1234.5, 1234.5, 1234.5, -12.5, -12.5, 12.4567, null])
    expect(shown(['1,234.50', '1.5'], { type: 'number', decimalMark: '.' })).toEqual([1234.5, 1.5])
  })

  it('are the share that a percentage says, as the load reads it', () => {
    expect(shown(['12,4 %', '5 %'], { type: 'number', decimalMark: ',' })).toEqual([0.124, 0.05])
  })

  it('are refused where the load would refuse them', () => {
    const edit = { type: 'number', decimalMark: ',' } as const
    expect(shown(['100 kr', '100 EUR', 'abc', '1,5,5'], edit)).toEqual([
      100,
      ...['100 EUR', 'abc', '1,5,5'].map((bad) => ({ bad })),
    ])
    expect(shown(['1,5'], { type: 'integer', decimalMark: ',' })).toEqual([{ bad: '1,5' }])
  })

  it('are dates by their order, with months by name and years of two digits', () => {
    const edit = { type: 'date', dateOrder: 'dmy' } as const
    expect(shown(['03/04/2026', '3 jan. 2024', '03.05.98', '03.05.24'], edit)).toEqual([
      '2026-04-03',
      '2024-01-03',
      '1998-05-03',
      '2024-05-03',
    ])
    expect(shown(['03/04/2026'], { type: 'date', dateOrder: 'mdy' })).toEqual(['2026-03-04'])
    expect(shown(['31.2.2026'], edit)).toEqual([{ bad: '31.2.2026' }])
  })

  it('are days of a spreadsheet where the column was found to hold them', () => {
    const days = { type: 'date', role: 'time', serialDates: true } as const
    expect(shown(['45292'], { dateOrder: 'dmy', type: 'date' }, days)).toEqual(['2024-01-01'])
    expect(shown(['45292'], { type: 'date' })).toEqual([{ bad: '45292' }])
  })

  it('are instants where they name an offset, and else the time on the wall', () => {
    expect(shown(['2024-01-05T10:00:00Z', '2024-01-05T10:00:00+01:00'], { type: 'datetime' })).toEqual([
      '2024-01-05T10:00:00Z',
      '2024-01-05T09:00:00Z',
    ])
    expect(shown(['24.7.1996 13:05'], { type: 'datetime', dateOrder: 'dmy' })).toEqual(['1996-07-24T13:05:00'])
  })

  it('are yes and no in the languages of files', () => {
    expect(shown(['ja', 'Nej', 'oui', '1', 'perhaps'], { type: 'boolean' })).toEqual([
      ...[true, false, true, true],
      { bad: 'perhaps' },
    ])
  })

  it('are empty where a system writes that nothing is there', () => {
    expect(shown(['n/a', '#SAKNAS!', '-', '  '], { type: 'number' })).toEqual([null, null, null, null])
  })

  it('keep the sign of an empty cell where a person says that it is a value', () => {
    const marked = { emptyMarker: 'NULL' }
    expect(shown([' null'], { keepsMarker: false }, marked)).toEqual([' null'])
    expect(shown(['NULL', '0012'], { keepsMarker: true }, marked)).toEqual(['NULL', '0012'])
  })
})
