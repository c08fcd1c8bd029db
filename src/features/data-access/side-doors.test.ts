import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { guardedWorkspace, onlyRegion, savePolicy, type RuleInput } from '../../../test/worker/access/guarded-workspace'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import {
  createLoadedSource,
  createSource,
  loadFileInto,
  newTable,
  readTotals,
  sameColumns,
  textColumn,
  uploadText,
  waitForRun,
} from '../../../test/worker/loads'
import { depsAt } from '../../../test/worker/deps'
import { createApp } from '../../app'
import { loadAnalysisCatalogue } from '../findings/analysis-catalogue'
import { FULL_RIGHTS, Scope, type DataRights } from '../../scope'
import type { DataSource } from '../../shared/data-sources/data-sources'
import type { QueryResult } from '../../shared/query/result'
import type { Relation } from '../../shared/relations'

const app = createApp()
const NORTH = { rows: 2, sum: 300.75 }
const SOUTH = { rows: 2, sum: 111_111.1 }
const member = ({ userId }: SignedIn) => ({ kind: 'member' as const, id: userId })
const post = (who: SignedIn, path: string, json: unknown): Promise<Response> =>
  who.fetch(path, { method: 'POST', json })
async function made<T extends { id: string }>(who: SignedIn, path: string, json: unknown): Promise<T> {
  const answer = await post(who, path, json)
  expect([path, answer.status, await answer.clone().text()]).toEqual([path, 201, expect.anything()])
  return answer.json<T>()
}
const putInto = (category: string, insight: string): Promise<unknown> =>
  env.DB.prepare('UPDATE insights SET category_id = ? WHERE id = ?').bind(category, insight).run()
const hiding = (resource: RuleInput['resource'], subject: RuleInput['subject']): RuleInput => ({
  ...{ name: 'Hidden', subject, resource, effect: 'hide', rows: 'all', filters: [], columns: [], active: true },
})

const PEOPLE = 'person,team\nAda,1\nBo,1\nCleo Canary,2\nDan Canary,2\n'
const MOVED = 'person,team\nAda,2\nBo,2\nCleo Canary,1\nDan Canary,1\n'
const TEAMS = 'team,office\n1,Umea\n2,Malmo\n'
const columnsOf = (...labels: string[]) => labels.map((label, at) => textColumn(at, label))
const relate = (who: SignedIn, [from, key]: [string, string], to: string): Promise<Response> =>
  post(who, '/api/relations', { from: { datasetId: from, key }, to: { datasetId: to, key: 'c0' } })

async function relatedPay() {
  const at = await guardedWorkspace(app)
  const { owner, datasetId: pay } = at
  const columns = columnsOf('person', 'team')
  const { datasetId: people } = await createLoadedSource(owner, PEOPLE, { columns, name: 'People' })
  const offices = columnsOf('team', 'office')
  const { datasetId: teams } = await createLoadedSource(owner, TEAMS, { columns: offices, name: 'Teams' })
  expect((await relate(owner, [pay, 'c1'], people)).status).toBe(201)
  expect((await relate(owner, [people, 'c1'], teams)).status).toBe(201)
  return { ...at, pay, people, teams, columns }
}

describe('answers', () => {
  it('are asked again once a table that a rule only passes through has other rows', async () => {
    const { owner, join, pay, people, teams, columns } = await relatedPay()
    const ada = await join()
    const filters: RuleInput['filters'] = [
      { field: { dataset: teams, column: 'c1' }, any: [{ op: 'eq', value: 'Umea' }] },
    ]
    await savePolicy(owner, { rules: [{ ...onlyRegion(pay, '', member(ada)), filters }] })
    expect(await readTotals(ada, pay)).toEqual(NORTH)
    const mapping = sameColumns(columns)
    expect(await loadFileInto(owner, people, { text: MOVED, columns, mapping })).toMatchObject({ state: 'succeeded' })
    expect(await readTotals(ada, pay)).toEqual(SOUTH)
  })

  it('are asked again once a column that a rule asks is computed otherwise', async () => {
    const { owner, join, datasetId } = await guardedWorkspace(app)
    const ada = await join()
    const text = (value: string) => ({ kind: 'text' as const, value })
    const computed = async (value: string, key?: string): Promise<void> => {
      const { version } = await (await owner.fetch(`/api/datasets/${datasetId}`)).json<{ version: number }>()
      const region = { kind: 'field', field: { dataset: datasetId, column: 'c3' } }
      const expr = { kind: 'compare', op: 'eq', left: region, right: text(value) }
      const json = { label: 'Open', expr, format: { style: 'plain' }, version }
      const path = `/api/datasets/${datasetId}/computed${key === undefined ? '' : `/${key}`}`
      const answer = await owner.fetch(path, { method: key === undefined ? 'POST' : 'PUT', json })
      expect([answer.status < 300, await answer.clone().text()]).toEqual([true, expect.anything()])
    }
    await computed('North')
    const { columns } = await (
      await owner.fetch(`/api/datasets/${datasetId}`)
    ).json<{ columns: { key: `c${number}`; label: string }[] }>()
    const key = columns.find(({ label }) => label === 'Open')?.key ?? 'c0'
    const rule: RuleInput = {
      ...onlyRegion(datasetId, '', member(ada)),
      filters: [{ field: { dataset: datasetId, column: key }, any: [{ op: 'eq', value: true }] }],
      columns: [{ key, grant: 'hide' }],
    }
    await savePolicy(owner, { rules: [rule] })
    expect(await readTotals(ada, datasetId)).toEqual(NORTH)
    await computed('South', key)
    expect(await readTotals(ada, datasetId)).toEqual(SOUTH)
  })
})

