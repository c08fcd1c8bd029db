import { z } from 'zod'
import type { SubscriptionState } from './billing/entitlements'
import { listQuerySchema, versionSchema } from './field-schemas'
import type { PlanFeatures, PlanId } from './billing/plans'

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
  /** Invitations whose readers do not know the sender. */
  inviteReports: number
  state: SubscriptionState
  planId: PlanId | null
  trialEndsAt: string | null
  /** On whose clock its days begin and end. */
  timeZone: string
  createdAt: string
}

const limitSchema = z.int().min(0).max(1_000_000).nullable()
const gateSchema = z.boolean()
/** Limits and gates of one workspace, in place of its plan's; what is absent stays as the plan has it. */
const overrideSchema = z
  .strictObject({
    analysts: limitSchema,
    users: limitSchema,
    dataSources: limitSchema,
    customInsights: limitSchema,
    aiMessages: limitSchema,
    activeForecasts: limitSchema,
    groupings: limitSchema,
    feeds: limitSchema,
    syncFrequencyHours: z.int().min(1).max(168),
    consultingHours: z.int().min(0).max(1_000),
    support: z.enum(['email', 'priority', 'dedicated']),
    reporting: gateSchema,
    reportSharing: gateSchema,
    externalBI: gateSchema,
    dataGrouping: gateSchema,
    forecasting: gateSchema,
    dataAccessManagement: gateSchema,
    userGrouping: gateSchema,
    aiAssistant: gateSchema,
    fileAnalysis: gateSchema,
    multiCurrency: gateSchema,
    clientPortal: gateSchema,
  } satisfies Record<keyof PlanFeatures, z.ZodType>)
  .partial()

/**
 * `PUT /api/admin/workspaces/{id}/terms`: an agreement of its own (`enterprise`, `legacy`), or with `planId: null` a trial
 * that lasts until `trialEndsAt`.
 */
export const workspaceTermsSchema = z
  .strictObject({
    planId: z.enum(['enterprise', 'legacy']).nullable(),
    override: overrideSchema.nullable(),
    trialEndsAt: z.iso.datetime().nullable(),
    /** Why; it stands in the audit log of the operator. */
    reason: z.string().trim().min(3, { message: 'Enter a reason.' }).max(200),
    version: versionSchema,
  })
  .refine(({ planId, trialEndsAt }) => (planId === null) === (trialEndsAt !== null), {
    path: ['trialEndsAt'],
    message: 'A trial ends some day; an agreement has no trial.',
  })
export type WorkspaceTermsInput = z.input<typeof workspaceTermsSchema>

/** On which terms a workspace is used, as staff may set them. */
export interface WorkspaceTerms {
  state: SubscriptionState
  planId: PlanId | null
  override: Partial<PlanFeatures> | null
  trialEndsAt: string | null
  /** It pays for a plan: that ends first. */
  subscribed: boolean
  version: number
}
