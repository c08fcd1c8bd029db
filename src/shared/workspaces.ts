import { z } from 'zod'
import { nameSchema, personNameSchema, versionSchema } from './names'

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

export const WEEK_STARTS = ['monday', 'sunday', 'saturday'] as const
export type WeekStart = (typeof WEEK_STARTS)[number]

/** What a workspace's figures depend on: money, numbers and time. */
export const workspaceSettingsSchema = z.strictObject({
  country: z.string().regex(/^[A-Z]{2}$/, { message: 'Pick a country.' }),
  currency: z.string().regex(/^[A-Z]{3}$/, { message: 'Pick a currency.' }),
  numberLocale: z.string().max(35).refine(isLocale, { message: 'Pick a number format.' }),
  timeZone: z.string().max(64).refine(isTimeZone, { message: 'Pick a time zone.' }),
  /** Month (1–12) in which the fiscal year begins. */
  fiscalYearStart: z.int().min(1).max(12),
  weekStart: z.enum(WEEK_STARTS),
})
export type WorkspaceSettings = z.infer<typeof workspaceSettingsSchema>

export const createWorkspaceSchema = workspaceSettingsSchema.extend({ name: nameSchema })
export type CreateWorkspaceInput = z.input<typeof createWorkspaceSchema>

export const updateWorkspaceSchema = createWorkspaceSchema.extend({ version: versionSchema })
export type UpdateWorkspaceInput = z.input<typeof updateWorkspaceSchema>

/** The current workspace as its settings screen edits it. */
export interface Workspace extends WorkspaceSettings {
  id: string
  name: string
  version: number
}

export const GOALS = ['sales', 'costs', 'cash', 'customers', 'reporting', 'forecasting'] as const
/** Second step of onboarding; every field may be left out. */
export const profileSchema = z.strictObject({
  name: personNameSchema,
  job: z
    .string()
    .max(80)
    .transform((text) => text.trim())
    .optional(),
  goals: z.array(z.enum(GOALS)).max(GOALS.length).default([]),
})
export type ProfileInput = z.input<typeof profileSchema>

/** What a person said about themselves. */
export interface Profile {
  name: string
  email: string
  job: string
  goals: Goal[]
}
export type Goal = (typeof GOALS)[number]

export const onboardingSchema = z.strictObject({ step: z.enum(['profile', 'source', 'done']) })
