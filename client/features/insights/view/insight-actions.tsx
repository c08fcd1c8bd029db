import { FormDialog } from '../../../ui/forms/form-dialog'
import { MoreMenuEntry, MoreMenuFrame, type MoreMenuItem } from '../../../ui/buttons/more-menu'
import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { IconPencil, IconTrash, IconForms } from '@tabler/icons-react'
import type { Insight } from '../../../../src/shared/insights'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { InsightConflictDialog, useSaveInsight } from '../builder/save-insight'
import { useMay, useMayWrite } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { confirmDestructive } from '../../../ui/forms/confirm-dialog'
import { ExportMenu } from '../../../ui/buttons/export-menu'
import { notifyError } from '../../../ui/notify-error'
import { CurationMenuItems, FollowButton } from '../curation/curation-actions'
import { exportUrl, safeFileName } from './export-insight'
import { VersionHistoryDrawer } from '../curation/version-history'
import { InsightSettings } from '../curation/insight-settings'
import { deleteInsight } from '../queries'
import { ReportsShowing } from '../../../ui/reports-showing'

function RenameInsightDialog({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const [name, setName] = useState(insight.name)
  const [description, setDescription] = useState(insight.description)
  const saving = useSaveInsight(insight, onClose)
  const fields = fieldErrors(saving.error) ?? {}
  const { plan, viz } = insight
  return (
    <>
      <FormDialog
        title="Rename and describe"
        submit="Save"
        pending={saving.saving}
        disabled={name.trim() === ''}
        onSubmit={() => saving.save({ name, description, plan, viz })}
        onClose={onClose}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={80}
          error={fields['name']}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Description"
          value={description}
          maxLength={500}
          autosize
          minRows={2}
          error={fields['description']}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        {Object.keys(fields).length === 0 && <FormError error={saving.error} />}
      </FormDialog>
      <InsightConflictDialog saving={saving} dataset={null} />
    </>
  )
}

interface InsightActionsProps {
  insight: Insight
  /** Makes the picture; absent while there are no figures. */
  png?: (() => Promise<Blob | null>) | undefined
  /** Absent where there is nothing to edit for this person. */
  onEdit: (() => void) | undefined
  /** Its figures are not for this person: neither can they be taken along nor followed. */
  refused: boolean
  /** What else can be done with it. */
  items?: readonly MoreMenuItem[]
}

export function InsightActions({ insight, png, onEdit, refused, items = [] }: InsightActionsProps) {
  const [isRenaming, rename] = useDisclosure(false)
  const [isHistoryOpen, history] = useDisclosure(false)
  const [isSettingsOpen, settings] = useDisclosure(false)
  const readOnly = (useSession().workspace?.entitlements.readOnly ?? null) !== null
  const mayEdit = useMayWrite('edit:insight')
  const mayDelete = useMay('delete:insight') && !readOnly
  const remove = useDeleteInsight(insight)
  return (
    <>
      {(!refused || insight.following) && <FollowButton insight={insight} />}
      {!refused && <InsightExportMenu insight={insight} png={png} />}
      {mayEdit && onEdit && (
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
      )}
      <MoreMenuFrame inHeader label="More actions">
        {mayEdit && <MoreMenuEntry label="Rename and describe" icon={IconForms} onClick={rename.open} />}
        {items.map((item) => (
          <MoreMenuEntry key={item.label} {...item} />
        ))}
        <CurationMenuItems insight={insight} onHistory={history.open} onSettings={settings.open} />
        {mayDelete && <MoreMenuEntry label="Delete insight" icon={IconTrash} color="red" onClick={remove} />}
      </MoreMenuFrame>
      {isRenaming && <RenameInsightDialog insight={insight} onClose={rename.close} />}
      {isHistoryOpen && <VersionHistoryDrawer insight={insight} onClose={history.close} />}
      {isSettingsOpen && <InsightSettings insight={insight} onClose={settings.close} />}
    </>
  )
}

function InsightExportMenu({ insight, png }: Pick<InsightActionsProps, 'insight' | 'png'>) {
  const workspace = useSession().workspace?.id ?? ''
  const may = useMay('export:data')
  return (
    <ExportMenu
      addressOf={may ? (format) => exportUrl(insight.id, { format, workspace }) : null}
      png={png}
      name={safeFileName(insight.name)}
    />
  )
}

function useDeleteInsight(insight: Insight): () => void {
  const navigate = useNavigate()
  const onConfirm = async (): Promise<void> => {
    try {
      await deleteInsight(insight)
      notifications.show({ message: `“${insight.name}” is in Recently deleted for 30 days.` })
      await navigate({ to: '/insights' })
    } catch (error) {
      notifyError(error)
    }
  }
  return () =>
    confirmDestructive({
      title: `Delete “${insight.name}”?`,
      message: (
        <Text size="sm" component="div">
          You can restore it for 30 days. Its data isn’t affected.
          <ReportsShowing id={insight.id} />
        </Text>
      ),
      confirm: 'Delete insight',
      onConfirm,
    })
}
