import { Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { conflictOf, conflictRows } from './conflict'
import { saveWorkspace, workspaceQuery } from './queries'
import { WorkspaceBasics, WorkspaceFormats } from './workspace-fields'
import type { WorkspaceValues } from './workspace-fields'
import { WorkspaceDomains } from './workspace-domains'
import { WorkspaceLogo } from './workspace-logo'
import { checkWorkspace, updateOf, valuesOf, WORKSPACE_FIELDS } from './workspace-values'
import { loadSession } from '../../lib/session-calls'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import type { Workspace } from '../../../src/shared/workspaces'

export function WorkspaceEditForm({ stored, readOnly }: { stored: Workspace; readOnly: boolean }) {
  const client = useQueryClient()
  const [theirs, setTheirs] = useState<Workspace | null>(null)
  const form = useForm({ initialValues: valuesOf(stored), validate: checkWorkspace })
  const [version, setVersion] = useState(stored.version)
  const adopt = (saved: Workspace) => {
    const values = valuesOf(saved)
    form.setInitialValues(values)
    form.setValues(values)
    setVersion(saved.version)
    setTheirs(null)
    client.setQueryData(workspaceQuery().queryKey, saved)
    void loadSession()
  }
  /** What was typed and not saved yet stays. */
  const takeLogo = (saved: Workspace) => {
    setVersion(saved.version)
    client.setQueryData(workspaceQuery().queryKey, saved)
    void loadSession()
  }
  const mutation = useMutation({
    mutationFn: (save: { values: WorkspaceValues; over: number }) => saveWorkspace(updateOf(save.values, save.over)),
    onSuccess: (saved) => {
      adopt(saved)
      notifications.show({ color: 'green', message: 'Workspace saved.' })
    },
    onError: (error) => {
      const current = conflictOf(error)
      // Only the logo changed meanwhile, or nothing that shows: there is nothing to choose between.
      if (current && conflictRows(form.values, current).length === 0) return adopt(current)
      setTheirs(current)
      return applyFieldErrors(form, error, [...WORKSPACE_FIELDS, 'mailDomains'])
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => mutation.mutate({ values, over: version }))} noValidate>
      <Stack gap="lg">
        {conflictOf(mutation.error) === null && <FormError error={mutation.error} />}
        <Section title="General">
          <WorkspaceBasics form={form} readOnly={readOnly} />
        </Section>
        {!readOnly && <WorkspaceLogo stored={stored} onSaved={takeLogo} />}
        <Section title="Money, numbers and time">
          <WorkspaceFormats form={form} readOnly={readOnly} />
        </Section>
        <Section title="Invitations">
          <WorkspaceDomains form={form} readOnly={readOnly} />
        </Section>
        {!readOnly && (
          <Group justify="flex-end">
            <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
              Undo changes
            </Button>
            <Button type="submit" disabled={!form.isDirty()} loading={mutation.isPending}>
              Save workspace
            </Button>
          </Group>
        )}
      </Stack>
      {theirs && (
        <VersionConflictDialog
          opened
          rows={conflictRows(form.values, theirs)}
          onTakeMine={() => mutation.mutate({ values: form.values, over: theirs.version })}
          onTakeTheirs={() => adopt(theirs)}
          onClose={() => setTheirs(null)}
        />
      )}
    </form>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper p="lg" className="surface">
      <Title order={2} mb="md">
        {title}
      </Title>
      <Stack gap="md">{children}</Stack>
    </Paper>
  )
}
