import { describe, expect, it } from 'vitest'
import { interpret } from './interpret'
import { memoryValues, type HeldValue } from './memory-values'
import { planWords } from './say/plan-words'
import { queryPlanSchema } from '../../../shared/query/plan'
import type { Vocabulary, VocabularyColumn } from './contract'
import type { ColumnKey, ColumnRole, ColumnType } from '../../../shared/data-sources/files'

/**
 * A heading, what it holds, and the values of what holds few; a key's values are as many as it has rows, or fewer. A
 * date's are its first and its last.
 */
type Heading = readonly [label: string, holds: Holding, ...values: (string | number)[]]
type Holding = 'key' | 'link' | 'name' | 'kind' | 'number' | 'date' | 'yesNo'
export interface SmallTable {
  rows: number
  headings: readonly Heading[]
}

const HELD: Readonly<Record<Holding, { type: ColumnType; role: ColumnRole; share: number }>> = {
  key: { type: 'integer', role: 'id', share: 1 },
  link: { type: 'integer', role: 'id', share: 0.5 },
  name: { type: 'text', role: 'dimension', share: 1 },
  kind: { type: 'text', role: 'dimension', share: 0.1 },
  number: { type: 'number', role: 'measure', share: 0.8 },
  date: { type: 'date', role: 'time', share: 0.9 },
  yesNo: { type: 'boolean', role: 'dimension', share: 0.02 },
}
const idOf = (kind: 'ds_' | 'rel_', name: string): string =>
  `${kind}${name
    .padEnd(20, '0')
    .replaceAll(/[^a-z0-9]|[ilou]/g, '1')
    .slice(0, 20)}`

/**
 * Small made-up tables and what the bot makes of questions about them, on the first of June 2024: the plan in words,
 * where it leads, or that it is asked back or declined. `links` join headings: `orders.customer id > customers.id`.
 */
export function smallTables(
  tables: Readonly<Record<string, SmallTable>>,
  links: readonly `${string} > ${string}`[] = [],
): (question: string) => Promise<string> {
  const datasets = Object.entries(tables).map(([name, { rows, headings }]) => ({
    ...{ id: idOf('ds_', name), name, rowCount: rows },
    columns: headings.map(([label, holds, ...values], i): VocabularyColumn => {
      const { type, role, share } = HELD[holds]
      const distinct = values.length > 0 && type !== 'date' ? values.length : Math.max(2, Math.round(rows * share))
      return {
        ...{ key: `c${i}` as const, label, type, role, distinct, format: { style: 'plain' } },
        ...(values.length > 0 && type !== 'date' ? { values: [...values] } : {}),
        ...(type === 'date' ? { from: String(values[0] ?? '2023-01-02'), to: String(values[1] ?? '2024-05-31') } : {}),
      }
    }),
  }))
  const endOf = (path: string): { dataset: string; key: ColumnKey } => {
    const [name = '', label = ''] = path.split('.')
    const found = datasets.find((each) => each.name === name)
    const key = found?.columns.find((each) => each.label === label)?.key
    if (!found || !key) throw new Error(`no heading ${path}`)
    return { dataset: found.id, key }
  }
  const vocabulary: Vocabulary = {
    datasets,
    relations: links.map((link) => {
      const [from = '', to = ''] = link.split(' > ')
      return { id: idOf('rel_', from), from: endOf(from), to: endOf(to) }
    }),
    ...{ metrics: [], groupings: [], things: [], glossary: [], verified: [] },
  }
  const held = datasets.flatMap(({ id, columns }) =>
    columns.flatMap(({ key, type, values = [] }): HeldValue[] =>
      type === 'text' ? values.map((value) => ({ dataset: id, column: key, value: String(value), count: 5 })) : [],
    ),
  )
  const values = memoryValues(held)
  const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2024-06-01' } as const
  return async (question) => {
    const answer = await interpret({ question, vocabulary, values, calendar })
    if (answer.kind === 'way') return answer.words
    if (answer.kind !== 'answer') return answer.kind
    return planWords(queryPlanSchema.parse(answer.plan), { vocabulary, locale: 'en-GB' })
  }
}

/** Questions of small tables, each with the plan that it is read as. */
export const told = (
  name: string,
  ask: (question: string) => Promise<string>,
  questions: readonly (readonly [question: string, plan: string])[],
): void => {
  describe(name, () => {
    it.each(questions)('%s → %s', async (question, plan) => expect(await ask(question)).toBe(plan))
  })
}
