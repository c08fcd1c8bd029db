import type { Scope } from '../../identity/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/idempotency'
import type { DigestCadence, DigestSetting } from '../../shared/digest'

interface ReadContext {
  deps: Deps
  scope: Scope
}

/** One's own setting in this workspace: weekly until said otherwise. */
export async function getDigest({ deps, scope }: ReadContext): Promise<DigestSetting> {
  const row = await deps.db.d1
    .prepare(
      `SELECT (SELECT cadence FROM digests WHERE workspace_id = ?1 AND user_id = ?2) AS cadence,
         (SELECT count(*) FROM insight_follows f JOIN insights i ON i.id = f.insight_id AND i.deleted_at IS NULL
          WHERE f.workspace_id = ?1 AND f.user_id = ?2) AS following`,
    )
    .bind(scope.workspaceId, scope.actorId)
    .first<{ cadence: DigestCadence | null; following: number }>()
  return { cadence: row?.cadence ?? 'weekly', following: row?.following ?? 0 }
}

/** From the next morning on: what has been told of is not told again. */
export async function saveDigest(
  ask: ReadContext & WriteContext,
  digestCadence: DigestCadence,
): Promise<DigestSetting> {
  const { deps, scope } = ask
  const before = await getDigest(ask)
  const saved: DigestSetting = { ...before, cadence: digestCadence }
  const { workspaceId, actorId } = scope
  await commit(deps, {
    change: [
      deps.db.d1
        .prepare(
          `INSERT INTO digests (workspace_id, user_id, cadence) VALUES (?1, ?2, ?3)
           ON CONFLICT (workspace_id, user_id) DO UPDATE SET cadence = ?3, last_period = NULL, due_at = 0
           WHERE cadence <> ?3`,
        )
        .bind(workspaceId, actorId, digestCadence),
    ],
    audit: [
      {
        ...{ workspaceId, actorId, action: 'digest.update', entity: 'user', entityId: actorId },
        ...{ before: before.cadence, after: digestCadence },
      },
    ],
    reply: ask.reply(saved),
  })
  return saved
}