describe('relationships', () => {
  it('tell nothing of rows that are hidden, and none is proven by them', async () => {
    const { owner, join, pay, people } = await relatedPay()
    const ada = await join()
    await savePolicy(owner, { rules: [onlyRegion(pay, 'North', member(ada))] })
    const list = async (who: SignedIn) => (await who.fetch('/api/relations')).json<Relation[]>()
    const own = (await list(ada)).find(({ from }) => from.datasetId === pay)
    expect(own?.proof).toMatchObject({ fromRows: 0, matchedRows: 0, toRows: 0, duplicateKeys: 0, restricted: true })
    expect((await list(owner)).find(({ from }) => from.datasetId === pay)?.proof).toMatchObject({ matchedRows: 4 })
    const guesses = columnsOf('guess')
    const { datasetId } = await createLoadedSource(ada, 'guess\nCleo Canary\nX\n', {
      columns: guesses,
      name: 'Guesses',
    })
    expect((await relate(ada, [pay, 'c1'], datasetId)).status).toBe(403)
    expect((await relate(ada, [people, 'c0'], datasetId)).status).toBe(201)
  })

  it('name no insight that is hidden when they are in use', async () => {
    const { owner, join, pay, teams } = await relatedPay()
    const ada = await join()
    const category = await made<{ id: string }>(owner, '/api/categories', { name: 'Board', icon: 'folder' })
    const plan = {
      ...{ v: 3, kind: 'aggregate', filters: [], dimensions: [{ field: { dataset: teams, column: 'c1' } }] },
      measures: [{ kind: 'column', agg: 'sum', field: { dataset: pay, column: 'c2' } }],
    }
    const { id } = await made<{ id: string }>(owner, '/api/insights', {
      name: 'Secret plan',
      plan,
      viz: { chart: 'bar' },
    })
    await putInto(category.id, id)
    await savePolicy(owner, { rules: [hiding({ kind: 'category', id: category.id }, member(ada))] })
    const [relation] = await (await ada.fetch('/api/relations')).json<Relation[]>()
    const refused = await ada.fetch(`/api/relations/${relation?.id}?version=${relation?.version}`, { method: 'DELETE' })
    const said = await refused.text()
    expect([refused.status, said.includes('Secret plan')]).toEqual([409, false])
  })
})

describe('groupings', () => {
  it('of a masked column are refused, and stay right for everybody else', async () => {
    const { owner, join, datasetId } = await guardedWorkspace(app)
    const ada = await join()
    const group = { id: 'gpm_00000000000000000001', parentId: null, name: 'High', color: null, order: 0 }
    const { id } = await made<{ id: string }>(owner, '/api/groupings', {
      ...{ name: 'Pay', kind: 'values', target: { kind: 'column', dataset: datasetId, column: 'c2' } },
      eras: [{ from: null, groups: [{ ...group, rules: [{ kind: 'range', from: 1000, to: 1_000_000 }] }] }],
      fallback: { kind: 'ungrouped', name: 'Low' },
    })
    const mask: RuleInput = {
      ...onlyRegion(datasetId, '', member(ada)),
      ...{ rows: 'unchanged', filters: [], columns: [{ key: 'c2', grant: 'bucket' }] },
    }
    await savePolicy(owner, { rules: [mask] })
    const plan = {
      ...{ v: 3, kind: 'aggregate', filters: [], measures: [{ kind: 'column', agg: 'count', dataset: datasetId }] },
      dimensions: [{ field: { dataset: datasetId, column: 'c2' }, grouping: { id } }],
    }
    expect((await post(ada, '/api/query', { plan })).status).toBe(422)
    const answer = await (await post(owner, '/api/query', { plan })).json<QueryResult>()
    expect(answer.rows.map((row) => row.join()).toSorted()).toEqual(['High,2', 'Low,2'])
  })
})

