import { describe, expect, it } from 'vitest'
import {
  createGroupOf,
  guardedWorkspace,
  onlyRegion,
  putPolicy,
  readAccess,
  savePolicy,
  type RuleInput,
} from '../../../test/worker/access/guarded-workspace'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { readTotals } from '../../../test/worker/loads'
import { auditOf } from '../../../test/worker/people'
import { openTestSocket, requestSocket, type TestSocket } from '../../../test/worker/sockets'
import { createApp } from '../../app'
import { LIVE_CLOSE_CODES } from '../../shared/live'
import type {
  AccessExplanation,
  AccessImpact,
  AccessOverview,
  SensitiveColumn,
} from '../../shared/data-access/data-access'
import type { Dataset } from '../../shared/data-sources/data-sources'
import type { QueryResult } from '../../shared/query/result'
import type { PageData } from '../../shared/session'

const app = createApp()
const EVERYONE = { kind: 'everyone' } as const
const ALL = { rows: 4, sum: 111_411.85 }
const sumOf = (dataset: string) => ({
  ...{ v: 3, kind: 'aggregate', dimensions: [], filters: [] },
  measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c2' } }],
})
const NORTH = { rows: 2, sum: 300.75 }
const hidden = (datasetId: string, subject: RuleInput['subject']): RuleInput => ({
  ...{ name: 'Not for them', subject, resource: { kind: 'dataset', id: datasetId }, effect: 'hide', rows: 'all' },
  ...{ filters: [], columns: [], active: true },
})
const records = (me: SignedIn, datasetId: string) =>
  me
    .fetch(`/api/datasets/${datasetId}/preview`)
    .then(async (answer) => (answer.status === 200 ? (await answer.json<QueryResult>()).rows : answer.status))
const member = ({ userId }: SignedIn) => ({ kind: 'member' as const, id: userId })

describe('rows', () => {
  it('are those of a rule for whom it is about, and all for everybody else', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const [ada, bo] = [await join(), await join('viewer')]
    await savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', member(ada))] })
    expect(await readTotals(ada, datasetId)).toEqual(NORTH)
    expect([await readTotals(owner, datasetId), await readTotals(bo, datasetId)]).toEqual([ALL, ALL])
    await savePolicy(owner, { rules: [] })
    expect(await readTotals(ada, datasetId)).toEqual(ALL)
  })

  it('follow the attribute of a person, of their groups, or its default, and are none without', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const [ada, bo] = [await join(), await join()]
    const group = await createGroupOf(owner, 'Regional', [ada.userId, bo.userId])
    const rules = [onlyRegion(datasetId, { attribute: 'region' }, { kind: 'group', id: group })]
    const region = { key: 'region', label: 'Region', type: 'text', multiple: true, defaults: [] as string[] } as const
    const { policy } = await savePolicy(owner, { rules, attributes: [region] })
    expect(await readTotals(ada, datasetId)).toEqual({ rows: 0, sum: 0 })
    const id = policy.attributes[0]?.id ?? ''
    const give = (values: { holder: { kind: 'group' | 'member'; id: string }; values: string[] }[]) =>
      owner.fetch(`/api/data-access/attributes/${id}/values`, { method: 'PUT', json: { values } })
    expect((await give([{ holder: { kind: 'group', id: group }, values: ['North'] }])).status).toBe(200)
    expect([await readTotals(ada, datasetId), await readTotals(bo, datasetId)]).toEqual([NORTH, NORTH])
    await give([{ holder: member(ada), values: ['North', 'South'] }])
    expect([await readTotals(ada, datasetId), await readTotals(bo, datasetId)]).toEqual([ALL, NORTH])
    await give([
      { holder: member(ada), values: [] },
      { holder: { kind: 'group', id: group }, values: [] },
    ])
    await savePolicy(owner, { attributes: [{ ...region, id, defaults: ['North'] }] })
    expect(await readTotals(bo, datasetId)).toEqual(NORTH)
  })

  it('of several rules come together; what is hidden stays so', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    const [north, south] = [onlyRegion(datasetId, 'North', EVERYONE), onlyRegion(datasetId, 'South', member(ada))]
    const seesAll: RuleInput = { ...north, name: 'Owner', subject: member(owner), rows: 'all', filters: [] }
    await savePolicy(owner, { rules: [north, south, seesAll] })
    expect(await readTotals(ada, datasetId)).toEqual(ALL)
    const not: RuleInput = { ...onlyRegion(datasetId, 'South', member(ada)), effect: 'hide' }
    await savePolicy(owner, { rules: [north, south, seesAll, not] })
    expect(await readTotals(ada, datasetId)).toEqual(NORTH)
    await savePolicy(owner, { rules: [north, south, seesAll, { ...not, active: false }] })
    expect(await readTotals(ada, datasetId)).toEqual(ALL)
  })

  it('of a restricted dataset are for those whom a rule allows them', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const [ada, bo] = [await join(), await join()]
    const allow: RuleInput = { ...onlyRegion(datasetId, 'x', member(owner)), rows: 'all', filters: [] }
    const north = onlyRegion(datasetId, 'North', member(ada))
    await savePolicy(owner, { rules: [allow, north], restricted: [{ kind: 'dataset', id: datasetId }] })
    expect(await readTotals(owner, datasetId)).toEqual(ALL)
    expect(await readTotals(ada, datasetId)).toEqual(NORTH)
    expect(await readTotals(bo, datasetId)).toEqual({ status: 404 })
  })
})

