import type { z } from 'zod'
import { adminStore, toAdminWorkspace, type TermsRow } from './store'
import type { Staff } from '../../scope'
import { auditStatement, commit, type AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { toIsoOrNull } from '../../lib/iso'
import { encodeCursor, decodeCursor, toPage } from '../../http/pagination'
import type { AdminWorkspace, ListAdminWorkspaces, WorkspaceTerms, workspaceTermsSchema } from '../../shared/admin'
import type { ListPage } from '../../shared/field-schemas'
import { ProductError } from '../../shared/errors'

/** Workspaces of everybody, newest first. Each look is written to the audit log, in the same batch as the read. */
export async function listWorkspaces(
  deps: Deps,
  staff: Staff,
  query: ListAdminWorkspaces,
): Promise<ListPage<AdminWorkspace>> {
  const auditEntry = { workspaceId: null, actorId: staff.userId, action: 'admin.workspaces.list', after: query }
  const after = decodeCursor(query.cursor, 'workspace')
  const rows = await adminStore(deps.db, staff).list(
    { q: query.q, limit: query.limit + 1, after },
    await auditStatement(deps, { ...auditEntry, entity: 'workspaces', entityId: '*' }, deps.clock.now()),
  )
  return toPage(rows, {
    limit: query.limit,
    item: toAdminWorkspace,
    cursor: (last) => encodeCursor({ at: last.created_at, id: last.id }),
  })
}

/** On which terms a workspace is used. The look is logged, as every look of staff. @throws ProductError `not_found` */
export async function getTerms(deps: Deps, staff: Staff, id: string): Promise<WorkspaceTerms> {
  const terms = toWorkspaceTerms(await requireTerms(deps, staff, id))
  const entry = adminAuditEntry(staff, id, { action: 'admin.terms.look' })
  await (await auditStatement(deps, entry, deps.clock.now())).run()
  return terms
}

/**
 * Gives a workspace an agreement of its own, or a trial that lasts longer.
 * @throws ProductError `not_found`, `version_conflict`; `in_use` while it pays for a plan
 */
export async function setTerms(
  deps: Deps,
  staff: Staff,
  { id, terms }: { id: string; terms: z.output<typeof workspaceTermsSchema> },
): Promise<WorkspaceTerms> {
  const before = await requireTerms(deps, staff, id)
  if (before.subscription_id !== null) throw hasPaidSubscription()
  if (before.version !== terms.version)
    throw new ProductError('version_conflict', { current: toWorkspaceTerms(before) })
  const { planId, override, reason } = terms
  const trialEndsAt = terms.trialEndsAt === null ? null : Date.parse(terms.trialEndsAt)
  const after: TermsRow = {
    state: planId === null ? 'trialing' : 'active',
    plan_id: planId,
    trial_ends_at: trialEndsAt,
    override: override && JSON.stringify(override),
    subscription_id: null,
    version: before.version + 1,
  }
  await commit(deps, {
    change: [adminStore(deps.db, staff).setTerms(id, after)],
    audit: [
      adminAuditEntry(staff, id, { action: 'admin.terms.set', before, after: { ...after, reason } }),
      // Those who own the workspace see in their own log that its terms were set.
      { ...adminAuditEntry(staff, id, { action: 'subscription.terms', before, after }), workspaceId: id },
    ],
    expect: {
      onMissed: async () => {
        const now = await requireTerms(deps, staff, id)
        return now.subscription_id === null
          ? new ProductError('version_conflict', { current: toWorkspaceTerms(now) })
          : hasPaidSubscription()
      },
    },
  })
  return toWorkspaceTerms(after)
}

const hasPaidSubscription = (): ProductError =>
  new ProductError('in_use', {}, 'This workspace pays for a plan. End that subscription first.')

async function requireTerms(deps: Deps, staff: Staff, id: string): Promise<TermsRow> {
  const row = await adminStore(deps.db, staff).terms(id)
  if (!row) throw new ProductError('not_found')
  return row
}

const adminAuditEntry = (
  staff: Staff,
  id: string,
  of: Pick<AuditEntry, 'action' | 'before' | 'after'>,
): AuditEntry => ({ workspaceId: null, actorId: staff.userId, entity: 'workspace', entityId: id, ...of })

const toWorkspaceTerms = (row: TermsRow): WorkspaceTerms => ({
  state: row.state,
  planId: row.plan_id,
  override: row.override === null ? null : JSON.parse(row.override),
  trialEndsAt: toIsoOrNull(row.trial_ends_at),
  subscribed: row.subscription_id !== null,
  version: row.version,
})
