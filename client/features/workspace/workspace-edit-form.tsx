import { Button, Group, Stack } from '@mantine/core'
import { conflictOf, conflictRows } from './conflict'
import { useWorkspaceSaving } from './use-workspace-saving'
import { WorkspaceBasics, WorkspaceFormats } from './workspace-fields'
import { WorkspaceDomains } from './workspace-domains'
import { WorkspaceLogo } from './workspace-logo'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import type { Workspace } from '../../../src/shared/workspaces'

export function WorkspaceEditForm({ stored, readOnly }: { stored: Workspace; readOnly: boolean }) {
  const { form, version, saving, adopt, takeLogo, theirs, close } = useWorkspaceSaving(stored)
  return (
    <form onSubmit={form.onSubmit(() => saving.mutate(version))} noValidate>
      <Stack gap="lg">
        {conflictOf(saving.error) === null && <FormError error={saving.error} />}
        <SectionCard title="General">
          <WorkspaceBasics form={form} readOnly={readOnly} />
        </SectionCard>
        {!readOnly && <WorkspaceLogo stored={stored} onSaved={takeLogo} />}
        <SectionCard title="Money, numbers and time">
          <WorkspaceFormats form={form} readOnly={readOnly} />
        </SectionCard>
        <SectionCard title="Invitations">
          <WorkspaceDomains form={form} readOnly={readOnly} />
        </SectionCard>
        {!readOnly && (
          <Group justify="flex-end">
            <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
              Undo changes
            </Button>
            <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
              Save workspace
            </Button>
          </Group>
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
