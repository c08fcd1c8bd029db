import { Button, Group, Stack } from '@mantine/core'
import { conflictOf, conflictRows } from './conflict'
import { useSaveWorkspace } from './use-workspace-saving'
import { WorkspaceBasicFields, WorkspaceFormatFields } from './workspace-fields'
import { MailDomainsField } from './workspace-domains'
import { WorkspaceLogoField } from './workspace-logo'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import type { Workspace } from '../../../src/shared/workspaces'

export function WorkspaceSettingsForm({ stored, readOnly }: { stored: Workspace; readOnly: boolean }) {
  const { form, version, saving, adopt, takeLogo, theirs, close } = useSaveWorkspace(stored)
  return (
    <form onSubmit={form.onSubmit(() => saving.mutate(version))} noValidate>
      <Stack gap="lg">
        {conflictOf(saving.error) === null && <FormError error={saving.error} />}
        <SectionCard title="General">
          <WorkspaceBasicFields form={form} readOnly={readOnly} />
        </SectionCard>
        {!readOnly && <WorkspaceLogoField stored={stored} onSaved={takeLogo} />}
        <SectionCard title="Money, numbers and time">
          <WorkspaceFormatFields form={form} readOnly={readOnly} />
        </SectionCard>
        <SectionCard title="Invitations">
          <MailDomainsField form={form} readOnly={readOnly} />
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