describe('columns', () => {
  it('are masked or gone, as the most open rule says, and are no numbers any more', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    const columns = (subject: RuleInput['subject'], grants: RuleInput['columns']): RuleInput => ({
      ...{ name: 'Columns', subject, resource: { kind: 'dataset', id: datasetId }, effect: 'allow', rows: 'unchanged' },
      ...{ filters: [], columns: grants, active: true },
    })
    const all = columns(EVERYONE, [
      { key: 'c1', grant: 'lastFour' },
      { key: 'c2', grant: 'bucket' },
      { key: 'c4', grant: 'hide' },
    ])
    const shown = (['c1', 'c2', 'c4'] as const).map((key) => ({ key, grant: 'show' as const }))
    await savePolicy(owner, { rules: [all, columns(member(owner), shown)] })
    expect(await records(ada, datasetId)).toEqual([
      ['2026-01-05', '••••a', '100–200', 'North'],
      ['2026-01-06', '••••o', '200–500', 'North'],
      ['2026-02-05', '••••nary', '50\u00a0000–100\u00a0000', 'South'],
      ['2026-02-06', '••••nary', '10\u00a0000–20\u00a0000', 'South'],
    ])
    expect(await readTotals(ada, datasetId)).toEqual({ status: 422 })
    const over = { field: { dataset: datasetId, column: 'c2' }, any: [{ op: 'gt', value: 100 }] }
    const row = {
      kind: 'binary',
      op: 'add',
      left: { kind: 'field', field: over.field },
      right: { kind: 'number', value: 1 },
    }
    const counted = { kind: 'column', agg: 'count' }
    for (const part of [
      {},
      { measures: [counted], filters: [over] },
      { measures: [{ kind: 'expression', agg: 'sum', row }] },
    ]) {
      const asked = await ada.fetch('/api/query', { method: 'POST', json: { plan: { ...sumOf(datasetId), ...part } } })
      expect(await asked.json()).toMatchObject({
        message: expect.stringMatching(/ is masked for you\. Ask an admin\.$/),
      })
    }
    expect(await readTotals(owner, datasetId)).toEqual(ALL)
    const partial = async (person: SignedIn) =>
      (await (await person.fetch(`/api/datasets/${datasetId}`)).json<Dataset>()).partial
    expect([await partial(ada), await partial(owner)]).toEqual([true, undefined])
    await savePolicy(owner, {
      rules: [all, columns({ kind: 'role', role: 'analyst' }, shown), columns(member(owner), shown)],
    })
    expect(await readTotals(ada, datasetId)).toEqual(ALL)
  })

  it('that are pseudonyms tell the same values apart from others and nothing else', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    const mask: RuleInput = {
      ...{ name: 'Names', subject: member(ada), resource: { kind: 'dataset', id: datasetId }, effect: 'allow' },
      ...{ rows: 'unchanged', filters: [], columns: [{ key: 'c3', grant: 'hash' }], active: true },
    }
    await savePolicy(owner, { rules: [mask] })
    const rows = await records(ada, datasetId)
    const regions = Array.isArray(rows) ? rows.map((row) => row[3]) : []
    expect(regions[0]).toMatch(/^[0-9a-f]{12}$/)
    expect([regions[0] === regions[1], regions[1] === regions[2], regions[2] === regions[3]]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('a change of rules', () => {
  it('is refused where nobody who may change them would see everything', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const admin = await join('admin')
    const lockOut = await putPolicy(owner, { rules: [hidden(datasetId, EVERYONE)] })
    expect([lockOut.status, await lockOut.json()]).toEqual([422, expect.objectContaining({ code: 'invalid_input' })])
    expect((await putPolicy(owner, { rules: [hidden(datasetId, member(owner))] })).status).toBe(200)
    expect(await readTotals(owner, datasetId)).toEqual({ status: 404 })
    expect(
      (
        await putPolicy(admin, {
          rules: [hidden(datasetId, { kind: 'role', role: 'admin' }), hidden(datasetId, member(owner))],
        })
      ).status,
    ).toBe(422)
  })

  it('is refused for what does not fit or is not there, field by field', async () => {
    const { owner, datasetId } = await guardedWorkspace(app)
    const rule = onlyRegion(datasetId, 'North', EVERYONE)
    const other = await guardedWorkspace(app)
    const field = { dataset: datasetId, column: 'c2' as const }
    const wrong: [RuleInput, string][] = [
      [{ ...rule, filters: [] }, 'rules.0.filters'],
      [{ ...rule, rows: 'unchanged', filters: [] }, 'rules.0.columns'],
      [{ ...rule, filters: [{ field, any: [{ op: 'contains', value: 'a' }] }] }, 'rules.0.filters'],
      [
        { ...rule, filters: [{ field: { dataset: other.datasetId, column: 'c0' }, any: [{ op: 'notEmpty' }] }] },
        'rules.0.filters',
      ],
      [onlyRegion(datasetId, { attribute: 'nothing' }, EVERYONE), 'rules.0.filters'],
      [{ ...rule, resource: { kind: 'dataset', id: other.datasetId } }, 'rules.0.resource'],
      [{ ...rule, subject: member(other.owner) }, 'rules.0.subject'],
      [{ ...rule, columns: [{ key: 'c99', grant: 'hide' }] }, 'rules.0.columns'],
    ]
    for (const [each, at] of wrong) {
      const answer = await putPolicy(owner, { rules: [each] })
      const { code, fields } = await answer.json<{ code: string; fields: Record<string, string> }>()
      expect([at, answer.status, code, Object.keys(fields)]).toEqual([at, 422, 'invalid_input', [at]])
    }
    expect((await readAccess(owner)).revision).toBe(0)
  })

  it('is one of two that were made at once, and can be gone back from', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    const save = (name: string) =>
      owner.fetch('/api/data-access', {
        method: 'PUT',
        json: {
          policy: {
            rules: [{ ...onlyRegion(datasetId, 'North', member(ada)), name }],
            restricted: [],
            attributes: [],
            tests: [],
          },
          revision: 0,
        },
      })
    const [one, two] = await Promise.all([save('One'), save('Two')])
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await readTotals(ada, datasetId)).toEqual(NORTH)
    const back = await owner.fetch('/api/data-access/restore', { method: 'POST', json: { revision: 0, current: 1 } })
    expect(back.status).toBe(200)
    expect(await readTotals(ada, datasetId)).toEqual(ALL)
    const history = await (await owner.fetch('/api/data-access/history')).json<{ changes: string[] }[]>()
    expect(history.map(({ changes }) => changes[0]?.replace(/One|Two/, 'It'))).toEqual([
      'Deleted rule “It”',
      'Added rule “It”',
    ])
    expect(await auditOf(owner.workspaceId)).toContain('access.update before after')
  })

  it('asks first when a stored test would fail', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join('viewer')
    const test = {
      name: 'Viewers see no names',
      subject: { kind: 'role', role: 'viewer' },
      dataset: datasetId,
      column: 'c1',
      expect: 'nothing',
    } as const
    const hide: RuleInput = {
      ...{ name: 'Names', subject: { kind: 'role', role: 'viewer' }, resource: { kind: 'dataset', id: datasetId } },
      ...{ effect: 'hide', rows: 'unchanged', filters: [], columns: [{ key: 'c1', grant: 'hide' }], active: true },
    }
    const { tests } = await savePolicy(owner, { rules: [hide], tests: [test] })
    expect(tests).toEqual([{ testId: expect.any(String), passes: true, found: 'nothing' }])
    const refused = await putPolicy(owner, { rules: [] })
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'in_use', dependents: [expect.objectContaining({ name: test.name })] }),
    ])
    expect((await putPolicy(owner, { rules: [] }, true)).status).toBe(200)
    expect((await readAccess(owner)).tests).toEqual([
      { testId: expect.any(String), passes: false, found: 'everything' },
    ])
    expect(await readTotals(ada, datasetId)).toEqual(ALL)
  })

  it('is for admins of the plan; below it rules hold and can be read', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    await savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', member(ada))] })
    expect((await ada.fetch('/api/data-access')).status).toBe(403)
    const personal = await signedIn({ app, subscription: { planId: 'personal', state: 'active' } })
    expect((await personal.fetch('/api/data-access')).status).toBe(200)
    expect((await putPolicy(personal, {})).status).toBe(402)
  })
})

