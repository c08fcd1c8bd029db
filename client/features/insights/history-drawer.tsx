import { Badge, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InsightVersion } from '../../../src/shared/insight-care'
import type { Insight } from '../../../src/shared/insights'
import { useFormat } from '../../lib/format'
import { useMayNow } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { FormError } from '../../ui/form-error'
import { restoreVersion, versionsQuery } from './care-queries'
import classes from './history-drawer.module.css'
import { OldVersion } from './old-version'
import { differences } from './version-difference'

/** Every version that is kept: who saved it, when, what it changed; to look at, and to bring back. */
export function HistoryDrawer({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const versions = useQuery(versionsQuery(insight.id))
  const [seen, setSeen] = useState<number | null>(null)
  const [newest] = versions.data ?? []
  const old = versions.data?.find(({ version }) => version === seen)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      title={`History of “${insight.name}”`}
    >
      {versions.isPending && <Skeleton height={160} role="status" aria-label="Loading" />}
      {versions.error && !versions.data && (
        <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
      )}
      {versions.data && !(old && newest) && <Versions versions={versions.data} onSee={setSeen} />}
      {old && newest && <Seen {...{ insight, old, newest }} onBack={() => setSeen(null)} onRestored={onClose} />}
    </Drawer>
  )
}

function Versions({ versions, onSee }: { versions: InsightVersion[]; onSee: (version: number) => void }) {
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Every saved version is kept, up to a hundred. Bringing one back saves it as the newest; nothing is lost.
      </Text>
      <ol className={classes.versions}>
        {versions.map((version, at) => (
          <Line key={version.version} {...{ version, newest: at === 0, onSee }} before={versions[at + 1] ?? null} />
        ))}
      </ol>
    </Stack>
  )
}

interface LineProps {
  version: InsightVersion
  before: InsightVersion | null
  newest: boolean
  onSee: (version: number) => void
}

function Line({ version, before, newest, onSee }: LineProps) {
  const format = useFormat()
  const changed = before ? differences(before, version) : []
  return (
    <li className={classes.version}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Group gap={8}>
            <Text size="sm" fw={600}>
              {format.dateTime(version.savedAt)}
            </Text>
            {newest && (
              <Badge size="sm" variant="light" tt="none">
                Now
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            Version {version.version}, saved by {version.savedByName}
            {version.restoredFrom !== null && `, brought back from version ${version.restoredFrom}`}
          </Text>
        </div>
        {!newest && (
          <Button size="xs" variant="default" onClick={() => onSee(version.version)}>
            View<span className={classes.hidden}> version {version.version}</span>
          </Button>
        )}
      </Group>
      <ul className={classes.changes}>
        {before === null && <li>{version.version === 1 ? 'Made' : 'The oldest version that is kept'}</li>}
        {before !== null && changed.length === 0 && <li>Saved without a change</li>}
        {changed.map(({ label, before: was, after }) => (
          <li key={label}>
            {label}: <del>{was}</del> → <ins>{after}</ins>
          </li>
        ))}
      </ul>
    </li>
  )
}

interface SeenProps {
  insight: Insight
  old: InsightVersion
  newest: InsightVersion
  onBack: () => void
  onRestored: () => void
}

function Seen({ insight, old, newest, onBack, onRestored }: SeenProps) {
  const format = useFormat()
  const mayEdit = useMayNow('edit:insight')
  const restoring = useMutation({
    mutationFn: () => restoreVersion(insight, old.version),
    onSuccess: () => {
      notifications.show({ message: `Version ${old.version} is the newest again.` })
      onRestored()
    },
  })
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Button variant="subtle" size="xs" onClick={onBack}>
          Back to all versions
        </Button>
        {mayEdit && (
          <Button size="xs" loading={restoring.isPending} onClick={() => restoring.mutate()}>
            Bring this version back
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        Version {old.version}, saved by {old.savedByName}, {format.dateTime(old.savedAt)}. Its question is asked of
        today’s data.
      </Text>
      {insight.verified && JSON.stringify(old.plan) !== JSON.stringify(newest.plan) && mayEdit && (
        <Text size="sm">Bringing it back ends the verification: it asks another question.</Text>
      )}
      <FormError error={restoring.error} />
      <OldVersion version={old} />
    </Stack>
  )
}
