import { expect, it } from 'vitest'
import { interpret } from './interpret'
import { memoryValues } from './memory-values'
import { planWords } from './say/plan-words'
import { queryPlanSchema } from '../../../shared/query/plan'
import type { Vocabulary, VocabularyColumn } from './contract'
import type { ColumnRole, ColumnType } from '../../../shared/data-sources/files'

/** The shapes of a trading company's tables as its programs name them; no metric says what sales are. */
const ID = { orders: 'ds_0rders00000000000000', customers: 'ds_cvst0mers00000000000' }
const column = (
  [label, type, role, distinct]: [string, ColumnType, ColumnRole, number],
  i: number,
): VocabularyColumn => ({
  ...{ key: `c${i}`, label, type, role, distinct, format: { style: 'plain' } },
  ...(type === 'date' ? { from: '2024-01-01', to: '2026-03-31' } : {}),
})
const company: Vocabulary = {
  datasets: [
    {
      ...{ id: ID.orders, name: 'Orders', rowCount: 9000 },
      columns: (
        [
          ['Order date', 'date', 'time', 500],
          ['Order no', 'text', 'id', 4000],
          ['Customer no', 'text', 'id', 119],
          ['Product', 'text', 'dimension', 40],
          ['Quantity', 'integer', 'measure', 90],
          ['Unit price', 'number', 'measure', 500],
          ['Amount', 'number', 'measure', 5000],
          ['Cost', 'number', 'measure', 5000],
        ] satisfies [string, ColumnType, ColumnRole, number][]
      ).map(column),
    },
    {
      ...{ id: ID.customers, name: 'Customers', rowCount: 119 },
      columns: (
        [
          ['Customer no', 'text', 'id', 119],
          ['Name', 'text', 'dimension', 119],
          ['Country', 'text', 'dimension', 3],
        ] satisfies [string, ColumnType, ColumnRole, number][]
      ).map(column),
    },
  ],
  relations: [{ id: 'rel_1', from: { dataset: ID.orders, key: 'c2' }, to: { dataset: ID.customers, key: 'c0' } }],
  ...{ metrics: [], groupings: [], things: [], glossary: [], verified: [] },
}
const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-31' } as const

const told = async (question: string, vocabulary = company): Promise<string> => {
  const answer = await interpret({ question, vocabulary, values: memoryValues([]), calendar })
  if (answer.kind !== 'answer') return answer.kind
  return planWords(queryPlanSchema.parse(answer.plan), { vocabulary, locale: 'en-GB' })
}

it.each([
  ['Sales by month this year', 'Sales, by month, this year'],
  ['Top 5 customers by sales', 'Sales, by name of Customers, sales, highest first, top 5'],
  ['Hur mycket sålde vi i mars?', 'Sales, 2026-03-01 – 2026-03-31'],
  ['How much did we sell last month?', 'Sales, last month'],
  ['Försäljning per kund', 'Sales, by name'],
  ['Profit this year', 'Gross profit, this year'],
  ['Gross margin by month', 'Gross margin, by month'],
  ['Average order value', 'Average order value'],
  ['Which product sold the most?', 'Sales, by product, sales, highest first, top 1'],
  ['Sales this year vs last year', 'Sales, this year, compared with the previous year'],
])('reads “%s” without a metric', async (question, words) => {
  expect(await told(question)).toContain(words)
})

it('goes by what a workspace calls sales before what its columns suggest', async () => {
  const measure = { kind: 'column', agg: 'sum', field: { dataset: ID.orders, column: 'c5' }, label: 'Sales' } as const
  const glossary = [{ term: 'sales', synonyms: ['omsattning'], definition: '', measure }]
  const answer = await interpret({
    ...{ question: 'Omsättning per månad', vocabulary: { ...company, glossary }, values: memoryValues([]), calendar },
  })
  expect(answer).toMatchObject({ kind: 'answer', plan: { measures: [{ field: { column: 'c5' } }] } })
})
