import type { At } from './live-rows.ts'
import { askCold, questionsOf } from './query-rows.ts'
import { ms, p95, quantile, type Row } from './row.ts'
import { Person } from '../http/person.ts'
import type { QueryPlanInput } from '../../src/shared/query/plan.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'
import { addVisitors, type Visitor } from './visitors.ts'

const HOSTILE = 6
const ALONE_TIMES = 20
/** Between two questions of the honest person, who may ask ten a second, ms. */
const PACE_MS = 150
const pace = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PACE_MS))
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

/** Milliseconds of a list of another workspace. */
async function listMs(other: Person): Promise<number> {
  const started = performance.now()
  await other.call('GET', '/api/insights')
  return performance.now() - started
}

/** What one kind of call takes beside the hostile plans and alone. */
function fairnessRow(what: string, beside: readonly number[], alone: readonly number[]): Row {
  if (beside.length === 0) throw new Error('nothing was asked beside the heavy plans')
  const [own, least] = [quantile(beside, 0.5), quantile(alone, 0.5)]
  return {
    id: 'T2',
    what: `${what} beside ${HOSTILE} plans of five medians: median, p95, longest of ${beside.length}`,
    ours: `${ms(own)}, ${ms(p95(beside))}, ${ms(Math.max(...beside))}`,
    reference: `${ms(least)}, ${ms(p95(alone))} alone (goal ×2)`,
    ratio: `${(own / least).toFixed(2)}, ${(p95(beside) / p95(alone)).toFixed(2)}`,
  }
}

/** T2: how long a small question, and a list of another workspace, wait while a member asks six plans of five medians at once. */
export async function fairnessRows(
  person: Person,
  server: At,
  on: { dataset: string; columns: Pick<Column, 'key' | 'label'>[]; rows: number },
): Promise<Row[]> {
  const workspaceId = person.headers()['x-workspace'] ?? ''
  const [hostile] = await addVisitors(server, workspaceId, 1)
  const [total] = questionsOf(on)
  if (!hostile || !total) throw new Error('nobody asks')
  const other = new Person(server.address)
  await other.register('other@example.com')
  const calls = [() => askCold(person, total), () => listMs(other)] as const
  const times = async (call: () => Promise<number>): Promise<number[]> => {
    const taken: number[] = []
    for (; taken.length < ALONE_TIMES; await pace()) taken.push(await call())
    return taken
  }
  for (const call of calls) await times(call)
  const alone = [await times(calls[0]), await times(calls[1])]
  let open = HOSTILE
  const began = performance.now()
  const heavy = Promise.all(
    Array.from({ length: HOSTILE }, async (_, n) => {
      const one = await askAs(server, hostile, { workspaceId, plan: heavyPlan(on.columns, on.dataset, n) })
      open -= 1
      return one
    }),
  )
  // What fails beside them is told first: they fail with the server that is stopped for it.
  heavy.catch(() => undefined)
  // By turns, so that neither waits for the other.
  const beside: [number[], number[]] = [[], []]
  for (await pace(); open > 0; await pace()) {
    beside[0].push(await calls[0]())
    beside[1].push(await calls[1]())
  }
  const answers = await heavy
  const failed = answers.find(({ status }) => status !== 200)
  if (failed) throw new Error(`a heavy plan was answered ${failed.status}`)
  return [
    fairnessRow(`small question, ${on.rows} rows,`, beside[0], alone[0] ?? []),
    fairnessRow('list of another workspace', beside[1], alone[1] ?? []),
    {
      id: 'T2',
      what: `the ${HOSTILE} plans: all answered after, small questions meanwhile`,
      ours: `${ms(performance.now() - began)}, ${beside[0].length}`,
      reference: '–',
      ratio: '–',
    },
  ]
}
