import { expect } from 'vitest'
import { signedIn, type SignedIn } from '../factories'
import { amountColumn, createLoadedSource, dayColumn, textColumn } from '../loads'
import type { createApp } from '../../../src/app'
import type { AccessPolicyInput, DataAccess } from '../../../src/shared/data-access/data-access'
import { NO_POLICY, type AccessRule } from '../../../src/shared/data-access/rules'
import type { Role } from '../../../src/shared/permissions'
import type { UserGroup } from '../../../src/shared/groups'

/** A workspace with pay by region, and people of whom rules can be made. */
export const PAY = [
  'day,person,pay,region,email',
  '2026-01-05,Ada,100.25,North,ada@canary.example',
  '2026-01-06,Bo,200.50,North,bo@canary.example',
  '2026-02-05,Cleo Canary,98765.43,South,cleo@canary.example',
  '2026-02-06,Dan Canary,12345.67,South,dan@canary.example',
].join('\n')
export const GUARDED_COLUMNS = [
  dayColumn(0),
  textColumn(1, 'person'),
  amountColumn(2, 'pay'),
  textColumn(3, 'region'),
  textColumn(4, 'email'),
]

export interface GuardedWorkspace {
  owner: SignedIn
  sourceId: string
  datasetId: string
  /** Another member, of no group. */
  join: (role?: Role) => Promise<SignedIn>
}

export async function guardedWorkspace(app: ReturnType<typeof createApp>, name = 'Pay'): Promise<GuardedWorkspace> {
  const owner = await signedIn({ app })
  const { source, datasetId } = await createLoadedSource(owner, PAY, { columns: GUARDED_COLUMNS, name })
  const join = (role: Role = 'analyst') => signedIn({ app, workspaceId: owner.workspaceId, role })
  return { owner, sourceId: source.id, datasetId, join }
}

/** Rows of the pay of one region. */
export const onlyRegion = (
  datasetId: string,
  value: string | { attribute: string },
  subject: AccessRule['subject'],
): RuleInput => ({
  ...{ name: 'One region', subject, resource: { kind: 'dataset', id: datasetId } },
  ...{ effect: 'allow', rows: 'some', columns: [], active: true },
  filters: [{ field: { dataset: datasetId, column: 'c3' }, any: [{ op: 'eq', value }] }],
})
export type RuleInput = AccessPolicyInput['rules'][number]

export const readAccess = async (me: SignedIn): Promise<DataAccess> => {
  const answer = await me.fetch('/api/data-access')
  expect(answer.status).toBe(200)
  return answer.json<DataAccess>()
}

/** Takes what is given in place of the same parts of the policy there is. */
export async function putPolicy(me: SignedIn, change: Partial<AccessPolicyInput>, force = false): Promise<Response> {
  const { policy, revision } = await readAccess(me)
  return me.fetch('/api/data-access', {
    method: 'PUT',
    json: { policy: { ...NO_POLICY, ...policy, ...change }, revision, force },
  })
}
/** The same, which must be taken. */
export async function savePolicy(me: SignedIn, change: Partial<AccessPolicyInput>): Promise<DataAccess> {
  const answer = await putPolicy(me, change)
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
  return answer.json<DataAccess>()
}

export async function createGroupOf(me: SignedIn, name: string, memberIds: string[]): Promise<string> {
  const made = await me.fetch('/api/groups', { method: 'POST', json: { name } })
  expect(made.status).toBe(201)
  const { id, version } = await made.json<UserGroup>()
  const json = { memberIds, managerIds: [], version }
  expect((await me.fetch(`/api/groups/${id}/members`, { method: 'PUT', json })).status).toBe(200)
  return id
}
