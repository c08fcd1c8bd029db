import { Badge, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InsightVersion } from '../../../src/shared/insight-care'
import type { Insight } from '../../../src/shared/insights'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { FormError } from '../../ui/form-error'
import { restoreVersion, versionsQuery } from './care-queries'
import classes from './history-drawer.module.css'
import { VersionPreview } from './old-version'
import { versionDifferences } from './version-difference'

/** Every version that is kept: who saved it, when, what it changed; to look at, and to bring back. */
export function VersionHistoryDrawer({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const versions = useQuery(versionsQuery(insight.id))
  const [openVersion, setOpenVersion] = useState<number | null>(null)
  const [newest] = versions.data ?? []
  const old = versions.data?.find(({ version }) => version === openVersion)
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
      {versions.data && !(old && newest) && <VersionList versions={versions.data} onSee={setOpenVersion} />}
      {old && newest && (
        <VersionDetails {...{ insight, old, newest }} onBack={() => setOpenVersion(null)} onRestored={onClose} />
      )}
    </Drawer>
  )
}

function VersionList({ versions, onSee: onOpen }: { versions: InsightVersion[]; onSee: (version: number) => void }) {
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Every saved version is kept, up to a hundred. Bringing one back saves it as the newest; nothing is lost.
      </Text>
      <ol className={classes.versions}>
        {versions.map((version, at) => (
          <VersionItem
            key={version.version}
            {...{ version, newest: at === 0, onOpen }}
            before={versions[at + 1] ?? null}
          />
        ))}
      </ol>
    </Stack>
  )
}

interface VersionItemProps {
  version: InsightVersion
  before: InsightVersion | null
  newest: boolean
  onOpen: (version: number) => void
}

function VersionItem({ version, before, newest, onOpen }: VersionItemProps) {
  const format = useFormat()
  const changed = before ? versionDifferences(before, version) : []
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
          <Button size="xs" variant="default" onClick={() => onOpen(version.version)}>
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

interface VersionDetailsProps {
  insight: Insight
  old: InsightVersion
  newest: InsightVersion
  onBack: () => void
  onRestored: () => void
}

function VersionDetails({ insight, old, newest, onBack, onRestored }: VersionDetailsProps) {
  const format = useFormat()
  const mayEdit = useMayWrite('edit:insight')
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
      <VersionPreview version={old} />
    </Stack>
  )
}