describe('rules', () => {
  it('by groups of a grouping hold for questions that name no grouping, and by the grouping as it is now', async () => {
    const { owner, join, datasetId } = await guardedWorkspace(app)
    const ada = await join()
    const group = { id: 'gpm_00000000000000000002', parentId: null, name: 'Upper', color: null, order: 0 }
    const target = { kind: 'column', dataset: datasetId, column: 'c3' }
    const erasOf = (region: string) => [
      { from: null, groups: [{ ...group, rules: [{ kind: 'in', values: [region] }] }] },
    ]
    const fallback = { kind: 'ungrouped', name: 'None' }
    const content = { name: 'Areas', kind: 'values', target, fallback }
    const { id } = await made<{ id: string }>(owner, '/api/groupings', { ...content, eras: erasOf('North') })
    const rule = onlyRegion(datasetId, '', member(ada))
    const filters: RuleInput['filters'] = [
      { field: { dataset: datasetId, column: 'c3' }, grouping: { id }, any: [{ op: 'in', values: [group.id] }] },
    ]
    await savePolicy(owner, { rules: [{ ...rule, filters }] })
    expect(await readTotals(ada, datasetId)).toEqual(NORTH)
    const preview = async () => (await (await ada.fetch(`/api/datasets/${datasetId}/preview`)).json<QueryResult>()).rows
    expect(await preview()).toHaveLength(2)
    const json = { ...content, eras: erasOf('South'), version: 1 }
    expect((await owner.fetch(`/api/groupings/${id}`, { method: 'PUT', json })).status).toBe(200)
    expect(await readTotals(ada, datasetId)).toEqual(SOUTH)
    expect((await owner.fetch(`/api/groupings/${id}?version=2&force=1`, { method: 'DELETE' })).status).toBe(200)
    expect(await readTotals(ada, datasetId)).toEqual({ rows: 0, sum: 0 })
    expect(await readTotals(owner, datasetId)).toEqual({ rows: 4, sum: 111_411.85 })
  })
})

describe('findings', () => {
  it('of an insight that is hidden are not told, nor that there is one, nor can it be shown by a mention', async () => {
    const { owner, join, datasetId } = await guardedWorkspace(app)
    const ada = await join()
    const category = await made<{ id: string }>(owner, '/api/categories', { name: 'Board', icon: 'folder' })
    const plan = {
      ...{ v: 3, kind: 'aggregate', filters: [] },
      measures: [{ kind: 'column', agg: 'sum', field: { dataset: datasetId, column: 'c2' } }],
      dimensions: [{ field: { dataset: datasetId, column: 'c0' }, grain: 'month' }],
    }
    const { id } = await made<{ id: string }>(owner, '/api/insights', {
      name: 'Secret plan',
      plan,
      viz: { chart: 'line' },
    })
    await putInto(category.id, id)
    await savePolicy(owner, { rules: [hiding({ kind: 'category', id: category.id }, member(ada))] })
    expect((await ada.fetch(`/api/insights/${id}`)).status).toBe(404)
    expect((await ada.fetch(`/api/insights/${id}/findings`)).status).toBe(404)
    const mentions = { body: 'Look at this', mentions: [ada.userId] }
    expect((await post(owner, `/api/insights/${id}/notes`, mentions)).status).toBe(422)
    const candidates = async (rights: DataRights) => {
      const scope = Scope.forReader({ workspaceId: owner.workspaceId, userId: ada.userId, epoch: '1.1', rights })
      return JSON.stringify((await loadAnalysisCatalogue(depsAt(Date.now()), scope)).candidates)
    }
    expect(await candidates(FULL_RIGHTS)).toContain('Secret plan')
    expect(await candidates({ ...FULL_RIGHTS, hiddenCategories: [category.id] })).not.toContain('Secret plan')
  })
})

