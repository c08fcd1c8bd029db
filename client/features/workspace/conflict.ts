import { z } from 'zod'
import { ApiError } from '../../lib/api'
import type { ConflictRow } from '../../ui/version-conflict-dialog'
import { createWorkspaceSchema } from '../../../src/shared/workspaces'
import type { Workspace } from '../../../src/shared/workspaces'
import type { WorkspaceFormValues } from './workspace-fields'
import { toWorkspaceValues, WORKSPACE_FIELDS } from './workspace-values'

const conflictSchema = createWorkspaceSchema.extend({
  id: z.string(),
  version: z.number(),
  mailDomains: z.array(z.string()),
  logo: z.string().nullable(),
})

/** The version somebody else saved meanwhile, when the refusal is about that. */
export function conflictOf(error: unknown): Workspace | null {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const parsed = conflictSchema.safeParse(error.body['current'])
  return parsed.success ? parsed.data : null
}

const FIELD_LABELS: Record<(typeof WORKSPACE_FIELDS)[number], string> = {
  name: 'Name',
  country: 'Country',
  currency: 'Currency',
  numberLocale: 'Number format',
  timeZone: 'Time zone',
  fiscalYearStart: 'Fiscal year starts in month',
  weekStart: 'Week starts on',
}

/** What differs between the two versions, field by field. */
export function conflictRows(mine: WorkspaceFormValues, theirs: Workspace): ConflictRow[] {
  const other = toWorkspaceValues(theirs)
  const rows = WORKSPACE_FIELDS.filter((field) => mine[field] !== other[field]).map((field) => ({
    label: FIELD_LABELS[field],
    mine: mine[field],
    theirs: other[field],
  }))
  const domains = { mine: describeDomains(mine.mailDomains), theirs: describeDomains(other.mailDomains) }
  return domains.mine === domains.theirs ? rows : [...rows, { label: 'Allowed mail domains', ...domains }]
}

const describeDomains = (domains: string[]): string => (domains.length === 0 ? 'Any' : domains.toSorted().join(', '))
