import { MutedText } from '../../../ui/muted-text'
import { QueryError } from '../../../ui/query-view'
import { Text, Title, Badge, Button, Group, Skeleton, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InsightVersion, PlanDescription, Insight } from '../../../../src/shared/insights'
import { CHART_DISPLAY, DIRECTION_OPTIONS } from '../builder/chart-picker'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { ErrorState } from '../../../ui/error-state'
import { ChartSkeleton } from '../../../ui/skeletons'
import { ResultView } from '../view/result-view'
import { hasValues } from '../../../ui/chart/has-values'
import { useQueryResult } from '../use-query-result'
import { useFormat } from '../../../lib/format'
import { useMayWrite } from '../../../lib/gate'
import { FormError } from '../../../ui/forms/form-error'
import { restoreVersion, versionsQuery } from './queries'
import classes from './curation.module.css'
import { SideDrawer } from '../../../ui/dialog'

export interface VersionDifference {
  label: string
  before: string
  after: string
}
const PLAN_PARTS: { key: keyof PlanDescription; label: string }[] = [
  { key: 'measures', label: 'Measures' },
  { key: 'splits', label: 'Break down by' },
  { key: 'period', label: 'Period' },
  { key: 'filters', label: 'Filters' },
  { key: 'rest', label: 'Order and limits' },
]
const NOTHING_TEXT = 'None'

/** What one version says otherwise than another, in words. Empty when nothing that can be told differs. */
export function versionDifferences(before: InsightVersion, after: InsightVersion): VersionDifference[] {
  const describeViz = ({ viz }: InsightVersion): string =>
    `${CHART_DISPLAY[viz.chart].label}, good is ${(DIRECTION_OPTIONS.find(({ value }) => value === viz.direction)?.label ?? '').toLowerCase()}`
  const plain: VersionDifference[] = [
    { label: 'Name', before: before.name, after: after.name },
    { label: 'Description', before: before.description, after: after.description },
    { label: 'Chart', before: describeViz(before), after: describeViz(after) },
  ]
  const parts = PLAN_PARTS.map(({ key, label }): VersionDifference => {
    return { label, before: before.parts?.[key] ?? '', after: after.parts?.[key] ?? '' }
  })
  const changedFields = [...plain, ...(before.parts && after.parts ? parts : [])].filter(
    (one) => one.before !== one.after,
  )
  const shown = changedFields.map((one) => ({
    ...one,
    before: one.before || NOTHING_TEXT,
    after: one.after || NOTHING_TEXT,
  }))
  const isPlanChanged = JSON.stringify(before.plan) !== JSON.stringify(after.plan)
  if (!isPlanChanged || changedFields.some(({ label }) => PLAN_PARTS.some((part) => part.label === label))) return shown
  return [...shown, { label: 'Query', before: 'Earlier', after: 'Current' }]
}

function VersionPreview({ version }: { version: InsightVersion }) {
  const format = useCellFormatter()
  const { result, error, refetch } = useQueryResult(version.plan)
  return (
    <section aria-label={`Version ${version.version}`}>
      <Title order={2} size="h3">
        {version.name}
      </Title>
      {version.description !== '' && <MutedText>{version.description}</MutedText>}
      {error && !result && <ErrorState error={error} onRetry={refetch} />}
      {!result && !error && <ChartSkeleton height={240} />}
      {result && (
        <>
          <Text size="sm" mb="sm">
            {result.words}
          </Text>
          {hasValues(result) ? (
            <ResultView
              plan={version.plan}
              result={result}
              viz={version.viz}
              format={format}
              title={version.name}
              height={240}
            />
          ) : (
            <MutedText>No rows match now.</MutedText>
          )}
        </>
      )}
    </section>
  )
}

/** Every version that is kept: who saved it, when, what it changed; to look at, and to bring back. */
export function VersionHistoryDrawer({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const versions = useQuery(versionsQuery(insight.id))
  const [openVersion, setOpenVersion] = useState<number | null>(null)
  const [newest] = versions.data ?? []
  const old = versions.data?.find(({ version }) => version === openVersion)
  return (
    <SideDrawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      title={`History of “${insight.name}”`}
    >
      {versions.isPending && <Skeleton height={160} role="status" aria-label="Loading" />}
      {versions.error && !versions.data && <QueryError query={versions} />}
      {versions.data && !(old && newest) && <VersionList versions={versions.data} onSee={setOpenVersion} />}
      {old && newest && (
        <VersionDetails
          insight={insight}
          old={old}
          newest={newest}
          onBack={() => setOpenVersion(null)}
          onRestored={onClose}
        />
      )}
    </SideDrawer>
  )
}

function VersionList({ versions, onSee: onOpen }: { versions: InsightVersion[]; onSee: (version: number) => void }) {
  return (
    <Stack gap="md">
      <MutedText>The latest 100 versions are kept. Restoring one saves it as a new version.</MutedText>
      <ol className={classes.versions}>
        {versions.map((version, at) => (
          <VersionItem
            key={version.version}
            version={version}
            newest={at === 0}
            onOpen={onOpen}
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
            {newest && <Badge size="sm">Current</Badge>}
          </Group>
          <MutedText size="xs">
            Version {version.version}, saved by {version.savedByName}
            {version.restoredFrom !== null && `, restored from version ${version.restoredFrom}`}
          </MutedText>
        </div>
        {!newest && (
          <Button size="xs" variant="default" onClick={() => onOpen(version.version)}>
            View<span className={classes.hidden}> version {version.version}</span>
          </Button>
        )}
      </Group>
      <ul className={classes.changes}>
        {before === null && <li>{version.version === 1 ? 'Created' : 'Oldest kept version'}</li>}
        {before !== null && changed.length === 0 && <li>No changes</li>}
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
      notifications.show({ message: `Version ${old.version} restored` })
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
            Restore version
          </Button>
        )}
      </Group>
      <MutedText>
        Version {old.version}, saved by {old.savedByName}, {format.dateTime(old.savedAt)}. Shown with current data.
      </MutedText>
      {insight.verified && JSON.stringify(old.plan) !== JSON.stringify(newest.plan) && mayEdit && (
        <Text size="sm">Restoring this version removes the verification.</Text>
      )}
      <FormError error={restoring.error} />
      <VersionPreview version={old} />
    </Stack>
  )
}
