import type { AuditEntry } from './commit'

export interface Written {
  action: string
  id: string
  before?: unknown
  after?: unknown
}

/** Makes the audit lines of one kind of thing: who wrote is who asks. */
export const auditOfKind =
  (entity: string) =>
  (
    { scope: { workspaceId, actorId } }: { scope: { workspaceId: string; actorId: string } },
    { action, id, before, after }: Written,
  ): AuditEntry => ({ workspaceId, actorId, action, entity, entityId: id, before, after })
