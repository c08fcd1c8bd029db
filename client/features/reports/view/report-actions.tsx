import { notifications } from '@mantine/notifications'
import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import {
  IconArchive,
  IconArchiveOff,
  IconCalendarTime,
  IconCopy,
  IconFileSpreadsheet,
  IconFileTypePdf,
  IconHistory,
  IconLink,
  IconTransform,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Report, ReportSummary } from '../../../../src/shared/reports/reports'
import { useMay, useMayWrite } from '../../../lib/gate'
import { MoreMenu } from '../../../ui/buttons/more-menu'
import { notifyError } from '../../../ui/notify-error'
import { REPORT_PATHS } from '../../../lib/report-paths'
import { downloadReport } from '../download-report'
import { archiveReport, convertReport, deleteReport, duplicateReport, restoreReport } from '../queries'
import { ShareDialog } from '../links/share-dialog'
import { HistoryDrawer } from './history-drawer'

// Readers do not wait for what only those who share reports need.
const SchedulesDrawer = lazy(() =>
  import('../schedules/schedules-drawer').then((part) => ({ default: part.SchedulesDrawer })),
)

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

/** What can be done with a report as a whole. */
export function ReportMenu({ report, inHeader = false, onGone }: ReportMenuProps) {
  const may = useMayWrite('edit:report')
  const navigate = useNavigate()
  const [showsHistory, setShowsHistory] = useState(false)
  const [showsSchedules, setShowsSchedules] = useState(false)
  const [shares, setShares] = useState(false)
  const mayShare = useMay('share:report')
  const { id, version, status, kind } = report
  const open = (made: Report): void =>
    void navigate({ to: REPORT_PATHS[made.kind], params: { id: made.id }, search: { edit: true } })
  const run = (work: Promise<unknown>, done?: string): void =>
    void work.then(() => done !== undefined && notifications.show({ message: done }), notifyError)
  const mayExport = useMay('export:data') && status !== 'draft'
  const download = (format: 'pdf' | 'xlsx'): void => run(downloadReport(id, report.name, { format }))
  const isArchived = status === 'archived'
  return (
    <>
      <MoreMenu
        label={`More actions for ${report.name}`}
        inHeader={inHeader}
        items={[
          mayShare && { label: 'Share', icon: IconLink, onClick: () => setShares(true) },
          mayExport && { label: 'Download PDF', icon: IconFileTypePdf, onClick: () => download('pdf') },
          mayExport && { label: 'Download Excel workbook', icon: IconFileSpreadsheet, onClick: () => download('xlsx') },
          mayShare &&
            inHeader &&
            status !== 'draft' && {
              label: 'Schedules',
              icon: IconCalendarTime,
              onClick: () => setShowsSchedules(true),
            },
          may && inHeader && { label: 'History', icon: IconHistory, onClick: () => setShowsHistory(true) },
          may && {
            label: 'Duplicate',
            icon: IconCopy,
            onClick: () => run(duplicateReport(id).then(open), 'Report duplicated'),
          },
          may && {
            label: kind === 'interactive' ? 'Convert to legacy report' : 'Convert to interactive report',
            icon: IconTransform,
            note: 'Creates a copy',
            onClick: () => run(convertReport(id).then(open), 'Report converted'),
          },
          may && {
            label: isArchived ? 'Unarchive' : 'Archive',
            icon: isArchived ? IconArchiveOff : IconArchive,
            onClick: () =>
              run(
                archiveReport({ id, version, archived: !isArchived }),
                isArchived ? 'Report unarchived' : 'Report archived',
              ),
          },
          may && {
            label: 'Delete report',
            icon: IconTrash,
            c: 'var(--bad)',
            onClick: () => run(removeReport(report).then(() => onGone?.())),
          },
        ]}
      />
      {showsSchedules && 'published' in report && (
        <Suspense fallback={null}>
          <SchedulesDrawer report={report} onClose={() => setShowsSchedules(false)} />
        </Suspense>
      )}
      {shares && <ShareDialog reportId={id} onClose={() => setShares(false)} />}
      {showsHistory && <HistoryDrawer report={report} onClose={() => setShowsHistory(false)} />}
    </>
  )
}