describe('while rules change', () => {
  it('questions under way are answered by the old rules or the new ones, whole, and later ones by the new', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    const saving = savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', member(ada))] })
    const meanwhile = await Promise.all(Array.from({ length: 12 }, () => readTotals(ada, datasetId)))
    await saving
    for (const seen of meanwhile) expect([ALL, NORTH]).toContainEqual(seen)
    expect(await readTotals(ada, datasetId)).toEqual(NORTH)
  })

  it('the open pages of whom it concerns are told to ask again, within two seconds, and nobody else’s', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const [ada, bo] = [await join(), await join()]
    const [hers, his] = [await openTestSocket(ada), await openTestSocket(bo)]
    await savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', member(ada))] })
    const late = (socket: TestSocket) => Promise.race([socket.closed, scheduler.wait(2_000).then(() => 'still open')])
    expect(await late(hers)).toBe(LIVE_CLOSE_CODES.changed.code)
    expect(his.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('before and beside', () => {
  it('says who sees what, what a draft would change, and why', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    const rule = onlyRegion(datasetId, 'North', member(ada))
    const draft = { rules: [rule], restricted: [], attributes: [], tests: [] }
    const impact = await owner.fetch('/api/data-access/impact', { method: 'POST', json: { policy: draft } })
    expect((await impact.json<AccessImpact>()).changes).toEqual([
      expect.objectContaining({
        userId: ada.userId,
        before: expect.objectContaining({ rows: 'all', count: 4 }),
        after: expect.objectContaining({ rows: 'rules', count: 2 }),
      }),
    ])
    await savePolicy(owner, draft)
    const { people } = await (await owner.fetch('/api/data-access/people')).json<AccessOverview>()
    const views = new Map(people.map(({ userId, views: [view] }) => [userId, [view?.rows, view?.count]]))
    expect([views.get(owner.userId), views.get(ada.userId)]).toEqual([
      ['all', 4],
      ['rules', 2],
    ])
    const inspect = (value: string) =>
      owner
        .fetch('/api/data-access/inspect', {
          method: 'POST',
          json: { userId: ada.userId, dataset: datasetId, row: { column: 'c1', value } },
        })
        .then((answer) => answer.json<AccessExplanation>())
    expect((await inspect('Ada')).row).toEqual({ found: 1, seen: 1 })
    expect(await inspect('Cleo Canary')).toMatchObject({ row: { found: 1, seen: 0 }, rules: [{ rowsOfRule: 0 }] })
  })

  it('explains the other rules where one asks by a grouping that is gone', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join()
    const group = { id: 'gpm_00000000000000000003', parentId: null, name: 'Upper', color: null, order: 0 }
    const field = { dataset: datasetId, column: 'c3' as const }
    const made = await owner.fetch('/api/groupings', {
      method: 'POST',
      json: {
        ...{ name: 'Areas', kind: 'values', target: { kind: 'column', ...field } },
        eras: [{ from: null, groups: [{ ...group, rules: [{ kind: 'in', values: ['North'] }] }] }],
        fallback: { kind: 'ungrouped', name: 'None' },
      },
    })
    const { id } = await made.json<{ id: string }>()
    const north = onlyRegion(datasetId, 'North', member(ada))
    const grouped: RuleInput['filters'] = [{ field, grouping: { id }, any: [{ op: 'in', values: [group.id] }] }]
    await savePolicy(owner, { rules: [{ ...north, filters: grouped }, north] })
    expect((await owner.fetch(`/api/groupings/${id}?version=1&force=1`, { method: 'DELETE' })).status).toBe(200)
    const json = { userId: ada.userId, dataset: datasetId, row: { column: 'c1', value: 'Ada' } }
    const told = await owner.fetch('/api/data-access/inspect', { method: 'POST', json })
    expect([told.status, await told.json()]).toEqual([
      200,
      expect.objectContaining({
        rules: [expect.objectContaining({ rowsOfRule: null }), expect.objectContaining({ rowsOfRule: 1 })],
      }),
    ])
  })

  it('suggests to mask what looks private and no rule covers', async () => {
    const { owner, datasetId } = await guardedWorkspace(app)
    const found = await (await owner.fetch('/api/data-access/suggestions')).json<SensitiveColumn[]>()
    expect(found.map(({ column, kind }) => [column.label, kind])).toEqual([['email', 'email']])
    expect(found[0]?.dataset.id).toBe(datasetId)
  })

  it('is unknown to another workspace', async () => {
    const { owner, datasetId } = await guardedWorkspace(app)
    const stranger = await otherWorkspace(app)
    const json = { userId: owner.userId, dataset: datasetId }
    expect((await stranger.fetch('/api/data-access/inspect', { method: 'POST', json })).status).toBe(404)
    const subject = { kind: 'member', id: owner.userId }
    expect((await stranger.fetch('/api/data-access/view-as', { method: 'POST', json: { subject } })).status).toBe(404)
  })
})

describe('a group that rules are about', () => {
  it('has its members changed by who manages data access, not by its managers: nobody widens their own rights', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const boss = await join()
    const [ruled, valued, free] = [await groupManagedBy(boss), await groupManagedBy(boss), await groupManagedBy(boss)]
    async function groupManagedBy({ userId }: SignedIn): Promise<string> {
      const id = await createGroupOf(owner, `Group ${crypto.randomUUID().slice(0, 8)}`, [])
      const json = { memberIds: [], managerIds: [userId], version: 2 }
      expect((await owner.fetch(`/api/groups/${id}/members`, { method: 'PUT', json })).status).toBe(200)
      return id
    }
    const allow = onlyRegion(datasetId, 'North', { kind: 'group', id: ruled })
    const all: RuleInput = { ...allow, subject: { kind: 'role', role: 'owner' }, rows: 'all', filters: [] }
    const attribute = { key: 'region', label: 'Region', type: 'text' as const, multiple: true, defaults: [] }
    const { policy } = await savePolicy(owner, {
      ...{ rules: [allow, all], restricted: [{ kind: 'dataset', id: datasetId }], attributes: [attribute] },
    })
    const values = [{ holder: { kind: 'group', id: valued }, values: ['North'] }]
    const path = `/api/data-access/attributes/${policy.attributes[0]?.id ?? ''}/values`
    expect((await owner.fetch(path, { method: 'PUT', json: { values } })).status).toBe(200)
    const addSelf = (id: string) => {
      const json = { memberIds: [boss.userId], managerIds: [boss.userId], version: 3 }
      return boss.fetch(`/api/groups/${id}/members`, { method: 'PUT', json })
    }
    expect([(await addSelf(ruled)).status, (await addSelf(valued)).status, (await addSelf(free)).status]).toEqual([
      403, 403, 200,
    ])
    expect(await readTotals(boss, datasetId)).toEqual({ status: 404 })
    const seen = await (await boss.fetch('/api/groups')).json<{ id: string; mayManage: boolean }[]>()
    expect(seen.flatMap(({ id, mayManage }) => (mayManage ? [id] : []))).toEqual([free])
  })

  it('is deleted only when something is said about them, and another takes its place', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const [ada, bo] = [await join(), await join()]
    const [one, two] = [await createGroupOf(owner, 'One', [ada.userId]), await createGroupOf(owner, 'Two', [bo.userId])]
    await savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', { kind: 'group', id: one })] })
    const remove = (query = '') => owner.fetch(`/api/groups/${one}?version=2${query}`, { method: 'DELETE' })
    const refused = await remove()
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ dependents: [{ type: 'accessRule', id: expect.any(String), name: 'One region' }] }),
    ])
    expect((await remove(`&replacement=${two}`)).status).toBe(200)
    expect([await readTotals(ada, datasetId), await readTotals(bo, datasetId)]).toEqual([ALL, NORTH])
  })
})

