import { isVersionConflict } from '../../lib/error-details'
import { z } from 'zod'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Alert, TagsInput, Button, Stack } from '@mantine/core'
import { VersionConflictDialog, type ConflictRow } from '../../ui/forms/version-conflict-dialog'
import { createWorkspaceSchema, mailDomainSchema, type Workspace } from '../../../src/shared/workspaces/workspaces'
import {
  toWorkspaceValues,
  WORKSPACE_FIELDS,
  validateWorkspace,
  toUpdateInput,
  WorkspaceBasicFields,
  WorkspaceFormatFields,
} from './workspace-fields'
import type { WorkspaceFormValues, WorkspaceForm } from './workspace-fields'
import { saveWorkspace, workspaceQuery } from './queries'
import { adoptSaved, changedValues } from '../../lib/writes/changed-values'
import { useFormDraft } from '../../lib/writes/kept-draft'
import { loadSession } from '../../lib/session-actions'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { useSession } from '../../lib/session'
import { WorkspaceLogoField } from './workspace-logo'
import { TERMS } from '../../../src/shared/terms'
import { SectionCard } from '../../ui/section-card'
import { FormFooter } from '../../ui/forms/form-footer'

const conflictSchema = createWorkspaceSchema.extend({
  id: z.string(),
  version: z.number(),
  mailDomains: z.array(z.string()),
  reportDomains: z.array(z.string()),
  logo: z.string().nullable(),
})

/** The version somebody else saved meanwhile, when the refusal is about that. */
function conflictOf(error: unknown): Workspace | null {
  return isVersionConflict(error) ? (conflictSchema.safeParse(error.body['current']).data ?? null) : null
}

const FIELD_LABELS: Record<(typeof WORKSPACE_FIELDS)[number], string> = {
  name: 'Name',
  country: 'Country',
  currency: 'Currency',
  numberLocale: 'Number format',
  timeZone: 'Time zone',
  fiscalYearStart: 'Fiscal year starts in',
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
  const domains = DOMAIN_FIELDS.map(({ field, label, none }) => ({
    ...{ label, mine: describeDomains(mine[field], none), theirs: describeDomains(other[field], none) },
  }))
  return [...rows, ...domains.filter((row) => row.mine !== row.theirs)]
}

const DOMAIN_FIELDS = [
  { field: 'mailDomains', label: 'Allowed email domains', none: 'Any' },
  { field: 'reportDomains', label: 'Domains outside the workspace', none: 'None' },
] as const
const describeDomains = (domains: string[], none: string): string =>
  domains.length === 0 ? none : domains.toSorted().join(', ')

/** Whether a field that is changed here was changed to something else meanwhile: what differs otherwise is put together. */
function isDisputed(before: WorkspaceFormValues, mine: WorkspaceFormValues, current: Workspace): boolean {
  const theirs = toWorkspaceValues(current)
  const changed = changedValues(theirs, before)
  return Object.keys(changedValues(mine, before)).some(
    (field) => field in changedValues(theirs, mine) && field in changed,
  )
}

/**
 * The form of a workspace's settings. `conflict` is what somebody else saved meanwhile, until it is chosen between both;
 * `takeLogo` takes only the version of what is stored: what was typed and not saved yet stays.
 */
function useSaveWorkspace(stored: Workspace) {
  const client = useQueryClient()
  const [theirs, setTheirs] = useState<Workspace | null>(null)
  const [version, setVersion] = useState(stored.version)
  const form = useForm({ initialValues: toWorkspaceValues(stored), validate: validateWorkspace })
  const acceptLogo = (saved: Workspace) => {
    setVersion(saved.version)
    client.setQueryData(workspaceQuery().queryKey, saved)
    void loadSession()
  }
  /** Takes what is stored, with these changes of it that are not. */
  const acceptStored = (saved: Workspace, changes: Partial<WorkspaceFormValues> = {}) => {
    adoptSaved(form, toWorkspaceValues(saved), { ...toWorkspaceValues(saved), ...changes })
    setTheirs(null)
    acceptLogo(saved)
  }
  const saving = useMutation({
    mutationFn: ({ sent, over }: { sent: WorkspaceFormValues; over: number }) =>
      saveWorkspace(toUpdateInput(sent, over)),
    onSuccess: (saved, { sent }) => {
      // What was entered while it was on its way is not saved yet.
      acceptStored(saved, changedValues(form.getValues(), sent))
      notifications.show({ color: 'green', message: 'Workspace saved' })
    },
    onError: (error) => {
      const current = conflictOf(error)
      if (!current) return applyFieldErrors(form, error, [...WORKSPACE_FIELDS, 'mailDomains', 'reportDomains'])
      return isDisputed(form.getInitialValues(), form.getValues(), current) ? setTheirs(current) : saveOver(current)
    },
  })
  const myChanges = () => changedValues(form.getValues(), form.getInitialValues())
  const save = () => saving.mutate({ sent: form.getValues(), over: version })
  const saveOver = (current: Workspace): void => {
    const sent = { ...toWorkspaceValues(current), ...myChanges() }
    acceptStored(current, myChanges())
    if (conflictRows(sent, current).length > 0) saving.mutate({ sent, over: current.version })
  }
  const conflict = theirs && {
    rows: conflictRows({ ...toWorkspaceValues(theirs), ...myChanges() }, theirs),
    onTakeMine: () => saveOver(theirs),
    onTakeTheirs: () => acceptStored(theirs),
    onClose: () => setTheirs(null),
  }
  return { form, save, saving, takeLogo: acceptLogo, conflict }
}

