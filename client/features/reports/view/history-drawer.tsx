import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReportPublication, ReportSummary } from '../../../../src/shared/reports/reports'
import { useFormat } from '../../../lib/format'
import { SideDrawer } from '../../../ui/dialog'
import { EmptyState } from '../../../ui/empty-state'
import { confirmAction } from '../../../ui/forms/confirm-dialog'
import { MutedText } from '../../../ui/muted-text'
import { NeutralBadge } from '../../../ui/neutral-badge'
import { notifyError } from '../../../ui/notify-error'
import { QueryView } from '../../../ui/query-view'
import { TableSkeleton } from '../../../ui/skeletons'
import { publicationsQuery, restorePublication } from '../queries'

interface HistoryDrawerProps {
  report: Pick<ReportSummary, 'id' | 'version' | 'changed'>
  onClose: () => void
}

/** Every publication, the newest first, and the way back to one. */
export function HistoryDrawer({ report, onClose }: HistoryDrawerProps) {
  const list = useQuery(publicationsQuery(report.id))
  return (
    <SideDrawer opened onClose={onClose} position="right" size="md" title="History">
      <QueryView query={list} skeleton={<TableSkeleton count={3} />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="Not published yet" sentence="Each publication is kept here." />
          ) : (
            <Stack gap={0} component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
              {items.map((one, at) => (
                <Publication key={one.n} report={report} publication={one} isNewest={at === 0} onClose={onClose} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </SideDrawer>
  )
}

interface PublicationProps extends HistoryDrawerProps {
  publication: ReportPublication
  isNewest: boolean
}

function Publication({ report, publication, isNewest, onClose }: PublicationProps) {
  const format = useFormat()
  const [restoring, setRestoring] = useState(false)
  const { n, note, publishedAt, publishedByName } = publication
  const restore = async (): Promise<void> => {
    setRestoring(true)
    try {
      await restorePublication({ id: report.id, version: report.version, n })
      notifications.show({ message: `Publication ${n} is the draft now. Publish it when ready.` })
      onClose()
    } catch (error) {
      notifyError(error)
    } finally {
      setRestoring(false)
    }
  }
  const ask = (): void =>
    report.changed
      ? confirmAction({
          title: `Restore publication ${n}?`,
          message: 'It replaces the current draft. Readers see it once you publish.',
          confirm: 'Restore',
          onConfirm: restore,
        })
      : void restore()
  return (
    <Group
      component="li"
      justify="space-between"
      align="flex-start"
      wrap="nowrap"
      py="sm"
      style={{ borderBottom: '1px solid var(--line)' }}
    >
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            Publication {n}
          </Text>
          {isNewest && <NeutralBadge>Current</NeutralBadge>}
        </Group>
        <MutedText size="xs">
          {format.dateTime(publishedAt)}, {publishedByName}
        </MutedText>
        {note !== '' && (
          <Text size="sm" mt={4}>
            {note}
          </Text>
        )}
      </div>
      {(!isNewest || report.changed) && (
        <Button size="xs" variant="default" loading={restoring} onClick={ask}>
          Restore
        </Button>
      )}
    </Group>
  )
}
