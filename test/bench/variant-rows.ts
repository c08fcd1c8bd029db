import { openAsBlob, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Person } from '../http/person.ts'
import type { At } from './live-rows.ts'
import { CUSTOMERS } from './orders.ts'
import { askCold, questionsOf } from './query-rows.ts'
import type { Question } from './questions.ts'
import { ms, p95, type Row } from './row.ts'
import type { Dataset, Column } from '../../src/shared/data-sources/data-sources.ts'
import type { AccessPolicy, AccessRule } from '../../src/shared/data-access/rules.ts'
import type { QueryPlanInput } from '../../src/shared/query/plan.ts'
import type { Field } from '../../src/shared/query/field.ts'

const TIMES = 4
export const SEGMENTS = ['Retail', 'Builders', 'Public', 'Industry', 'Online']

export interface Orders {
  dataset: string
  columns: Pick<Column, 'key' | 'label'>[]
}
/** The twelve questions with something more to do; null: this question has nothing to do with it. */
interface Variant {
  id: string
  what: string
  change: (question: Question) => QueryPlanInput | null
}

/** Customers with a segment each, to which the orders are related. Answers the segment's field. */
export async function relatedSegment(person: Person, orders: Orders, folder: string): Promise<Field> {
  const path = join(folder, 'customers.csv')
  const lines = Array.from({ length: CUSTOMERS }, (_, n) => `Customer ${n + 1},${SEGMENTS[n % SEGMENTS.length] ?? ''}`)
  writeFileSync(path, `customer,segment\n${lines.join('\n')}\n`)
  const uploadId = await person.upload('customers.csv', await openAsBlob(path))
  const { settings, columns } = await person.inspect(uploadId)
  const tables = [{ name: 'Customers', uploadId, settings, columns }]
  const source = await person.createSource({ name: 'Customers', tables })
  const run = await person.finished(source.lastRun?.id ?? '')
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}: ${JSON.stringify(run.error)}`)
  const dataset = source.datasets[0]?.id ?? ''
  const from = { datasetId: orders.dataset, key: fieldOf(orders, 'customer').column }
  await person.call('POST', '/api/relations', { from, to: { datasetId: dataset, key: 'c0' } })
  return { dataset, column: 'c1' }
}

/** From now on the amounts are euros, and the workspace may convert them. */
async function inEuros(person: Person, server: Pick<At, 'write'>, orders: Orders): Promise<void> {
  const workspace = person.headers()['x-workspace'] ?? ''
  await server.write(`UPDATE subscriptions SET override = '{"multiCurrency":true}' WHERE workspace_id = '${workspace}'`)
  const before = await person.call<Dataset>('GET', `/api/datasets/${orders.dataset}`)
  const euro = { style: 'currency', currency: 'EUR' } as const
  const columns = before.columns.map(({ key, label, role, format, hidden }) => ({
    ...{ key, label, role, hidden },
    format: label === 'amount' || label === 'cost' ? euro : format,
  }))
  const { name, version } = before
  await person.call('PUT', `/api/datasets/${orders.dataset}`, { name, version, columns })
}

export function fieldOf({ dataset, columns }: Orders, label: string): Field {
  const key = columns.find((column) => column.label === label)?.key
  if (!key) throw new Error(`no column ${label}`)
  return { dataset, column: key }
}

/** Each question without and with it, by turns, so that both meet the same minutes of the machine. */
async function compared(person: Person, list: readonly Question[], { id, what, change }: Variant): Promise<Row> {
  const [plain, changed]: [number[], number[]] = [[], []]
  for (const question of list) {
    const plan = change(question)
    if (!plan) continue
    await askCold(person, { ...question, plan })
    for (let n = 0; n < TIMES; n += 1) {
      plain.push(await askCold(person, question))
      changed.push(await askCold(person, { ...question, plan }))
    }
  }
  const ratio = (p95(changed) / p95(plain)).toFixed(2)
  return {
    id,
    what: `12 questions, cold, ${what}, p95`,
    ours: ms(p95(changed)),
    reference: `${ms(p95(plain))} without`,
    ratio,
  }
}

const RULES = 20

/** From now on, or no more, everybody sees only orders of customers whose segment one of twenty rules names. */
export async function setRules(person: Person, server: Pick<At, 'write'>, rules: AccessRule[]): Promise<void> {
  const workspace = person.headers()['x-workspace'] ?? ''
  const policy = JSON.stringify({ rules, restricted: [], attributes: [], tests: [] } satisfies AccessPolicy)
  await server.write(
    `INSERT INTO access_policies (workspace_id, revision, policy, change, actor_id, at)
     SELECT m.workspace_id, 1 + (SELECT count(*) FROM access_policies p WHERE p.workspace_id = m.workspace_id), '${policy}', '[]', m.user_id, 0
     FROM members m WHERE m.workspace_id = '${workspace}' LIMIT 1`,
  )
  await server.write(`UPDATE workspaces SET access_epoch = access_epoch + 1 WHERE id = '${workspace}'`)
}

/** Q7: the twelve questions of somebody of whom twenty rules over a relation are, question by question. */
async function ruledRow(
  person: Person,
  server: Pick<At, 'write'>,
  { list, dataset, segment }: { list: readonly Question[]; dataset: string; segment: Field },
): Promise<Row> {
  const rules = Array.from({ length: RULES }, (_, n): AccessRule => {
    const value = SEGMENTS[n] ?? `Segment ${n}`
    return {
      ...{ id: `acr_${String(n).padStart(20, '0')}`, name: value, subject: { kind: 'everyone' }, effect: 'allow' },
      ...{ resource: { kind: 'dataset', id: dataset }, rows: 'some', columns: [], active: n !== 4 },
      filters: [{ field: segment, any: [{ op: 'eq', value }] }],
    }
  })
  const [plain, ruled]: [number[], number[]] = [[], []]
  for (const question of list) {
    await askCold(person, question)
    for (let n = 0; n < TIMES; n += 1) plain.push(await askCold(person, question))
    await setRules(person, server, rules)
    await askCold(person, question)
    for (let n = 0; n < TIMES; n += 1) ruled.push(await askCold(person, question))
    await setRules(person, server, [])
  }
  return {
    id: 'Q7',
    what: `12 questions, cold, under ${RULES} rules of access over one relation, p95`,
    ours: ms(p95(ruled)),
    reference: `${ms(p95(plain))} without`,
    ratio: (p95(ruled) / p95(plain)).toFixed(2),
  }
}

/** Q4 to Q7: what a row rule, a relation, a currency and rules of access add to the twelve questions. */
export async function variantRows(
  person: Person,
  server: Pick<At, 'write'>,
  { segment, ...at }: Orders & { segment: Field },
): Promise<Row[]> {
  await inEuros(person, server, at)
  const filtered = ({ plan }: Question, field: Field, values: string[]): QueryPlanInput => ({
    ...plan,
    filters: [...(plan.filters ?? []), { field, any: [{ op: 'in', values }] }],
  })
  const variants: Variant[] = [
    {
      ...{ id: 'Q4', what: 'with the filter of a row rule on a column that nothing splits by' },
      change: (question) => filtered(question, fieldOf(at, 'channel'), ['Counter', 'Webshop']),
    },
    {
      ...{ id: 'Q5', what: 'with a filter over one relation' },
      change: (question) => filtered(question, segment, ['Retail', 'Builders', 'Public']),
    },
    {
      ...{ id: 'Q6', what: 'in another currency, by the rates of the days' },
      // What is counted has no currency.
      change: ({ name, plan }) =>
        name === 'distinct customers' ? null : { ...plan, v: 2, currency: { code: 'SEK', mode: 'transaction' } },
    },
  ]
  const list = questionsOf(at)
  const rows: Row[] = []
  for (const variant of variants) rows.push(await compared(person, list, variant))
  rows.push(await ruledRow(person, server, { list, dataset: at.dataset, segment }))
  return rows
}
