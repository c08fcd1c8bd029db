import { z } from 'zod'
import { nameSchema, versionSchema } from '../field-schemas'

const isTimeZone = (text: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}
const isLocale = (text: string): boolean => {
  try {
    return Intl.NumberFormat.supportedLocalesOf([text]).length === 1
  } catch {
    return false
  }
}

const WEEK_STARTS = ['monday', 'sunday', 'saturday'] as const
export type WeekStart = (typeof WEEK_STARTS)[number]

/** What a workspace's figures depend on: money, numbers and time. */
export const workspaceSettingsSchema = z.strictObject({
  country: z.string().regex(/^[A-Z]{2}$/, { message: 'Choose a country.' }),
  currency: z.string().regex(/^[A-Z]{3}$/, { message: 'Choose a currency.' }),
  numberLocale: z.string().max(35).refine(isLocale, { message: 'Choose a number format.' }),
  timeZone: z.string().max(64).refine(isTimeZone, { message: 'Choose a time zone.' }),
  /** Month (1–12) in which the fiscal year begins. */
  fiscalYearStart: z.int().min(1).max(12),
  weekStart: z.enum(WEEK_STARTS),
})
export type WorkspaceSettings = z.infer<typeof workspaceSettingsSchema>

const DOMAIN_PATTERN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
/** `company.com`, lower case, without @. */
export const mailDomainSchema = z
  .string()
  .max(253)
  .transform((text) => text.trim().replace(/^@/, '').toLowerCase())
  .refine((text) => DOMAIN_PATTERN.test(text), { message: 'Enter a domain like company.com.' })

export const createWorkspaceSchema = workspaceSettingsSchema.extend({ name: nameSchema })
export type CreateWorkspaceInput = z.input<typeof createWorkspaceSchema>

export const updateWorkspaceSchema = createWorkspaceSchema.extend({
  /** Absent = as it is. Only addresses of these domains may be invited; empty = any. */
  mailDomains: z.array(mailDomainSchema).max(20).optional(),
  /** Absent = as it is. Outside addresses of these domains may get reports by mail; empty = none. */
  reportDomains: z.array(mailDomainSchema).max(50).optional(),
  version: versionSchema,
})
export type UpdateWorkspaceInput = z.input<typeof updateWorkspaceSchema>

/** The current workspace as its settings screen edits it. */
export interface Workspace extends WorkspaceSettings {
  id: string
  name: string
  mailDomains: string[]
  reportDomains: string[]
  /** Path of the logo, or null. */
  logo: string | null
  version: number
}

export const GOALS = ['sales', 'costs', 'cash', 'customers', 'reporting', 'forecasting'] as const
export type Goal = (typeof GOALS)[number]

export const onboardingSchema = z.strictObject({ step: z.enum(['profile', 'source', 'done']) })

/** GET /api/workspaces/ended: why a person is in a workspace no more, or not for now. Told for 30 days. */
export interface EndedMembership {
  workspace: string
  /** `restored`: waits to be let in again after restoring their account. `deleted`: the workspace is. */
  reason: 'removed' | 'left' | 'suspended' | 'restored' | 'deleted'
  /** Null where the moment is not known. */
  at: string | null
}

/** GET /api/workspaces/deleted: what the person may still bring back. */
export interface DeletedWorkspace {
  id: string
  name: string
  deletedAt: string
  /** After this nothing brings it back. */
  until: string
}
