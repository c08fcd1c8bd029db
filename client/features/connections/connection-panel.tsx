import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsentProblemAlert } from './consent-button'
import { CredentialsDialog } from './credentials-dialog'
import { PushSnippets, PushToken } from './push-snippets'
import {
  connectionQuery,
  syncsQuery,
  useRenewPushToken,
  useSetPaused,
  useSyncNow,
  useUpdateConnection,
} from './queries'
import { ScheduleField } from './schedule-field'
import { LIVE_WORDS, MODE_LABELS } from './stream-choices'
import { StreamsDialog } from './streams-dialog'
import { SyncLog } from './sync-log'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { useNow } from '../../lib/use-now'
import { FormError } from '../../ui/forms/form-error'
import { QueryError } from '../../ui/query-view'
import { SectionCard } from '../../ui/section-card'
import { TableSkeleton } from '../../ui/skeletons'
import { formatCountOf, formatRowCount } from '../../../src/shared/figures/formatter'
import type { ConnectionDetails, DriftNotice } from '../../../src/shared/data-sources/connections'

interface ConnectionPanelProps {
  sourceId: string
  /** Why its access was not renewed, as the address says. */
  problem?: string | undefined
}

/** What is said of a connected source on its page: what is wrong, how it is scheduled, its syncs. */
export function ConnectionPanel({ sourceId, problem }: ConnectionPanelProps) {
  const connection = useQuery(connectionQuery(sourceId))
  const { data, error } = connection
  if (!data) return error ? <QueryError query={connection} /> : <TableSkeleton count={3} />
  return (
    <Stack gap="md">
      <ConsentProblemAlert title={data.description.title} problem={problem} />
      <FailureAlert connection={data} />
      <SyncProgress sourceId={sourceId} isRunning={data.state === 'syncing' || data.state === 'connecting'} />
      <DriftNotices notices={data.notices} />
      {data.delivery === 'push' ? <PushSection connection={data} /> : <ScheduleSection connection={data} />}
      <SyncLog sourceId={sourceId} />
    </Stack>
  )
}

