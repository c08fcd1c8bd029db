import type { z } from 'zod'
import { auditEntryFactory, commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { saveRangesStatement } from './store'
import { BAS_RANGES, type AccountClasses, type accountClassesSchema } from '../../shared/account-classes'
import { ProductError } from '../../shared/errors'
import { readAccountClasses } from '../../semantic/account-class-store'

/** @throws ProductError `version_conflict` with what is stored as `current` */
export async function saveAccountClasses(
  { deps, scope, reply }: Pick<RequestContext, 'deps' | 'scope' | 'reply'>,
  { ranges, version }: z.output<typeof accountClassesSchema>,
): Promise<AccountClasses> {
  const before = await readAccountClasses(deps.db, scope)
  const conflict = async () =>
    new ProductError('version_conflict', { current: await readAccountClasses(deps.db, scope) })
  if (before.version !== version) throw await conflict()
  const after: AccountClasses = {
    ranges: ranges ?? [...BAS_RANGES],
    adjusted: ranges !== null,
    version: version + 1,
  }
  await commit(deps, {
    change: [saveRangesStatement(deps.db, scope, { ranges, version, now: deps.clock.now() })],
    audit: [auditOf({ scope }, { action: 'accounts.update', id: scope.workspaceId, before, after })],
    reply: reply(after),
    expect: { onMissed: conflict },
  })
  return after
}

const auditOf = auditEntryFactory('account_classes')
