import type { z } from 'zod'
import { readAccountClasses } from '../../semantic/account-classes'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/idempotency'
import { BAS_RANGES } from '../../shared/account-classes'
import type { AccountClasses, accountClassesSchema } from '../../shared/account-classes'
import { ProductError } from '../../shared/errors'

/** @throws ProductError `version_conflict` with what is stored as `current` */
export async function saveAccountClasses(
  { deps, scope, reply }: WriteContext & { deps: Deps },
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
    change: [
      deps.db.d1
        .prepare(
          `INSERT INTO account_classes (workspace_id, ranges, version, updated_at) VALUES (?1, ?2, ?3 + 1, ?4)
           ON CONFLICT (workspace_id) DO UPDATE SET ranges = ?2, version = ?3 + 1, updated_at = ?4 WHERE version = ?3`,
        )
        .bind(scope.workspaceId, ranges && JSON.stringify(ranges), version, deps.clock.now()),
    ],
    audit: [
      {
        ...{ workspaceId: scope.workspaceId, actorId: scope.actorId, action: 'accounts.update' },
        ...{ entity: 'account_classes', entityId: scope.workspaceId, before, after },
      },
    ],
    reply: reply(after),
    expect: { onMissed: conflict },
  })
  return after
}
