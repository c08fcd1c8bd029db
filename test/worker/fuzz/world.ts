import { env } from 'cloudflare:test'
import { column } from '../warehouse-rows'
import { expiredTrial, signedIn, visitor, type Caller } from '../factories'
import { loadedDataset } from '../loaded-dataset'
import { aRowOfEach, type ResourceIds } from '../resources'
import type { createApp } from '../../../src/app'

type App = ReturnType<typeof createApp>

/** Everybody who may send a request. All but the last two name the same workspace. */
const ACTORS = [
  'anon',
  'stranger',
  'suspended',
  'client',
  'viewer',
  'analyst',
  'admin',
  'owner',
  'staff',
  'lapsed',
] as const
export type ActorName = (typeof ACTORS)[number]
export const ACTOR_NAMES: readonly ActorName[] = ACTORS

/** Two workspaces with one thing of every kind in each; nobody who asks belongs to the second. */
export interface AttackSetting {
  actors: Record<ActorName, Caller>
  own: ResourceIds
  foreign: ResourceIds
  foreignWorkspace: string
  /** Stands in every text of the second workspace: no answer may hold it. */
  marker: string
}

const DAY_MS = 86_400_000
const COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
]

const ruleOf = (insight: string) => ({
  ...{
    subject: { kind: 'insight', id: insight, measure: 0 },
    condition: { kind: 'value', op: 'above', limit: 1, band: 0 },
  },
  ...{ grain: 'month', on: 'complete', by: null, hold: 1, reminderDays: null },
})

/** One thing of every kind, its figures answered by rows that are there. */
async function furnish(owner: { workspaceId: string; userId: string }, text: string): Promise<ResourceIds> {
  const ids = await aRowOfEach(owner.workspaceId, owner.userId)
  const dataset = await loadedDataset(owner.workspaceId, [[text, 100, Date.UTC(2026, 0, 1) / DAY_MS]], COLUMNS, text)
  const field = { dataset, column: 'c2' }
  const plan = {
    ...{ v: 2, kind: 'aggregate', dataset, measures: [{ kind: 'column', agg: 'count', dataset }] },
    ...{ dimensions: [{ field, grain: 'month' }], filters: [] },
  }
  const named = ['data_sources', 'datasets', 'groupings', 'user_groups', 'insights', 'metrics', 'categories', 'alerts']
  await env.DB.batch([
    ...[...named, 'forecasts'].map((table) =>
      env.DB.prepare(`UPDATE ${table} SET name = ?1 || ' ' || substr(id, -4) WHERE workspace_id = ?2`).bind(
        text,
        owner.workspaceId,
      ),
    ),
    env.DB.prepare('UPDATE metrics SET dataset_id = ?, time_field = ? WHERE id = ?').bind(
      ...[dataset, JSON.stringify(field), ids['metrics']],
    ),
    env.DB.prepare('UPDATE alerts SET rules = ? WHERE id = ?').bind(
      ...[JSON.stringify(ruleOf(ids['insights'] ?? '')), ids['alerts']],
    ),
    env.DB.prepare('UPDATE insights SET plan = ?, viz = ? WHERE id = ?').bind(
      ...[JSON.stringify(plan), JSON.stringify({ chart: 'line' }), ids['insights']],
    ),
  ])
  return { ...ids, loaded: dataset }
}

/** A new pair of workspaces and everybody around them. */
export async function anAttackSetting(app: App, marker: string): Promise<AttackSetting> {
  const owner = await signedIn({ app })
  const { workspaceId } = owner
  const member = (role: 'client' | 'viewer' | 'analyst' | 'admin') => signedIn({ app, workspaceId, role })
  const suspended = await member('analyst')
  await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(suspended.userId).run()
  const [stranger, anon] = [await signedIn({ app }), await visitor({ app })]
  for (const outsider of [stranger, anon]) outsider.headers['x-workspace'] = workspaceId
  const foreign = await signedIn({ app, name: `${marker} AB` })
  return {
    actors: {
      ...{ anon, stranger, suspended, owner },
      client: await member('client'),
      viewer: await member('viewer'),
      analyst: await member('analyst'),
      admin: await member('admin'),
      staff: await signedIn({ app, staff: true }),
      lapsed: await expiredTrial({ app }),
    },
    own: await furnish(owner, 'Own'),
    foreign: await furnish(foreign, marker),
    foreignWorkspace: foreign.workspaceId,
    marker,
  }
}

/** Every row of the second workspace as one text: equal before and after = nobody wrote to it. */
export async function foreignRows({ foreignWorkspace }: AttackSetting): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql GLOB '*[^a-z_]workspace_id *' ORDER BY name",
  ).all<{ name: string }>()
  const rows = await env.DB.batch(
    tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}" WHERE workspace_id = ?`).bind(foreignWorkspace)),
  )
  return JSON.stringify(rows.map(({ results }, at) => [tables[at]?.name, results]))
}
