import { describe, expect, it } from 'vitest'
import type { QueryPlan } from './plan'
import type { ResultColumn } from './result'
import { rowsInView, viewedPlan, PLAIN_VIEW } from './table-view'

const dataset = 'dst_00000000000000000000000001'
const columnAt = (at: number, more: Partial<ResultColumn> = {}): ResultColumn => ({
  ...{ key: `c${at}`, label: `Column ${at}`, kind: 'column', type: 'text', format: { style: 'plain' } },
  field: { dataset, column: `c${at}` },
  ...more,
})
const records: QueryPlan = { v: 2, kind: 'rows', dataset, measures: [], dimensions: [], filters: [] }

describe('rows of a whole answer', () => {
  const answer = (...cells: (string | number | null)[]) => ({ rows: cells.map((cell) => [cell]), otherRow: null })
  const sorted = (dir: 'asc' | 'desc', ...cells: (string | number | null)[]) =>
    rowsInView(answer(...cells), { ...PLAIN_VIEW, sort: { column: 0, dir } }).map((at) => cells[at])

  it('sorts figures by size, exact decimals too, and Swedish letters as a Swedish list', () => {
    expect(sorted('desc', 9, '10.5', -3)).toEqual(['10.5', 9, -3])
    expect(sorted('asc', 'Östersund', 'Zinkgruvan', 'Ängelholm', 'ale')).toEqual([
      'ale',
      'Zinkgruvan',
      'Ängelholm',
      'Östersund',
    ])
  })
  it('sorts keys by what they are called', () => {
    const named = { ...columnAt(0), names: { key: 'No', of: { 1: 'Zed', 2: 'anna (2)', 10: 'Anna (10)' } } }
    const result = { ...answer(1, 2, null, 10), columns: [named] }
    const called = new Map(Object.entries(named.names.of))
    const nameOf = (cell: unknown): string | null => called.get(String(cell)) ?? null
    const order = rowsInView(result, { ...PLAIN_VIEW, sort: { column: 0, dir: 'asc' } }, nameOf)
    expect(order.map((at) => result.rows[at]?.[0])).toEqual([2, 10, 1, null])
    const found = rowsInView(result, { sort: null, filters: [{ column: 0, op: 'contains', value: 'ANNA' }] }, nameOf)
    expect(found.map((at) => result.rows[at]?.[0])).toEqual([2, 10])
  })
  it('leaves empty cells and Other last in either direction', () => {
    expect(sorted('asc', null, 2, 1)).toEqual([1, 2, null])
    expect(sorted('desc', null, 2, 1)).toEqual([2, 1, null])
    const other = { rows: [[5], [9], [7]], otherRow: 1 }
    expect(rowsInView(other, { ...PLAIN_VIEW, sort: { column: 0, dir: 'desc' } })).toEqual([2, 0, 1])
  })
  it('shows what every filter lets through, whatever the case of letters', () => {
    const both = {
      rows: [
        ['Umeå', 5],
        ['umeå', 50],
        ['Luleå', 50],
      ],
      otherRow: null,
    }
    const filters = [
      { column: 0, op: 'contains', value: 'UME' },
      { column: 1, op: 'range', from: 10, to: null },
    ] as const
    expect(rowsInView(both, { sort: null, filters: [...filters] })).toEqual([1])
  })
  it('takes the last day of a range of moments in whole', () => {
    const moments = { rows: [['2026-01-31T23:59:00'], ['2026-02-01T00:00:00']], otherRow: null }
    const filter = { column: 0, op: 'range', from: '2026-01-01', to: '2026-01-31' } as const
    expect(rowsInView(moments, { sort: null, filters: [filter] })).toEqual([0])
  })
})

describe('the question behind a view', () => {
  it('counts the columns of the question, not the converted amounts between them', () => {
    const converted: ResultColumn = {
      key: 'c1',
      label: 'In SEK',
      kind: 'column',
      type: 'number',
      format: { style: 'plain' },
    }
    const columns = [columnAt(0), converted, columnAt(2)]
    const view = { ...PLAIN_VIEW, sort: { column: 2, dir: 'desc' } } as const
    expect(viewedPlan({ plan: records, columns }, view)?.sort).toEqual([{ by: { column: 1 }, dir: 'desc' }])
    expect(viewedPlan({ plan: records, columns }, { ...PLAIN_VIEW, sort: { column: 1, dir: 'asc' } })).toBeNull()
  })
  it('asks for the usual spellings of a word and for both ends of a range', () => {
    const filters = [
      { column: 0, op: 'contains', value: 'östra' },
      { column: 1, op: 'range', from: 1, to: 9 },
    ] as const
    const plan = viewedPlan(
      { plan: records, columns: [columnAt(0), columnAt(1)] },
      { sort: null, filters: [...filters] },
    )
    expect(plan?.filters).toEqual([
      {
        field: { dataset, column: 'c0' },
        any: ['östra', 'ÖSTRA', 'Östra'].map((value) => ({ op: 'contains', value })),
      },
      { field: { dataset, column: 'c1' }, any: [{ op: 'between', from: 1, to: 9 }] },
    ])
  })
  it('puts limits on figures after they are added up, and none on parts of a top list', () => {
    const plan: QueryPlan = {
      ...{ v: 2, kind: 'aggregate', filters: [] },
      measures: [{ kind: 'column', agg: 'count' }],
      dimensions: [{ field: { dataset, column: 'c0' }, topN: 5 }],
    }
    const columns = [
      columnAt(0, { key: 'd0', kind: 'dimension' }),
      columnAt(1, { key: 'm0', kind: 'measure', type: 'integer' }),
    ].map(({ field: _field, ...column }) => column)
    const range = { column: 1, op: 'range', from: 2, to: null } as const
    expect(viewedPlan({ plan, columns }, { sort: null, filters: [range] })?.having).toEqual([
      { measure: 0, op: 'ge', value: 2 },
    ])
    const top = { column: 0, op: 'contains', value: 'a' } as const
    expect(viewedPlan({ plan, columns }, { sort: null, filters: [top] })).toBeNull()
  })
})
