import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  GUARDED_COLUMNS,
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../test/worker/access/guarded-workspace'
import type { SignedIn } from '../../../test/worker/factories'
import { createLoadedSource, loadFileInto, sameColumns, textColumn } from '../../../test/worker/loads'
import { createApp } from '../../app'

const app = createApp()
const COLUMNS = [textColumn(0, 'person'), textColumn(1, 'team')]
const PEOPLE = 'person,team\nAda,1\nBo,1\nCleo Canary,2\nDan Canary,2\n'
const MOVED = 'person,team\nAda,2\nBo,2\nCleo Canary,1\nDan Canary,1\n'
const MONTHS = Array.from({ length: 30 }, (_, n) => {
  const month = `${2024 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`
  return [`${month}-05,Ada,${100 + n}.25,North,a@x.se`, `${month}-06,Cleo Canary,${900 + n * 7}.50,South,c@x.se`]
})
const PAY = ['day,person,pay,region,email', ...MONTHS.flat()].join('\n')

let at: GuardedWorkspace & { people: string }
let ada: SignedIn
const made: { alert: string; forecast: string } = { alert: '', forecast: '' }

const teamRule = (team: string) => ({
  ...onlyRegion(at.datasetId, '', { kind: 'member' as const, id: ada.userId }),
  filters: [{ field: { dataset: at.people, column: 'c1' as const }, any: [{ op: 'eq' as const, value: team }] }],
})
async function post<T>(who: SignedIn, path: string, json: unknown): Promise<T> {
  const answer = await who.fetch(path, { method: 'POST', json })
  expect([path, answer.status, await answer.clone().text()]).toEqual([path, 201, expect.anything()])
  return answer.json<T>()
}
const first = <T>(sql: string, ...values: string[]): Promise<T | null> =>
  env.DB.prepare(sql)
    .bind(...values)
    .first<T>()
const alertNow = () =>
  first<{ rights: string; datasets: string; at: number }>(
    'SELECT rights, datasets, evaluated_at AS at FROM alerts WHERE id = ?',
    made.alert,
  )
const lastRun = () =>
  first<{ rights: string; number: number; datasets: string; state: string }>(
    `SELECT r.rights, r.number, r.state, f.datasets FROM forecast_runs r JOIN forecasts f ON f.id = r.forecast_id
     WHERE f.id = ? ORDER BY r.number DESC`,
    made.forecast,
  )
const settled = async () => {
  await vi.waitFor(async () => expect((await lastRun())?.rights).not.toBe(''), { timeout: 10_000, interval: 50 })
  await vi.waitFor(async () => expect((await alertNow())?.rights).not.toBe(''), { timeout: 10_000, interval: 50 })
}
/** Which look at the figures of pay by Ada's rights is the newest. */
const lookOf = async (): Promise<string | undefined> => {
  expect((await ada.fetch('/api/findings')).status).toBe(200)
  return (
    await first<{ claim: string }>(
      'SELECT claim FROM finding_runs WHERE workspace_id = ? AND dataset_id = ? ORDER BY claimed_at DESC',
      ada.workspaceId,
      at.datasetId,
    )
  )?.claim
}

beforeAll(async () => {
  const guarded = await guardedWorkspace(app)
  const { owner, datasetId } = guarded
  ada = await guarded.join()
  const { datasetId: people } = await createLoadedSource(owner, PEOPLE, { columns: COLUMNS, name: 'People' })
  at = { ...guarded, people }
  const load = { text: PAY, columns: GUARDED_COLUMNS, mapping: sameColumns(GUARDED_COLUMNS) }
  expect(await loadFileInto(owner, datasetId, load)).toMatchObject({ state: 'succeeded' })
  await post(owner, '/api/relations', { from: { datasetId, key: 'c1' }, to: { datasetId: people, key: 'c0' } })
  await savePolicy(owner, { rules: [teamRule('1')] })
  const metric = { name: 'Paid', dataset: datasetId, formula: 'sum([pay])', time: { dataset: datasetId, column: 'c0' } }
  const { id } = await post<{ id: string }>(owner, '/api/metrics', metric)
  const subject = { kind: 'metric', id }
  const condition = { kind: 'value', op: 'above', limit: 1 }
  const alert = { name: 'Pay', subject, condition, receivers: [ada.userId] }
  made.alert = (await post<{ id: string }>(ada, '/api/alerts', alert)).id
  const forecast = { name: 'Pay', subject, grain: 'month', horizon: 3 }
  made.forecast = (await post<{ id: string }>(ada, '/api/forecasts', forecast)).id
  await settled()
})

describe('kept figures of somebody whose rules ask another table (RLS-5)', () => {
  it('are found again when only that table has new rows', async () => {
    const [look, run, alert] = [await lookOf(), await lastRun(), await alertNow()]
    expect(await lookOf()).toBe(look)
    for (const kept of [run, alert]) expect(kept?.datasets).toContain(at.people)
    const load = { text: MOVED, columns: COLUMNS, mapping: sameColumns(COLUMNS) }
    expect(await loadFileInto(at.owner, at.people, load)).toMatchObject({ state: 'succeeded' })
    await vi.waitFor(async () => expect((await lastRun())?.number).toBe((run?.number ?? 0) + 1), { timeout: 10_000 })
    await vi.waitFor(async () => expect((await alertNow())?.at).toBeGreaterThan(alert?.at ?? 0), { timeout: 10_000 })
    const again = await lookOf()
    expect(again).not.toBe(look)
    expect(await lookOf()).toBe(again)
  })

  it('are found again by other rules once these change', async () => {
    await settled()
    const [look, run, alert] = [await lookOf(), await lastRun(), await alertNow()]
    await savePolicy(at.owner, { rules: [teamRule('2')] })
    await vi.waitFor(async () => expect((await alertNow())?.rights).not.toBe(alert?.rights), { timeout: 10_000 })
    await vi.waitFor(async () => expect([run?.rights, '']).not.toContain((await lastRun())?.rights), {
      timeout: 10_000,
    })
    expect(await lookOf()).not.toBe(look)
  })
})
