import type { WorkspaceFormValues } from './workspace-fields'
import { createWorkspaceSchema, updateWorkspaceSchema } from '../../../src/shared/workspaces'
import type { CreateWorkspaceInput, UpdateWorkspaceInput } from '../../../src/shared/workspaces'
import { formValidator } from '../../lib/validate-form'

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
export const toWorkspaceValues = (given: CreateWorkspaceInput & { mailDomains?: string[] }): WorkspaceFormValues => ({
  name: given.name,
  country: given.country,
  currency: given.currency,
  numberLocale: given.numberLocale,
  timeZone: given.timeZone,
  fiscalYearStart: String(given.fiscalYearStart),
  weekStart: given.weekStart,
  mailDomains: given.mailDomains ?? [],
})

const parseNumbers = ({ mailDomains: _later, ...values }: WorkspaceFormValues) => ({
  ...values,
  fiscalYearStart: Number(values.fiscalYearStart),
})

/** Form → contract. @throws ZodError when the form was not checked before. */
export const toCreateInput = (values: WorkspaceFormValues): CreateWorkspaceInput =>
  createWorkspaceSchema.parse(parseNumbers(values))

/** Form → what is saved over this version. @throws ZodError when the form was not checked before. */
export const toUpdateInput = (values: WorkspaceFormValues, version: number): UpdateWorkspaceInput =>
  updateWorkspaceSchema.parse({ ...parseNumbers(values), mailDomains: values.mailDomains, version })

const check = formValidator(createWorkspaceSchema)
export const validateWorkspace = (values: WorkspaceFormValues): Record<string, string> => check(parseNumbers(values))