describe('targets', () => {
  it('of members that are hidden or masked are neither named nor lost', async () => {
    const { owner, join, datasetId } = await guardedWorkspace(app)
    const [ada, bo] = [await join(), await join()]
    const time = { dataset: datasetId, column: 'c0' }
    const metric = { name: 'Paid', dataset: datasetId, formula: 'sum([pay])', time }
    const { id } = await made<{ id: string }>(owner, '/api/metrics', metric)
    const values = [{ period: '2026-01-01', value: '500' }]
    const by = { field: { dataset: datasetId, column: 'c1' } }
    const table = { grain: 'month', by, lines: [{ values }, { member: 'Cleo Canary', values }], version: 0 }
    const save = (who: SignedIn, version: number) =>
      who.fetch(`/api/metrics/${id}/targets`, { method: 'PUT', json: { ...table, version } })
    const saved = await save(owner, 0)
    expect([saved.status, await saved.clone().text()]).toEqual([200, expect.anything()])
    const mask: RuleInput = {
      ...onlyRegion(datasetId, '', member(bo)),
      ...{ rows: 'unchanged', filters: [], columns: [{ key: 'c1', grant: 'hash' }] },
    }
    await savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', member(ada)), mask] })
    for (const path of ['', '/progress'])
      for (const who of [ada, bo]) {
        const told = await (await who.fetch(`/api/metrics/${id}/targets${path}`)).text()
        expect([path, told.includes('Canary')]).toEqual([path, false])
      }
    expect([(await save(ada, 1)).status, (await save(bo, 1)).status, (await save(owner, 1)).status]).toEqual([
      403, 403, 200,
    ])
  })
})

describe('metrics', () => {
  it('that are made of a hidden one over another are hidden with it', async () => {
    const { owner, join, datasetId } = await guardedWorkspace(app)
    const ada = await join()
    const metric = (name: string, formula: string) =>
      made<{ id: string }>(owner, '/api/metrics', { name, dataset: datasetId, formula })
    const { id } = await metric('Paid', 'sum([pay])')
    await metric('Twice', '[Paid] * 2')
    await metric('Four times', '[Twice] * 2')
    await savePolicy(owner, { rules: [hiding({ kind: 'metric', id }, member(ada))] })
    const names = async (who: SignedIn) =>
      (await (await who.fetch('/api/metrics')).json<{ items: { name: string }[] }>()).items.map(({ name }) => name)
    expect((await names(owner)).toSorted()).toEqual(['Four times', 'Paid', 'Twice'])
    expect(await names(ada)).toEqual([])
  })
})

describe('a deleted source', () => {
  it('is brought back whole, or not: by whoever sees each of its tables', async () => {
    const owner = await signedIn({ app })
    const columns = columnsOf('person', 'team')
    const uploads = await Promise.all([PEOPLE, MOVED].map((text) => uploadText(owner, text)))
    const tables = uploads.map((uploadId, at) => newTable(uploadId, { name: `Table ${at}`, columns }))
    const source = await (await createSource(owner, { name: 'Two', tables })).json<DataSource>()
    for (const { id } of source.lastRuns) await waitForRun(owner, id)
    const ada = await signedIn({ app, workspaceId: owner.workspaceId, role: 'analyst' })
    const [, second] = source.datasets
    await savePolicy(owner, { rules: [hiding({ kind: 'dataset', id: second?.id ?? '' }, member(ada))] })
    const path = `/api/data-sources/${source.id}`
    expect((await owner.fetch(`${path}?version=1&force=1`, { method: 'DELETE' })).status).toBe(200)
    expect((await ada.fetch(`${path}/restore`, { method: 'POST' })).status).toBe(403)
    expect((await owner.fetch(`${path}/restore`, { method: 'POST' })).status).toBe(200)
  })
})

describe('deleted things', () => {
  it('are not named where all tables of a source are hidden, nor a grouping of a masked column', async () => {
    const { owner, join, datasetId, sourceId } = await guardedWorkspace(app)
    const [ada, bo] = [await join(), await join()]
    const { id } = await made<{ id: string }>(owner, '/api/groupings', {
      ...{ name: 'Canary people', kind: 'values', target: { kind: 'column', dataset: datasetId, column: 'c1' } },
      eras: [{ from: null, groups: [] }],
    })
    const mask: RuleInput = {
      ...onlyRegion(datasetId, '', member(bo)),
      ...{ rows: 'unchanged', filters: [], columns: [{ key: 'c1', grant: 'hash' }] },
    }
    await savePolicy(owner, { rules: [hiding({ kind: 'dataset', id: datasetId }, member(ada)), mask] })
    expect((await owner.fetch(`/api/groupings/${id}?version=1&force=1`, { method: 'DELETE' })).status).toBe(200)
    const named = async (who: SignedIn) =>
      (await (await who.fetch('/api/deleted')).json<{ items: { name: string }[] }>()).items.map(({ name }) => name)
    expect([await named(owner), await named(bo), await named(ada)]).toEqual([['Canary people'], [], []])
    const { version } = await (await owner.fetch(`/api/data-sources/${sourceId}`)).json<{ version: number }>()
    const gone = await owner.fetch(`/api/data-sources/${sourceId}?version=${version}&force=1`, { method: 'DELETE' })
    expect(gone.status).toBe(200)
    expect([(await named(owner)).length, await named(bo), await named(ada)]).toEqual([2, ['Pay'], []])
  })
})
