import { assertPolicy, completePolicy, type NamedThings } from './check-policy'
import { runAccessTests } from './model/access-tests'
import { policyChanges } from './model/policy-changes'
import { dataAccessStore, type GuardedDataset } from './store'
import { readPolicy } from '../../identity/access/access-store'
import { dataRights } from '../../identity/access/data-rights'
import type { HeldValue } from '../../identity/access/user-attributes'
import { readAccessPeople, readHeldValues, type NamedPerson } from '../../identity/access/people-store'
import { FULL_RIGHTS, isFullAccess, Scope } from '../../scope'
import { auditEntryFactory, commit } from '../../db/commit'
import { rightsChangedEntry } from '../../db/outbox-workflows'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import { roleMay } from '../../shared/permissions'
import type { AccessPolicy } from '../../shared/data-access/rules'
import type {
  AccessHistoryItem,
  AccessTestResult,
  DataAccess,
  saveAttributeValuesSchema,
  saveDataAccessSchema,
} from '../../shared/data-access/data-access'
import { NO_POLICY } from '../../shared/data-access/rules'
import type { z } from 'zod'

/**
 * Every row and column, for whoever manages who sees what: what rules are checked with and their effects are counted with,
 * never what is shown as data.
 */
export const managingScope = ({ scope }: Pick<RequestContext, 'scope'>): Scope =>
  Scope.forReader({
    workspaceId: scope.workspaceId,
    userId: scope.actorId,
    epoch: scope.wire().epoch,
    rights: FULL_RIGHTS,
  })

/** Rules, people and datasets of a workspace, as they are now. */
export interface AccessState {
  policy: AccessPolicy
  revision: number
  people: NamedPerson[]
  datasets: GuardedDataset[]
}
export async function readAccessState({ deps, scope, membership }: RequestContext): Promise<AccessState> {
  const { workspaceId } = scope
  const [{ policy, revision }, people, datasets] = await Promise.all([
    readPolicy(deps.db, workspaceId),
    readAccessPeople(deps.db, { workspaceId, features: membership.entitlements.features }),
    dataAccessStore(deps.db, scope).datasets(),
  ])
  return { policy, revision, people, datasets }
}

export async function getDataAccess(context: RequestContext): Promise<DataAccess> {
  const { deps, scope } = context
  const [state, values] = await Promise.all([readAccessState(context), readHeldValues(deps.db, scope.workspaceId)])
  return toDataAccess(context, state, values)
}

function toDataAccess({ membership }: RequestContext, state: AccessState, values: HeldValue[]): DataAccess {
  const { policy, revision } = state
  const { features, readOnly } = membership.entitlements
  const mayEdit =
    features.dataAccessManagement && readOnly === null && !membership.viewAs && roleMay(membership.role, 'edit:access')
  const ids = new Set(policy.attributes.map(({ id }) => id))
  const held = values.filter(({ attributeId }) => ids.has(attributeId))
  return { policy, revision, mayEdit, values: held, tests: runAccessTests(policy, state) }
}

/** What the rules of a draft would be, once they are checked. @throws ProductError `invalid_input` */
export async function draftPolicy(
  context: RequestContext,
  state: AccessState,
  input: z.output<typeof saveDataAccessSchema>['policy'],
): Promise<AccessPolicy> {
  const { deps, scope } = context
  const after = completePolicy(input, deps.ids, state.datasets)
  const names = await dataAccessStore(deps.db, scope).names()
  const things: NamedThings = {
    datasets: state.datasets,
    ids: new Set([...names.map(({ id }) => id), ...state.people.map(({ userId }) => userId)]),
  }
  await assertPolicy({ deps, scope: managingScope(context) }, { before: state.policy, after, things })
  return after
}

const LOCKED_OUT = 'Keep at least one owner or admin who sees all data.'
/** Why a policy must not be: somebody has to be left who sees everything and may change the rules. */
export const lockOutRefusal = (policy: AccessPolicy, people: readonly NamedPerson[]): string | null =>
  people.some((person) => roleMay(person.role, 'edit:access') && isFullAccess(dataRights(policy, person)))
    ? null
    : LOCKED_OUT

/**
 * Takes the rules in place of those there are.
 * @throws ProductError `version_conflict` with what is stored as `current`, `invalid_input`, `in_use` with the tests that
 *   fail and did not before, unless `force`
 */
export async function saveDataAccess(
  context: RequestContext,
  input: z.output<typeof saveDataAccessSchema>,
): Promise<DataAccess> {
  const state = await readAccessState(context)
  if (state.revision !== input.revision) throw await conflict(context)
  const after = await draftPolicy(context, state, input.policy)
  const refusal = lockOutRefusal(after, state.people)
  if (refusal !== null) throw new ProductError('invalid_input', { fields: { policy: refusal } }, refusal)
  if (!input.force) assertTestsPass(state, after)
  return writePolicy(context, state, after)
}

