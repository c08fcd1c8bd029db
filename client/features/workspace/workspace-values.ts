import type { WorkspaceValues } from './workspace-fields'
import { createWorkspaceSchema, updateWorkspaceSchema } from '../../../src/shared/workspaces'
import type { CreateWorkspaceInput, UpdateWorkspaceInput } from '../../../src/shared/workspaces'
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
export const valuesOf = (given: CreateWorkspaceInput & { mailDomains?: string[] }): WorkspaceValues => ({
  name: given.name,
  country: given.country,
  currency: given.currency,
  numberLocale: given.numberLocale,
  timeZone: given.timeZone,
  fiscalYearStart: String(given.fiscalYearStart),
  weekStart: given.weekStart,
  mailDomains: given.mailDomains ?? [],
})

const raw = ({ mailDomains: _later, ...values }: WorkspaceValues) => ({
  ...values,
  fiscalYearStart: Number(values.fiscalYearStart),
})

/** Form → contract. @throws ZodError when the form was not checked before. */
export const inputOf = (values: WorkspaceValues): CreateWorkspaceInput => createWorkspaceSchema.parse(raw(values))

/** Form → what is saved over this version. @throws ZodError when the form was not checked before. */
export const updateOf = (values: WorkspaceValues, version: number): UpdateWorkspaceInput =>
  updateWorkspaceSchema.parse({ ...raw(values), mailDomains: values.mailDomains, version })

const check = checkWith(createWorkspaceSchema)
export const checkWorkspace = (values: WorkspaceValues): Record<string, string> => check(raw(values))
