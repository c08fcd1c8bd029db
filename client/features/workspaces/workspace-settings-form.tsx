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

/**
 * The form of a workspace's settings. `theirs` is what somebody else saved meanwhile, until it is chosen between both;
 * `adopt` takes what is stored, and `takeLogo` only its version: what was typed and not saved yet stays.
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
  const acceptStored = (saved: Workspace) => {
    const values = toWorkspaceValues(saved)
    form.setInitialValues(values)
    form.setValues(values)
    setTheirs(null)
    acceptLogo(saved)
  }
  const saving = useMutation({
    mutationFn: (over: number) => saveWorkspace(toUpdateInput(form.getValues(), over)),
    onSuccess: (saved) => {
      acceptStored(saved)
      notifications.show({ color: 'green', message: 'Workspace saved' })
    },
    onError: (error) => {
      const current = conflictOf(error)
      // Only the logo changed meanwhile, or nothing that shows: there is nothing to choose between.
      if (current && conflictRows(form.values, current).length === 0) return acceptStored(current)
      setTheirs(current)
      return applyFieldErrors(form, error, [...WORKSPACE_FIELDS, 'mailDomains', 'reportDomains'])
    },
  })
  return { form, version, saving, adopt: acceptStored, takeLogo: acceptLogo, theirs, close: () => setTheirs(null) }
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
  const { form, version, saving, adopt, takeLogo, theirs, close } = useSaveWorkspace(stored)
  const draft = useFormDraft(form, { name: readOnly ? null : 'workspace', base: String(stored.version) })
  return (
    <form onSubmit={form.onSubmit(() => saving.mutate(version))} noValidate>
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
      {theirs && (
        <VersionConflictDialog
          opened
          rows={conflictRows(form.values, theirs)}
          onTakeMine={() => saving.mutate(theirs.version)}
          onTakeTheirs={() => adopt(theirs)}
          onClose={close}
        />
      )}
    </form>
  )
}