function assertTestsPass(state: AccessState, after: AccessPolicy): void {
  const passed = (results: AccessTestResult[]) =>
    new Set(results.flatMap(({ testId, passes }) => (passes ? [testId] : [])))
  const before = passed(runAccessTests(state.policy, state))
  const now = passed(runAccessTests(after, state))
  const broken = after.tests.filter(({ id }) => before.has(id) && !now.has(id))
  if (broken.length === 0) return
  const dependents = broken.map(({ id, name }) => ({ type: 'accessTest', id, name }))
  throw new ProductError('in_use', { dependents }, 'Stored tests would fail.')
}

/** The rules of an earlier revision, as a new one; what they name may be gone meanwhile. */
export async function restoreDataAccess(
  context: RequestContext,
  { revision, current }: { revision: number; current: number },
): Promise<DataAccess> {
  const state = await readAccessState(context)
  if (state.revision !== current) throw await conflict(context)
  const after = revision === 0 ? NO_POLICY : await dataAccessStore(context.deps.db, context.scope).policyAt(revision)
  if (!after) throw new ProductError('not_found')
  const refusal = lockOutRefusal(after, state.people)
  if (refusal !== null) throw new ProductError('invalid_input', { fields: { revision: refusal } }, refusal)
  return writePolicy(context, state, after)
}

async function writePolicy(context: RequestContext, before: AccessState, after: AccessPolicy): Promise<DataAccess> {
  const { deps, scope } = context
  const nameOf = ({ id }: { id: string }): string => before.datasets.find((each) => each.id === id)?.name ?? id
  const changes = policyChanges(before.policy, after, nameOf)
  const revision = before.revision + 1
  const values = await readHeldValues(deps.db, scope.workspaceId)
  const answer = toDataAccess(context, { ...before, policy: after, revision }, values)
  await commit(deps, {
    change: dataAccessStore(deps.db, scope).savePolicy(after, {
      ...{ revision, changes, now: deps.clock.now() },
    }),
    audit: [accessAudit(context, { action: 'access.update', id: scope.workspaceId, before: before.policy, after })],
    outbox: [rightsChangedEntry(scope.workspaceId, deps.ids)],
    reply: context.reply(answer),
    expect: { onMissed: () => conflict(context) },
  })
  return answer
}

const conflict = async (context: RequestContext): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await getDataAccess(context) })

/** @throws ProductError `not_found` for an attribute that is not there, `invalid_input` for values that do not fit it */
export async function saveAttributeValues(
  context: RequestContext,
  { id, values }: { id: string } & z.output<typeof saveAttributeValuesSchema>,
): Promise<DataAccess> {
  const { deps, scope } = context
  const state = await readAccessState(context)
  const attribute = state.policy.attributes.find((each) => each.id === id)
  if (!attribute) throw new ProductError('not_found')
  const names = await dataAccessStore(deps.db, scope).names()
  const holders = new Set([
    ...state.people.map(({ userId }) => userId),
    ...names.flatMap(({ kind, id: of }) => (kind === 'group' ? [of] : [])),
  ])
  const fields: Record<string, string> = {}
  for (const [i, { holder, values: own }] of values.entries()) {
    if (!holders.has(holder.id)) fields[`values.${i}.holder`] = 'No longer exists. Choose another.'
    if (!attribute.multiple && own.length > 1) fields[`values.${i}.values`] = 'Enter one value.'
    if (own.some((value) => typeof value !== (attribute.type === 'number' ? 'number' : 'string')))
      fields[`values.${i}.values`] = attribute.type === 'number' ? 'Enter numbers.' : 'Enter text.'
  }
  if (Object.keys(fields).length > 0) throw new ProductError('invalid_input', { fields })
  const answer = toDataAccess(context, state, withValues(await readHeldValues(deps.db, scope.workspaceId), id, values))
  await commit(deps, {
    change: dataAccessStore(deps.db, scope).saveValues(id, values),
    audit: [accessAudit(context, { action: 'access.values', id, after: values })],
    outbox: [rightsChangedEntry(scope.workspaceId, deps.ids)],
    reply: context.reply(answer),
  })
  return answer
}

/** Values as they are once some of an attribute are saved. */
function withValues(
  before: HeldValue[],
  attributeId: string,
  given: readonly Omit<HeldValue, 'attributeId'>[],
): HeldValue[] {
  const isGiven = (each: HeldValue): boolean =>
    each.attributeId === attributeId &&
    given.some(({ holder }) => holder.kind === each.holder.kind && holder.id === each.holder.id)
  const added = given.flatMap((each) => (each.values.length > 0 ? [{ ...each, attributeId }] : []))
  return [...before.filter((each) => !isGiven(each)), ...added]
}

export const listAccessHistory = ({ deps, scope }: RequestContext): Promise<AccessHistoryItem[]> =>
  dataAccessStore(deps.db, scope).history()

export const accessAudit = auditEntryFactory('data_access')
