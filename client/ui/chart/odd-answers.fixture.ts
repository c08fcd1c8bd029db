import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { addMonths } from '../../../src/shared/figures/time-buckets'
import { answerOf, compared, country, month, sales } from './chart.fixture'

/** Answers with odd figures and names, for the table test of every chart. */
const plain: ResultColumn = {
  key: 'm0',
  label: 'Ratio',
  kind: 'measure',
  type: 'number',
  format: { style: 'plain' },
}
const orders: ResultColumn = {
  key: 'm1',
  label: 'Orders',
  kind: 'measure',
  type: 'integer',
  format: { style: 'plain' },
}
const name: ResultColumn = { ...country, key: 'd0', label: 'Kundkategori' }

const months = (count: number, first = '2026-01-01'): string[] =>
  Array.from({ length: count }, (_, at) => addMonths(first, at))
const overTime = (measure: ResultColumn, values: readonly (number | null)[], first?: string): QueryResult =>
  answerOf(
    [month, measure],
    months(values.length, first).map((start, at) => [start, values[at] ?? null]),
  )
const byName = (measure: ResultColumn, rows: readonly [string, number][]): QueryResult =>
  answerOf([name, measure], [...rows.map((row) => [...row])])
const numbered = (count: number, text: (at: number) => string): [string, number][] =>
  Array.from({ length: count }, (_, at) => [text(at), (count - at) * 1_000])

const LONG = 'Kundanpassade installationstjänster för livsmedelsbutiker i Västernorrlands län'
const stacks = (count: number): Cell[][] =>
  months(4).flatMap((start, time) =>
    Array.from({ length: count }, (_, at): Cell[] => [start, `Region ${at + 1}`, 10_000 * (at + 1) + time * 500]),
  )

const change = (values: readonly [number, number][]): QueryResult => {
  const [now, before] = [0, 1].map((side) => values.reduce((sum, pair) => sum + (pair[side] ?? 0), 0))
  return answerOf(
    [name, ...compared],
    values.map(([after, earlier], at) => [`Grupp ${at + 1}`, after, earlier, after - earlier, null]),
    {
      totals: [null, now ?? 0, before ?? 0, (now ?? 0) - (before ?? 0), null],
      period: {
        ...{ from: '2026-01-01', to: '2026-03-31', label: 'Jan–Mar 2026', incomplete: false },
        compare: { from: '2025-01-01', to: '2025-03-31', label: 'Jan–Mar 2025' },
      },
    },
  )
}

export const ODD_ANSWERS: Record<string, QueryResult> = {
  'steps of 0.05': overTime(plain, [0.05, 0.1, 0.22]),
  'steps of 25 000': overTime(sales, [25_000, 60_000, 98_000]),
  millions: overTime(sales, [400_000, 1_100_000, 950_000]),
  'all negative': overTime(sales, [-1_200, -300, -4_800]),
  'both signs': overTime(sales, [-1_200, 3_300, 800]),
  'all zero': overTime(sales, [0, 0, 0]),
  'one point': overTime(sales, [4_200]),
  'with gaps': overTime(sales, [4_200, null, 3_100]),
  'no rows': answerOf([month, sales], []),
  'forty categories': byName(
    sales,
    numbered(40, (at) => `Kund ${at + 1}`),
  ),
  'long Swedish names': byName(
    sales,
    numbered(6, (at) => `${LONG} ${at + 1}`),
  ),
  // A real "Other" beside the group of the rest, and an empty text beside nothing at all.
  'a name that repeats': answerOf(
    [name, sales],
    [
      ['Other', 500],
      ['Other', 250],
      ['', 100],
      [null, 75],
    ],
    { otherRow: 1 },
  ),
  'twelve stacks': answerOf([month, country, sales], stacks(12)),
  'fourteen stacks': answerOf([month, country, sales], stacks(14)),
  'years-old data': overTime(sales, [1_000, 2_000, 1_500], '1997-10-01'),
  'one day': answerOf([{ ...month, grain: 'day' }, sales], [['2026-03-01', 1_250.5]]),
  'small change of much': change([
    [5_210_000, 5_000_000],
    [2_950_000, 3_010_000],
  ]),
  'two figures far from zero': answerOf(
    [name, { ...plain, label: 'Price' }, orders],
    [
      ['A', 101.2, 5_003],
      ['B', 104.9, 5_010],
      ['C', 103.3, 5_021],
    ],
  ),
}
