import { z } from 'zod'
import { listQuerySchema } from './names'

const isoDate = z.iso.date()
const auditFilters = {
  /** A member's id. */
  actor: z.string().max(40).optional(),
  /** Begins with: `source`, `insight.update` … */
  action: z.string().max(60).optional(),
  entityId: z.string().max(60).optional(),
  /** Days of the workspace's zone, both included. */
  from: isoDate.optional(),
  to: isoDate.optional(),
}
/** GET /api/audit, the newest first. */
export const listAuditSchema = listQuerySchema.extend(auditFilters)
/** GET /files/audit: the same as CSV. */
export const exportAuditSchema = z.strictObject(auditFilters)

export interface AuditItem {
  id: string
  at: string
  /** Null: done by the product itself. */
  actor: { userId: string; name: string } | null
  action: string
  /** In words: “renamed a data source”. */
  words: string
  entity: string
  entityId: string
  /** SHA-256 of what it was and became, hex; null where there is none. */
  beforeHash: string | null
  afterHash: string | null
  country: string | null
}
