import { ms, p95, quantile, type Row } from './row.ts'
import { fieldOf, SEGMENTS, setRules, type Orders } from './variant-rows.ts'
import { addVisitors, type Visitor } from './visitors.ts'
import type { At } from './live-rows.ts'
import type { Person } from '../http/person.ts'
import type { AccessExplanation, AccessOverview } from '../../src/shared/data-access/data-access.ts'
import type { AccessRule } from '../../src/shared/data-access/rules.ts'
import type { Field } from '../../src/shared/query/field.ts'

const RULES = 200
const PEOPLE = 1_000
const TIMES = 20
const SCOPE_GOAL_MS = 10
const INSPECTOR_GOAL_MS = 300

/** As many rules as there may be about the same rows: half of them over a relation, no two alike. */
const manyRules = (dataset: string, { segment, channel }: { segment: Field; channel: Field }): AccessRule[] =>
  Array.from({ length: RULES }, (_, n): AccessRule => {
    const [field, value] = n % 2 === 0 ? [segment, SEGMENTS[n / 2] ?? `Segment ${n}`] : [channel, `Channel ${n}`]
    return {
      ...{ id: `acr_${String(n).padStart(20, '0')}`, name: value, effect: 'allow', rows: 'some', columns: [] },
      subject: n % 3 === 0 ? { kind: 'role', role: 'viewer' } : { kind: 'everyone' },
      ...{ resource: { kind: 'dataset', id: dataset }, active: true },
      filters: [{ field, any: [{ op: 'eq', value }] }],
    }
  })

/** Milliseconds of a call of somebody whose rights it has to read. */
async function callOf({ address }: At, { cookie }: Visitor, workspaceId: string): Promise<number> {
  const started = performance.now()
  const answer = await fetch(`${address}/api/session?w=${workspaceId}`, { headers: { cookie } })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`session: ${answer.status}`)
  return performance.now() - started
}

/** R1 and R2: what two hundred rules and a thousand people add to a call, and how long an explanation takes. */
export async function accessRows(
  person: Person,
  server: At,
  { segment, ...at }: Orders & { segment: Field },
): Promise<Row[]> {
  const workspaceId = person.headers()['x-workspace'] ?? ''
  const [visitor] = await addVisitors(server, workspaceId, PEOPLE, 1)
  if (!visitor) throw new Error('nobody to ask as')
  const call = (): Promise<number> => callOf(server, visitor, workspaceId)
  const plain: number[] = []
  for (let n = 0; n < TIMES; n += 1) plain.push(await call())
  const rules = manyRules(at.dataset, { segment, channel: fieldOf(at, 'channel') })
  const built: number[] = []
  for (let n = 0; n < TIMES; n += 1) {
    // Each time rules of another epoch: nothing is remembered of them.
    await setRules(person, server, rules)
    built.push(await call())
  }
  const added = quantile(built, 0.5) - quantile(plain, 0.5)
  const { people } = await person.call<AccessOverview>('GET', '/api/data-access/people')
  const userId = people.find(({ role }) => role === 'viewer')?.userId ?? ''
  const column = fieldOf(at, 'customer').column
  const explained: number[] = []
  for (let n = 0; n < TIMES; n += 1) {
    const row = { column, value: `Customer ${n + 1}` }
    const started = performance.now()
    const { rules: told } = await person.call<AccessExplanation>('POST', '/api/data-access/inspect', {
      ...{ userId, dataset: at.dataset, row },
    })
    explained.push(performance.now() - started)
    if (told.length !== RULES) throw new Error(`${told.length} rules explained`)
  }
  await setRules(person, server, [])
  const name = `${RULES} rules, ${PEOPLE} people`
  return [
    {
      ...{ id: 'R1', what: `${name}: scope built, over a call without rules`, ours: ms(added) },
      ...{ reference: `${ms(SCOPE_GOAL_MS)} (goal)`, ratio: (added / SCOPE_GOAL_MS).toFixed(2) },
    },
    {
      ...{ id: 'R2', what: `${name}: why somebody sees a row, p95`, ours: ms(p95(explained)) },
      reference: `${ms(INSPECTOR_GOAL_MS)} (goal)`,
      ratio: (p95(explained) / INSPECTOR_GOAL_MS).toFixed(2),
    },
  ]
}
