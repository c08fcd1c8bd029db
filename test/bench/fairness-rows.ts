import type { At } from './live-rows.ts'
import { askCold, questionsOf } from './query-rows.ts'
import { ms, p95, quantile, type Row } from './row.ts'
import type { Person } from '../http/person.ts'
import type { QueryPlanInput } from '../../src/shared/query/plan.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'
import { addVisitors, type Visitor } from './visitors.ts'

const HOSTILE = 6
const ALONE_TIMES = 8
const MEASURES = ['quantity', 'unit_price', 'amount', 'cost', 'order_id']

/** Medians by customer × day: every group is nearly a row. */
function heavyPlan(columns: readonly Pick<Column, 'key' | 'label'>[], dataset: string, n: number): QueryPlanInput {
  const field = (label: string) => {
    const key = columns.find((column) => column.label === label)?.key
    if (!key) throw new Error(`no column ${label}`)
    return { dataset, column: key }
  }
  return {
    ...{ v: 2, kind: 'aggregate', dataset, filters: [] },
    measures: MEASURES.map((label) => ({
      ...{ kind: 'column', agg: 'median', field: field(label), label: `${label} ${n}` },
    })),
    dimensions: [{ field: field('customer') }, { field: field('ordered_at'), grain: 'day' }],
  }
}

/** Status of a question, and what it took. */
async function askAs(
  { address }: Pick<At, 'address'>,
  who: Visitor,
  at: { workspaceId: string; plan: QueryPlanInput },
): Promise<{ status: number; taken: number }> {
  const started = performance.now()
  const answer = await fetch(`${address}/api/query`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-workspace': at.workspaceId },
      ...{ 'x-csrf-token': who.csrf, cookie: who.cookie },
    },
    body: JSON.stringify({ plan: at.plan }),
  })
  await answer.arrayBuffer()
  return { status: answer.status, taken: performance.now() - started }
}

/** T2: how long a small question waits while another member asks six plans of five medians at once. */
export async function fairnessRows(
  person: Person,
  server: At,
  on: { dataset: string; columns: Pick<Column, 'key' | 'label'>[]; rows: number },
): Promise<Row[]> {
  const workspaceId = person.headers()['x-workspace'] ?? ''
  const [hostile] = await addVisitors(server, workspaceId, 1)
  const [total] = questionsOf(on)
  if (!hostile || !total) throw new Error('nobody asks')
  const alone: number[] = []
  for (let n = 0; n < ALONE_TIMES; n += 1) alone.push(await askCold(person, total))
  const single = heavyPlan(on.columns, on.dataset, -1)
  const statement = await askAs(server, hostile, {
    ...{ workspaceId, plan: { ...single, measures: single.measures.slice(0, 1) } },
  })
  let open = HOSTILE
  const began = performance.now()
  const heavy = Promise.all(
    Array.from({ length: HOSTILE }, async (_, n) => {
      const one = await askAs(server, hostile, { workspaceId, plan: heavyPlan(on.columns, on.dataset, n) })
      open -= 1
      return one
    }),
  )
  const waits: number[] = []
  await new Promise((resolve) => setTimeout(resolve, 100))
  while (open > 0) waits.push(await askCold(person, total))
  const answers = await heavy
  if (waits.length === 0) throw new Error('no small question was asked beside the heavy plans')
  const failed = answers.find(({ status }) => status !== 200)
  if (failed) throw new Error(`a heavy plan was answered ${failed.status}`)
  const usual = quantile(alone, 0.5)
  const goal = 2 * usual + statement.taken
  const worst = Math.max(...waits)
  return [
    {
      id: 'T2',
      what: `small question beside ${HOSTILE} plans of five medians, ${on.rows} rows: median, p95, longest`,
      ours: `${ms(quantile(waits, 0.5))}, ${ms(p95(waits))}, ${ms(worst)}`,
      reference: `${ms(goal)} (twice its ${ms(usual)} alone and one median of ${ms(statement.taken)})`,
      ratio: (worst / goal).toFixed(2),
    },
    {
      id: 'T2',
      what: `the ${HOSTILE} plans: all answered after, small questions meanwhile`,
      ours: `${ms(performance.now() - began)}, ${waits.length}`,
      reference: '–',
      ratio: '–',
    },
  ]
}
