import type { WorkspaceValues } from './workspace-fields'
import { createWorkspaceSchema } from '../../../src/shared/workspaces'
import type { CreateWorkspaceInput } from '../../../src/shared/workspaces'
import { checkWith } from '../../lib/validate-form'

export const WORKSPACE_FIELDS = [
  'name',
  'country',
  'currency',
  'numberLocale',
  'timeZone',
  'fiscalYearStart',
  'weekStart',
] as const

/** Contract → form. */
export const valuesOf = (given: CreateWorkspaceInput): WorkspaceValues => ({
  name: given.name,
  country: given.country,
  currency: given.currency,
  numberLocale: given.numberLocale,
  timeZone: given.timeZone,
  fiscalYearStart: String(given.fiscalYearStart),
  weekStart: given.weekStart,
})

const raw = (values: WorkspaceValues) => ({ ...values, fiscalYearStart: Number(values.fiscalYearStart) })

/** Form → contract. @throws ZodError when the form was not checked before. */
export const inputOf = (values: WorkspaceValues): CreateWorkspaceInput => createWorkspaceSchema.parse(raw(values))

const check = checkWith(createWorkspaceSchema)
export const checkWorkspace = (values: WorkspaceValues): Record<string, string> => check(raw(values))