/** Why there are no newer rows, and the next step. */
function FailureAlert({ connection }: { connection: ConnectionDetails }) {
  const { sourceId, failure, failedSince, nextSyncAt, manualSyncAt } = connection
  const [isEditing, setIsEditing] = useState(false)
  const format = useFormat()
  const now = useNow()
  const may = useMayWrite('edit:source') && !connection.partial
  const sync = useSyncNow(sourceId)
  if (!failure) return null
  const waits = manualSyncAt !== null && Date.parse(manualSyncAt) > now
  const isCredential = failure.reason === 'auth' || failure.reason === 'credential'
  return (
    <Alert color="red" role="alert" title={failure.message.replace(/\.$/, '')}>
      <Stack gap="xs">
        <Text size="sm">
          {failure.mend} {failedSince !== null && `Failing since ${format.dateTime(failedSince)}.`}{' '}
          {nextSyncAt !== null && Date.parse(nextSyncAt) > now && `Next try ${format.dateTime(nextSyncAt)}.`}
        </Text>
        <FormError error={sync.error} />
        {may && (
          <Group gap="xs">
            {isCredential && (
              <Button size="xs" onClick={() => setIsEditing(true)}>
                Replace credentials
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              disabled={waits}
              title={waits ? `Available ${format.dateTime(manualSyncAt)}` : undefined}
              loading={sync.isPending}
              onClick={() => sync.mutate(false)}
            >
              Try again
            </Button>
            {failure.acceptable && (
              <Button size="xs" variant="default" loading={sync.isPending} onClick={() => sync.mutate(true)}>
                {failure.acceptable === 'empty' ? 'Accept empty table' : 'Accept change'}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      {isEditing && <CredentialsDialog connection={connection} onClose={() => setIsEditing(false)} />}
    </Alert>
  )
}

function SyncProgress({ sourceId, isRunning }: { sourceId: string; isRunning: boolean }) {
  const format = useFormat()
  const syncs = useQuery({ ...syncsQuery(sourceId), enabled: isRunning })
  const running = syncs.data?.items.find(({ state }) => state === 'running')
  if (!isRunning || !running) return null
  return (
    <Alert color="accent" role="status" title="Sync in progress">
      {formatRowCount(format, running.rowsRead)} read
    </Alert>
  )
}

const NOTICE_WORDS: Record<DriftNotice['kind'], string> = {
  added: 'New columns',
  gone: 'Columns no longer there',
  retyped: 'Columns of another type',
  tables: 'Tables no longer there, rows kept:',
}
const NOTICES_SHOWN = 5

/** What changed at the source, newest first. */
function DriftNotices({ notices }: { notices: DriftNotice[] }) {
  const format = useFormat()
  if (notices.length === 0) return null
  return (
    <SectionCard title="Changes at the source">
      <Stack gap={4}>
        {notices.slice(0, NOTICES_SHOWN).map(({ stream, kind, columns, at }) => (
          <Text key={`${at} ${stream} ${kind}`} size="sm">
            {format.dateTime(at)} · {stream}: {NOTICE_WORDS[kind].toLowerCase()} {columns.join(', ')}
          </Text>
        ))}
      </Stack>
    </SectionCard>
  )
}

function ScheduleSection({ connection }: { connection: ConnectionDetails }) {
  const { sourceId, paused, nextSyncAt, succeededAt, frequencyHours, planHours, manualSyncAt, state, streams } =
    connection
  const [editing, setEditing] = useState<'connection' | 'streams' | null>(null)
  const format = useFormat()
  const now = useNow()
  const may = useMayWrite('edit:source') && !connection.partial
  const [sync, pause, update] = [useSyncNow(sourceId), useSetPaused(sourceId), useUpdateConnection(sourceId)]
  const isRunning = state === 'syncing' || state === 'connecting'
  const waits = manualSyncAt !== null && Date.parse(manualSyncAt) > now
  const next = paused ? 'Paused' : nextSyncAt === null ? 'Not scheduled' : `Next sync ${format.dateTime(nextSyncAt)}`
  return (
    <SectionCard title="Schedule">
      <Text size="sm">
        {next}
        {succeededAt !== null && ` · last synced ${format.ago(succeededAt, now)}`}
      </Text>
      {streams.length > 0 && (
        <Text size="sm" c="dimmed">
          {formatCountOf(format, streams.length, 'stream')} ·{' '}
          {streams.map(({ label, mode }) => `${label}: ${MODE_LABELS[mode].toLowerCase()}`).join(' · ')}
        </Text>
      )}
      {streams.some(({ mode }) => mode === 'live') && (
        <Text size="sm" c="dimmed">
          {LIVE_WORDS}
        </Text>
      )}
      {may && (
        <>
          <FormError error={sync.error ?? pause.error ?? update.error} />
          <ScheduleField
            hours={Math.max(frequencyHours, planHours)}
            planHours={planHours}
            onChange={(hours) => update.mutate({ frequencyHours: hours })}
          />
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconRefresh size={18} aria-hidden />}
              disabled={isRunning || paused || waits}
              title={waits ? `Available ${format.dateTime(manualSyncAt)}` : undefined}
              loading={sync.isPending}
              onClick={() => sync.mutate(false)}
            >
              Sync now
            </Button>
            <Button
              variant="default"
              leftSection={
                paused ? <IconPlayerPlay size={18} aria-hidden /> : <IconPlayerPause size={18} aria-hidden />
              }
              loading={pause.isPending}
              onClick={() => pause.mutate(!paused)}
            >
              {paused ? 'Resume sync' : 'Pause sync'}
            </Button>
            <Button variant="default" onClick={() => setEditing('connection')}>
              Edit connection
            </Button>
            <Button variant="default" onClick={() => setEditing('streams')}>
              Edit selection
            </Button>
          </Group>
          {waits && !paused && (
            <Text size="sm" c="dimmed">
              Sync now is available from {format.dateTime(manualSyncAt)}.
            </Text>
          )}
        </>
      )}
      {editing === 'connection' && <CredentialsDialog connection={connection} onClose={() => setEditing(null)} />}
      {editing === 'streams' && <StreamsDialog connection={connection} onClose={() => setEditing(null)} />}
    </SectionCard>
  )
}

function PushSection({ connection }: { connection: ConnectionDetails }) {
  const { sourceId, settings } = connection
  const may = useMayWrite('edit:source') && !connection.partial
  const renew = useRenewPushToken(sourceId)
  const { data } = renew
  if (data) return <PushToken sourceId={sourceId} token={data.token} settings={settings} onDone={() => renew.reset()} />
  return (
    <SectionCard title="Send rows">
      <PushSnippets sourceId={sourceId} token={null} keyField={settings['key'] ?? 'id'} />
      <FormError error={renew.error} />
      {may && (
        <Group>
          <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
            Create new token
          </Button>
          <Text size="sm" c="dimmed">
            The current token stops working.
          </Text>
        </Group>
      )}
    </SectionCard>
  )
}
