import { expect, it } from 'vitest'
import { figureTable, forecastTable } from './block-tables'
import type { FileTable } from '../../../http/files/table-download'
import { queryPlanSchema } from '../../../shared/query/plan'
import type { ColumnFormat } from '../../../shared/data-sources/files'
import type { QueryResult } from '../../../shared/query/result'
import type { FigureTile } from '../../../shared/reports/tiles'

const MEASURE = { kind: 'column', agg: 'count', dataset: 'ds_00000000000000000001' }
const tile = (name: string, format: ColumnFormat, percent = false): FigureTile => {
  const now = { from: '2025-01-01', to: '2025-12-31', label: '2025', incomplete: false }
  const before = { ...now, from: '2024-01-01', to: '2024-12-31', label: '2024', dataFrom: '2024-07-24' }
  const figure = { key: 'm0', label: name, kind: 'measure', type: 'number', format } as const
  const result: QueryResult = {
    ...{ kind: 'aggregate', rows: [[0.5, 0.25]], otherRow: null, totals: null, rowCount: 1, truncated: false },
    ...{ words: '', datasets: [], dataAsOf: '2026-01-01T00:00:00Z', hash: '', cached: false },
    columns: [figure, { ...figure, key: 'm0.previous', kind: 'previous', measure: 0 }],
    period: { ...now, compare: before },
  }
  return {
    ...{ subject: { kind: 'metric', id: 'met_1' }, name, direction: 'up', percent, period: true, unfiltered: [] },
    ...{
      plan: queryPlanSchema.parse({ v: 1, kind: 'aggregate', measures: [MEASURE], dimensions: [], filters: [] }),
      result,
    },
  }
}

const rowsOf = async (table: FileTable): Promise<unknown[]> => {
  const rows: unknown[] = []
  for await (const row of table.rows()) rows.push(row)
  return rows
}

it('names what each key figure is in, and what is missing of its periods', async () => {
  const table = figureTable(
    [
      tile('Sales', { style: 'currency', currency: 'EUR' }),
      tile('Margin', { style: 'plain' }, true),
      tile('Pieces', { style: 'plain' }),
    ],
    [],
  )
  expect(table.heads).toEqual(['Name', 'Value', 'Unit', 'Period', 'Compared value', 'Compared period'])
  const before = '2024 (data from 2024-07-24)'
  expect(await rowsOf(table)).toEqual([
    ['Sales', 0.5, 'EUR', '2025', 0.25, before],
    ['Margin', 0.5, '1 = 100 %', '2025', 0.25, before],
    ['Pieces', 0.5, null, '2025', 0.25, before],
  ])
})

it('writes the figures of a forecast in their format', () => {
  const format = { style: 'currency', currency: 'EUR' } as const
  const run = { id: 'run_1', past: [], future: [], format, scale: 2, summary: '', grade: null, dataAsOf: null }
  expect(forecastTable(run).columns.slice(1)).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ format, scale: 2 })),
  )
})
