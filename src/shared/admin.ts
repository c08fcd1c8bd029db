import { z } from 'zod'
import { listQuerySchema } from './names'
import type { SubscriptionState } from './entitlements'
import type { PlanId } from './plans'

/** How old a session may be for administration: then the person signs in again. */
export const STAFF_SESSION_MS = 12 * 60 * 60 * 1000

/** `GET /api/admin/workspaces`: newest first; `q` finds by name, id or a member's address. */
export const listAdminWorkspacesSchema = listQuerySchema.extend({ q: z.string().trim().max(100).optional() })
export type ListAdminWorkspaces = z.output<typeof listAdminWorkspacesSchema>

/** A workspace as staff sees it: how much there is of everything, never a row of it. */
export interface AdminWorkspace {
  id: string
  name: string
  country: string
  ownerEmail: string | null
  members: number
  sources: number
  insights: number
  rows: number
  bytes: number
  state: SubscriptionState
  planId: PlanId | null
  trialEndsAt: string | null
  createdAt: string
}
