import { describe, expect, it } from 'vitest'
import { runQuery } from '../../../test/worker/run-query'
import { CALENDAR, column, DATASET, EVERYTHING, inSqlite, tableOf } from '../../../test/worker/warehouse-rows'
import { unwrap } from '../../shared/errors'
import { parseRowFormula } from '../../shared/formula/formula'
import type { Column } from '../../shared/data-sources/data-sources'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import type { Cell } from '../../shared/query/result'
import type { StorageValue } from '../../lib/storage-value'

const DAY_MS = 86_400_000
const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / DAY_MS
const COLUMNS: Column[] = [
  column(0, { type: 'integer', label: 'Id' }),
  column(1, { type: 'number', scale: 2, label: 'Amount' }),
  column(2, { type: 'number', scale: 2, label: 'Cost' }),
  column(3, { type: 'text', label: 'Country' }),
  column(4, { type: 'boolean', label: 'Paid' }),
  column(5, { type: 'date', label: 'Ordered' }),
  column(6, { type: 'date', label: 'Due' }),
  column(7, { type: 'datetime', zoned: true, label: 'Opened' }),
  column(8, { type: 'datetime', zoned: true, label: 'Closed' }),
]
/** A night of 29 March in which clocks of Stockholm go forward, a row without anything, and a plain one. */
const ROWS: StorageValue[][] = [
  [
    1,
    1005,
    250,
    'Sverige',
    1,
    day('2025-12-29'),
    day('2026-01-02'),
    Date.UTC(2026, 2, 28, 23),
    Date.UTC(2026, 2, 29, 1, 30),
  ],
  [2, null, null, null, null, null, null, null, null],
  [
    3,
    -1250,
    1250,
    'norge',
    0,
    day('2026-06-05'),
    day('2026-06-08'),
    Date.UTC(2026, 5, 5, 12),
    Date.UTC(2026, 5, 5, 11),
  ],
]
const names = { dataset: { id: DATASET, name: 'Orders', columns: COLUMNS }, related: [], metrics: [] }

function computed(formula: string): Column {
  const read = parseRowFormula(formula, names)
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  return column(20, { type: 'number', label: 'Made', computed: read.expr })
}

/** What comes out for each row: of records, and of groups of one row. */
const valuesOf = (formula: string): Promise<{ records: Cell[]; groups: Cell[] }> =>
  inSqlite('row-functions', (sql) => {
    const live = { ...tableOf(COLUMNS, ROWS, { perChunk: 2 }), columns: [...COLUMNS, computed(formula)] }
    const given = { catalogue: { find: () => live, edges: [] }, scope: EVERYTHING, now: 0 }
    const calendar = { ...CALENDAR, timeZone: 'Europe/Stockholm' }
    const answer = (plan: QueryPlan): Cell[] =>
      unwrap(runQuery({ sql, ...given, calendar, plan })).rows.map((row) => row[1] ?? null)
    const at = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
    const records: QueryPlan = {
      ...{ v: 2, kind: 'rows', dataset: DATASET, measures: [], dimensions: [], filters: [] },
      ...{ columns: [at(0), at(20)], sort: [{ by: { column: 0 }, dir: 'asc' }] },
    }
    const measure: Measure = { kind: 'column', agg: 'min', field: at(20) }
    const groups: QueryPlan = {
      ...{ v: 2, kind: 'aggregate', measures: [measure], dimensions: [{ field: at(0) }], filters: [] },
      sort: [{ by: { dimension: 0 }, dir: 'asc' }],
    }
    return { records: answer(records), groups: answer(groups) }
  })

const NUMBERS: [formula: string, values: Cell[]][] = [
  ['if([Amount] > [Cost], [Amount] - [Cost], 0)', [7.55, 0, 0]],
  ['if([Country] = "Sverige", [Amount])', [10.05, null, null]],
  ['if(isempty([Amount]) or not [Paid], 1, 2)', [2, 1, 1]],
  ['if([Paid] and [Amount] ≥ 10.05 and [Country] < "norge", 1, 0)', [1, 0, 0]],
  ['ifempty([Amount], 0)', [10.05, 0, -12.5]],
  ['round([Amount], 1)', [10.1, null, -12.5]],
  ['round([Amount])', [10, null, -13]],
  ['round([Amount] / 3, 2)', [3.35, null, -4.17]],
  ['abs([Amount])', [10.05, null, 12.5]],
  ['min([Amount], [Cost], 5)', [2.5, 5, -12.5]],
  ['max([Amount], [Cost])', [10.05, null, 12.5]],
  ['[Amount] / ([Cost] - 2.5)', [null, null, -1.25]],
  ['year([Ordered]) * 100 + week([Ordered])', [202_501, null, 202_623]],
  ['quarter([Due]) + month([Due]) + day([Due])', [4, null, 16]],
  ['weekday([Ordered])', [1, null, 5]],
  ['hour([Closed])', [3, null, 13]],
  ['days([Ordered], [Due])', [4, null, 3]],
  ['weekdays([Ordered], [Due])', [4, null, 1]],
  ['weekdays([Due], [Ordered])', [-4, null, -1]],
  // The hour that clocks skip is no time that passed.
  ['hours([Opened], [Closed])', [2.5, null, -1]],
  ['minutes([Opened], [Closed])', [150, null, -60]],
  // Nothing is known of how large the numbers are: 53 bits may not hold these.
  ['if([Id] * 100 > 150, [Id] * 100, [Id] * 7)', [7, 200, 300]],
  ['ifempty(if([Id] * 100 ≤ 200, [Id] * 100), [Id])', [100, 200, 3]],
]
const OTHERS: [formula: string, values: Cell[]][] = [
  ['[Amount] > 0', [true, false, false]],
  ['[Ordered] < "2026-01-01"', [true, false, false]],
  ['date([Opened]) = [Due] or [Closed] >= [Opened]', [true, true, false]],
  ['isempty([Opened])', [false, true, false]],
  ['[Id] * 100 = [Id] * [Id] * 100', [true, false, false]],
  ['[Id] * 100 ≠ [Id] * 50 + 100 and not isempty([Id] * 100)', [true, false, true]],
  ['[Id] * 100 < 200 or [Id] * 100 ≥ 300', [true, false, true]],
  ['concat([Country], "") = "norge"', [false, false, true]],
  ['isempty(concat([Country], " ", [Due]))', [false, true, false]],
  ['[Country] < concat("n", [Id])', [true, false, false]],
  ['"norge" ≤ if([Paid], "olle", [Country])', [true, false, true]],
  ['concat([Country], "") ≠ [Country]', [false, false, false]],
  ['date([Opened])', ['2026-03-29', null, '2026-06-05']],
  ['if([Paid], [Ordered], max([Ordered], [Due]))', ['2025-12-29', null, '2026-06-08']],
]
const TEXTS: [formula: string, values: Cell[]][] = [
  ['if([Amount] > 0, "In", if(isempty([Amount]), "None", "Out"))', ['In', 'None', 'Out']],
  ['if([Paid], concat([Country], " ", [Id]), [Due])', ['Sverige 1', null, '2026-06-08']],
]

describe('functions of a row', () => {
  it.each([...NUMBERS, ...OTHERS, ...TEXTS])('work %s out alike in records and in groups', async (formula, values) => {
    expect(await valuesOf(formula)).toEqual({ records: values, groups: values })
  })
})