describe('viewing as somebody else', () => {
  it('shows no more than who looks may see: rows, columns and what owners alone may do', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const admin = await join('admin')
    const columns: RuleInput['columns'] = [
      { key: 'c1', grant: 'lastFour' },
      { key: 'c4', grant: 'hide' },
    ]
    await savePolicy(owner, { rules: [{ ...onlyRegion(datasetId, 'North', member(admin)), columns }] })
    const before = await records(admin, datasetId)
    expect(before).toHaveLength(2)
    const json = { subject: member(owner) }
    expect((await admin.fetch('/api/data-access/view-as', { method: 'POST', json })).status).toBe(200)
    expect([await readTotals(admin, datasetId), await records(admin, datasetId)]).toEqual([NORTH, before])
    const page = await (await admin.fetch('/api/session')).json<PageData>()
    expect(page.workspace).toMatchObject({ role: 'admin', viewAs: { role: 'admin', limited: true } })
  })

  it('shows what they would see, lets nothing be changed, and ends', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const ada = await join('viewer')
    await savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', member(ada))] })
    const start = (subject: unknown) => owner.fetch('/api/data-access/view-as', { method: 'POST', json: { subject } })
    expect((await start(member(ada))).status).toBe(200)
    expect(await readTotals(owner, datasetId)).toEqual(NORTH)
    const page = await (await owner.fetch('/api/session')).json<PageData>()
    expect(page.workspace).toMatchObject({ role: 'viewer', viewAs: { kind: 'member', role: 'viewer' } })
    expect((await owner.fetch('/api/data-access')).status).toBe(403)
    const digest = await owner.fetch('/api/digest', { method: 'PUT', json: { cadence: 'daily' } })
    expect([digest.status, await digest.json()]).toEqual([402, expect.objectContaining({ reason: 'viewAs' })])
    expect((await requestSocket(owner)).status).toBe(403)
    expect((await owner.fetch('/api/data-access/view-as', { method: 'DELETE' })).status).toBe(200)
    expect(await readTotals(owner, datasetId)).toEqual(ALL)
    expect(await auditOf(owner.workspaceId)).toEqual(
      expect.arrayContaining(['access.viewAs - after', 'access.viewOwn - -']),
    )
    expect(
      (await ada.fetch('/api/data-access/view-as', { method: 'POST', json: { subject: member(owner) } })).status,
    ).toBe(403)
  })
})
