import type { AuditEntry } from './commit'

export interface AuditedChange {
  action: string
  id: string
  before?: unknown
  after?: unknown
}

/** Makes the audit lines of one kind of thing: who wrote is who asks. */
export const auditEntryFactory =
  (entity: string) =>
  (
    { scope: { workspaceId, actorId } }: { scope: { workspaceId: string; actorId: string } },
    { action, id, before, after }: AuditedChange,
  ): AuditEntry => ({ workspaceId, actorId, action, entity, entityId: id, before, after })
