import { notifications } from '@mantine/notifications'
import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { IconArchive, IconArchiveOff, IconCopy, IconHistory, IconTransform, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Report, ReportSummary } from '../../../../src/shared/reports/reports'
import { useMayWrite } from '../../../lib/gate'
import { MoreMenu } from '../../../ui/buttons/more-menu'
import { notifyError } from '../../../ui/notify-error'
import { archiveReport, convertReport, deleteReport, duplicateReport, restoreReport } from '../queries'
import { HistoryDrawer } from './history-drawer'

const NOTICE_MS = 8_000

/** Deletes at once: it can be undone for 30 days. */
async function removeReport(report: Pick<Report, 'id' | 'version' | 'name'>): Promise<void> {
  await deleteReport(report)
  const id = `deleted-${report.id}`
  const undo = (): void => {
    notifications.hide(id)
    restoreReport(report.id).then(() => notifications.show({ message: 'Report restored' }), notifyError)
  }
  notifications.show({
    id,
    autoClose: NOTICE_MS,
    message: (
      <Group justify="space-between" gap="sm">
        <Text size="sm">Report deleted. You can restore it for 30 days.</Text>
        <Button size="compact-sm" variant="subtle" onClick={undo}>
          Undo
        </Button>
      </Group>
    ),
  })
}

interface ReportMenuProps {
  report: Report | ReportSummary
  inHeader?: boolean
  /** Where the page goes when the report is gone. */
  onGone?: () => void
}

/** What can be done with a report as a whole. Nothing where the person may not change it. */
export function ReportMenu({ report, inHeader = false, onGone }: ReportMenuProps) {
  const may = useMayWrite('edit:report')
  const navigate = useNavigate()
  const [showsHistory, setShowsHistory] = useState(false)
  const { id, version, status, kind } = report
  const open = (made: Report): void =>
    void navigate(
      made.kind === 'interactive'
        ? { to: '/reports/interactive/$id', params: { id: made.id }, search: { edit: true } }
        : { to: '/reports/legacy' },
    )
  const run = (work: Promise<unknown>, done?: string): void =>
    void work.then(() => done !== undefined && notifications.show({ message: done }), notifyError)
  if (!may) return null
  const isArchived = status === 'archived'
  return (
    <>
      <MoreMenu
        label={`More actions for ${report.name}`}
        inHeader={inHeader}
        items={[
          inHeader && { label: 'History', icon: IconHistory, onClick: () => setShowsHistory(true) },
          {
            label: 'Duplicate',
            icon: IconCopy,
            onClick: () => run(duplicateReport(id).then(open), 'Report duplicated'),
          },
          {
            label: kind === 'interactive' ? 'Convert to legacy report' : 'Convert to interactive report',
            icon: IconTransform,
            note: 'Creates a copy',
            onClick: () => run(convertReport(id).then(open), 'Report converted'),
          },
          {
            label: isArchived ? 'Unarchive' : 'Archive',
            icon: isArchived ? IconArchiveOff : IconArchive,
            onClick: () =>
              run(
                archiveReport({ id, version, archived: !isArchived }),
                isArchived ? 'Report unarchived' : 'Report archived',
              ),
          },
          {
            label: 'Delete report',
            icon: IconTrash,
            color: 'red',
            onClick: () => run(removeReport(report).then(() => onGone?.())),
          },
        ]}
      />
      {showsHistory && <HistoryDrawer report={report} onClose={() => setShowsHistory(false)} />}
    </>
  )
}
