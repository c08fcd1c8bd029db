import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { sweepInsights } from './service'
import { openDatabase } from '../../db/database'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { signedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import type { Insight } from '../../shared/insights'

it('removes an insight with its uses and targets when 30 days have passed since its deletion, and no other', async () => {
  const me = await signedIn()
  const dataset = await loadedDataset(me.workspaceId, [['Sweden', 100]])
  const plan = {
    v: 1,
    kind: 'aggregate',
    dataset,
    measures: [{ kind: 'column', agg: 'count' }],
    dimensions: [],
    filters: [],
  }
  const make = async (name: string): Promise<string> => {
    const made = await me.fetch('/api/insights', { method: 'POST', json: { name, plan, viz: { chart: 'bar' } } })
    expect(made.status).toBe(201)
    return (await made.json<Insight>()).id
  }
  const [old, young, live] = [await make('Old'), await make('Young'), await make('Live')]
  const now = Date.parse('2026-11-20T12:00:00Z')
  const remove = env.DB.prepare('UPDATE insights SET deleted_at = ? WHERE id = ?')
  await env.DB.batch([remove.bind(now - DELETED_RETENTION_MS, old), remove.bind(now - DELETED_RETENTION_MS + 1, young)])
  const target = env.DB.prepare(
    `INSERT INTO targets (id, workspace_id, subject_kind, subject_id, grain, lines, updated_at, updated_by)
     VALUES (?1, ?2, 'insight', ?1, 'month', '[]', 1, ?3)`,
  )
  await env.DB.batch([old, young, live].map((id) => target.bind(id, me.workspaceId, me.userId)))

  await sweepInsights({ db: openDatabase(env.DB), clock: { now: () => now } })

  const ids = 'SELECT id FROM insights WHERE workspace_id = ? ORDER BY name'
  const { results } = await env.DB.prepare(ids).bind(me.workspaceId).all<{ id: string }>()
  expect(results.map(({ id }) => id)).toEqual([live, young])
  const kept = env.DB.prepare('SELECT subject_id FROM targets WHERE workspace_id = ?').bind(me.workspaceId)
  const targets = (await kept.all<{ subject_id: string }>()).results.map(({ subject_id }) => subject_id)
  expect(targets.toSorted()).toEqual([live, young].toSorted())
  const uses = env.DB.prepare('SELECT count(*) AS n FROM insight_fields WHERE insight_id = ?')
  expect(await uses.bind(old).first('n')).toBe(0)
  expect(await uses.bind(live).first('n')).toBeGreaterThan(0)
})
