import { memoryValues, type HeldValue } from './memory-values'
import type { InterpretInput, Vocabulary, VocabularyColumn } from './contract'
import type { ColumnKey, ColumnRole, ColumnType } from '../../../shared/data-sources/files'

/** A bicycle workshop: mechanics repair bikes of owners, and parts are used. Made up for tests of the bot. */
const ID = { dataset: 'ds_', relation: 'rel_' }
const padded = (name: string): string => name.padEnd(20, '0').replaceAll(/[ilou_]/g, '1')
export const idOf = (kind: keyof typeof ID, name: string): string => `${ID[kind]}${padded(name)}`

type Shape = [label: string, type: ColumnType, role: ColumnRole, distinct: number, values?: string[]]
const column = ([label, type, role, distinct, values]: Shape, i: number): VocabularyColumn => ({
  key: `c${i}`,
  label,
  type,
  role,
  format: { style: 'plain' },
  distinct,
  ...(values ? { values } : {}),
  ...(type === 'date' ? { from: '2022-01-03', to: '2024-05-31' } : {}),
})
const dataset = (name: string, rowCount: number, shapes: Shape[]): Vocabulary['datasets'][number] => ({
  id: idOf('dataset', name),
  name,
  rowCount,
  columns: shapes.map(column),
})
const id = (label: string, distinct: number): Shape => [label, 'integer', 'id', distinct]
const text = (label: string, distinct: number, values?: string[]): Shape =>
  values ? [label, 'text', 'dimension', distinct, values] : [label, 'text', 'dimension', distinct]
const amount = (label: string): Shape => [label, 'number', 'measure', 90]
const day = (label: string): Shape => [label, 'date', 'time', 200]

const datasets = [
  dataset('owners', 40, [
    id('owner_id', 40),
    text('full_name', 40),
    text('town', 3, ['Lund', 'Malmö', 'Ystad']),
    text('phone', 38),
    day('member_since'),
  ]),
  dataset('mechanics', 6, [
    id('mechanic_id', 6),
    text('first_name', 6),
    text('last_name', 6),
    day('hire_date'),
    amount('hourly_wage'),
  ]),
  dataset('bikes', 60, [
    id('bike_id', 60),
    id('owner_id', 39),
    text('brand', 4, ['Crescent', 'Monark', 'Skeppshult', 'Kronan']),
    text('frame_color', 5),
    id('model_year', 12),
  ]),
  dataset('repairs', 300, [
    id('repair_id', 300),
    id('bike_id', 55),
    id('mechanic_id', 5),
    day('repair_date'),
    text('status', 3, ['open', 'done', 'cancelled']),
    amount('total_price'),
    day('delivery_date'),
  ]),
]
const key = (name: string, label: string): { dataset: string; key: ColumnKey } => {
  const found = datasets.find((each) => each.name === name)
  return { dataset: found?.id ?? '', key: found?.columns.find((each) => each.label === label)?.key ?? 'c0' }
}
const relation = (name: string, from: [string, string], to: [string, string]): Vocabulary['relations'][number] => ({
  id: idOf('relation', name),
  from: key(...from),
  to: key(...to),
})

export const workshop: Vocabulary = {
  datasets,
  relations: [
    relation('bike', ['repairs', 'bike_id'], ['bikes', 'bike_id']),
    relation('mechanic', ['repairs', 'mechanic_id'], ['mechanics', 'mechanic_id']),
    relation('owner', ['bikes', 'owner_id'], ['owners', 'owner_id']),
  ],
  metrics: [],
  groupings: [],
  things: [],
  glossary: [],
  verified: [],
}
const held = datasets.flatMap(({ id: of, columns }) =>
  columns.flatMap(({ key: at, values = [] }): HeldValue[] =>
    values.map((value) => ({ dataset: of, column: at, value: String(value), count: 10 })),
  ),
)

/** A question about the workshop, on the first of June 2024. */
export const askWorkshop = (question: string, more: Partial<InterpretInput> = {}): InterpretInput => ({
  question,
  vocabulary: workshop,
  values: memoryValues(held),
  calendar: { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2024-06-01' },
  ...more,
})