const DOMAINS_MAX = 20
const REPORT_DOMAINS_MAX = 50

interface DomainsFieldProps {
  form: WorkspaceForm
  readOnly: boolean
}

/** Domains as chips. */
function DomainsInput({
  form,
  readOnly,
  field,
  label,
  description,
  max,
}: DomainsFieldProps & { field: 'mailDomains' | 'reportDomains'; label: string; description: string; max: number }) {
  const [domainError, setFault] = useState<string | null>(null)
  const domains = form.values[field]
  const change = (given: string[]) => {
    const read = given.map((text) => ({ text, domain: mailDomainSchema.safeParse(text) }))
    const wrong = read.find(({ domain }) => !domain.success)
    setFault(wrong ? `“${wrong.text}” isn’t a domain. Enter one like company.com.` : null)
    const right = read.flatMap(({ domain }) => (domain.success ? [domain.data] : []))
    form.setFieldValue(field, [...new Set(right)])
  }
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={domains.length === 0 && !readOnly ? 'company.com' : ''}
      value={domains}
      onChange={change}
      maxTags={max}
      splitChars={[',', ' ', ';']}
      readOnly={readOnly}
      error={domainError ?? form.errors[field]}
      clearButtonProps={{ 'aria-label': 'Remove all domains' }}
    />
  )
}

/** Whose addresses may be invited. None = anybody. */
function MailDomainsField({ form, readOnly }: DomainsFieldProps) {
  const { user } = useSession()
  const domains = form.values.mailDomains
  const own = user?.email?.split('@').at(-1) ?? null
  return (
    <>
      <DomainsInput
        {...{ form, readOnly, field: 'mailDomains', max: DOMAINS_MAX }}
        label="Allowed email domains"
        description="Empty: any address can be invited"
      />
      {own !== null && domains.length > 0 && !domains.includes(own) && (
        <Alert color="yellow" title={`Your own domain, ${own}, isn’t listed`}>
          You stay a member, but colleagues at {own} can’t be invited.
        </Alert>
      )}
    </>
  )
}

/** Where reports may be sent outside the workspace. None = nowhere. */
const ReportDomainsField = (props: DomainsFieldProps) => (
  <DomainsInput
    {...{ ...props, field: 'reportDomains', max: REPORT_DOMAINS_MAX }}
    label="Domains outside the workspace"
    description="Scheduled reports can be sent to these. Empty: to members only"
  />
)

export function WorkspaceSettingsForm({ stored, readOnly }: { stored: Workspace; readOnly: boolean }) {
  const { form, save, saving, takeLogo, conflict } = useSaveWorkspace(stored)
  const draft = useFormDraft(form, { name: readOnly ? null : 'workspace', base: String(stored.version) })
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <DraftNotice draft={draft} />
      <Stack gap="lg">
        {conflictOf(saving.error) === null && <FormError error={saving.error} />}
        <SectionCard title="General">
          <WorkspaceBasicFields form={form} readOnly={readOnly} />
        </SectionCard>
        {!readOnly && <WorkspaceLogoField stored={stored} onSaved={takeLogo} />}
        <SectionCard title="Formats and calendar">
          <WorkspaceFormatFields form={form} readOnly={readOnly} />
        </SectionCard>
        <SectionCard title="Invitations">
          <MailDomainsField form={form} readOnly={readOnly} />
        </SectionCard>
        <SectionCard title="Reports by email">
          <ReportDomainsField form={form} readOnly={readOnly} />
        </SectionCard>
        {!readOnly && (
          <FormFooter>
            <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
              {TERMS.discardChanges}
            </Button>
            <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
              Save workspace
            </Button>
          </FormFooter>
        )}
      </Stack>
      {conflict && <VersionConflictDialog opened {...conflict} />}
    </form>
  )
}
