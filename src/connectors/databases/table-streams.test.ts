import { expect, it } from 'vitest'
import { streamOf } from './table-streams'
import { DATASET_MAX_ROWS } from '../../shared/limits'

const table = (estimatedRows: number | null) => ({
  ...{ schema: 'public', name: 'orders', columns: [], key: [], unique: [], estimatedRows },
})

it.each([
  { rows: null, modes: ['replace', 'live'] },
  { rows: DATASET_MAX_ROWS, modes: ['replace', 'live'] },
  { rows: DATASET_MAX_ROWS + 1, modes: ['live', 'replace'] },
])('proposes to query a table live once an import cannot hold its $rows rows', ({ rows, modes }) => {
  expect(streamOf(table(rows), 'public').modes).toEqual(modes)
})
