import { QueryStatus } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import { Group, SegmentedControl, Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { IconPlus } from '@tabler/icons-react'
import { DIGEST_CADENCES } from '../../../src/shared/digest'
import { notifyError } from '../../ui/notify-error'
import { SectionCard } from '../../ui/section-card'
import { digestQuery, useSaveDigest, alertsQuery, alertableInsightsQuery } from './queries'
import type { Alert } from '../../../src/shared/alerts'
import { useMayWrite } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'
import { AlertDialog } from './alert-dialog'
import { AlertListItem } from './alert-list-item'
import classes from './alerts.module.css'
import { MutedText } from '../../ui/muted-text'

const CADENCE_LABELS = { off: 'Off', daily: 'Daily', weekly: 'Weekly' } as const
const CADENCE_SAVED_MESSAGES = {
  off: 'Digest turned off',
  daily: 'Daily digest turned on',
  weekly: 'Weekly digest turned on',
} as const

export function DigestCard() {
  const setting = useQuery(digestQuery())
  const save = useSaveDigest()
  if (!setting.data) return null
  const { cadence, following } = setting.data
  return (
    <SectionCard title="Email digest" description="The briefing and insights you follow, every morning or week.">
      <Group gap="md">
        <SegmentedControl
          aria-label="Digest frequency"
          value={save.variables ?? cadence}
          disabled={save.isPending}
          data={DIGEST_CADENCES.map((value) => ({ value, label: CADENCE_LABELS[value] }))}
          onChange={(chosen) => {
            save.mutate(chosen, {
              onSuccess: () => notifications.show({ color: 'green', message: CADENCE_SAVED_MESSAGES[chosen] }),
              onError: notifyError,
              onSettled: () => save.reset(),
            })
          }}
        />
        {following > 0 && (
          <MutedText>{`You follow ${following === 1 ? '1 insight' : `${following} insights`}.`}</MutedText>
        )}
      </Group>
    </SectionCard>
  )
}

/** Open ones first. */
const ALERT_STATE_RANK: Record<Alert['state'], number> = { open: 0, acknowledged: 1, ok: 2 }
const byUrgency = (a: Alert, b: Alert): number =>
  Number(b.active) - Number(a.active) ||
  ALERT_STATE_RANK[a.state] - ALERT_STATE_RANK[b.state] ||
  a.name.localeCompare(b.name)

/** `more`: what else a member hears of by mail. */
export function AlertsScreen({ more }: { more?: ReactNode }) {
  const alerts = useInfiniteQuery(alertsQuery())
  const may = useMayWrite('edit:alert')
  const [isCreating, dialog] = useDisclosure(false)
  const items = alerts.data?.pages.flatMap((page) => page.items) ?? []
  const newAlertButton = may && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      New alert
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Alerts"
        description="Checked after every import and when a period ends."
        actions={items.length > 0 ? newAlertButton : undefined}
      />
      <Stack gap="lg">
        <QueryStatus query={alerts} skeleton={<TableSkeleton count={4} />} />
        {alerts.data && items.length === 0 && <AlertsEmptyState action={newAlertButton} />}
        {items.length > 0 && (
          <ul className={`surface ${classes.list}`} aria-label="Alerts">
            {items.toSorted(byUrgency).map((alert) => (
              <AlertListItem key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
        <ShowMore query={alerts} />
        <DigestCard />
        {more}
      </Stack>
      {isCreating && <AlertDialog alert={null} onClose={dialog.close} />}
    </>
  )
}

function AlertsEmptyState({ action }: { action: ReactNode }) {
  const subjects = useQuery(alertableInsightsQuery())
  const none = subjects.data?.length === 0
  return (
    <EmptyState
      picture="insights"
      title="No alerts yet"
      sentence={none ? 'Create an insight first.' : 'Get an email when a metric crosses a threshold.'}
      action={none ? <LinkButton to="/insights">Go to insights</LinkButton> : action || undefined}
    />
  )
}
