import { IconButton } from '../../../ui/buttons/icon-button'
import { Button, Loader, Progress, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconClock, IconX } from '@tabler/icons-react'
import { useFormat } from '../../../lib/format'
import { formatCountOf, type Formatter } from '../../../../src/shared/figures/formatter'
import { describeSourceError } from '../source-error-notice'
import classes from '../progress-list.module.css'
import type { FileJob, FileState } from './upload-queue'

export interface FileQueueProps {
  jobs: readonly FileJob[]
  onRemove: (key: number) => void
  onRetry: (key: number) => void
}

/** Every file of the drop with how far it is, and its own way out. One that fails stops no other. */
export function FileQueue({ jobs, onRemove, onRetry }: FileQueueProps) {
  return (
    <ul className={classes.queue} aria-label="Files">
      {jobs.map((job) => (
        <FileQueueItem key={job.key} job={job} onRemove={() => onRemove(job.key)} onRetry={() => onRetry(job.key)} />
      ))}
    </ul>
  )
}

function FileQueueItem({ job, onRemove, onRetry }: { job: FileJob; onRemove: () => void; onRetry: () => void }) {
  const format = useFormat()
  const { file, state } = job
  const opened = state.at === 'opened'
  return (
    <li className={classes.line}>
      <FileStateIcon at={state.at} />
      <Stack gap={2} className={classes.words}>
        <Text size="sm" fw={550} truncate title={file.name}>
          {file.name}
        </Text>
        <FileStateText state={state} size={file.size} format={format} />
        {state.at === 'sending' && (
          <Progress size="xs" value={percentSent(state)} aria-label={`Uploading ${file.name}`} mt={2} />
        )}
      </Stack>
      {state.at === 'failed' && describeSourceError(state.error, format).next === 'retry' && (
        <Button size="xs" variant="default" onClick={onRetry} aria-label={`Try ${file.name} again`}>
          Try again
        </Button>
      )}
      <IconButton
        label={opened || state.at === 'failed' ? `Remove ${file.name}` : `Cancel ${file.name}`}
        icon={IconX}
        onClick={onRemove}
      />
    </li>
  )
}

const percentSent = ({ progress }: FileState & { at: 'sending' }): number =>
  progress.totalBytes === 0 ? 0 : (100 * progress.sentBytes) / progress.totalBytes

function FileStateIcon({ at }: { at: FileState['at'] }) {
  switch (at) {
    case 'waiting':
      return <IconClock size={18} color="var(--text-muted)" aria-hidden className={classes.sign} />
    case 'sending':
    case 'opening':
      return <Loader size={18} aria-hidden className={classes.sign} />
    case 'failed':
      return <IconAlertCircle size={18} color="var(--bad)" aria-hidden className={classes.sign} />
    case 'opened':
      return <IconCircleCheck size={18} color="var(--good)" aria-hidden className={classes.sign} />
  }
}

function FileStateText({ state, size, format }: { state: FileState; size: number; format: Formatter }) {
  if (state.at === 'failed') {
    const fault = describeSourceError(state.error, format)
    return (
      <Text size="sm" c="var(--bad)" role="alert">
        {fault.title}. <span className={classes.advice}>{fault.advice}</span>
      </Text>
    )
  }
  return (
    <Text size="xs" c="dimmed" role="status">
      {describeFileState(state, size, format)}
    </Text>
  )
}

function describeFileState(state: Exclude<FileState, { at: 'failed' }>, size: number, format: Formatter): string {
  switch (state.at) {
    case 'waiting':
      return `Waiting · ${format.bytes(size)}`
    case 'sending':
      return state.progress.waiting
        ? 'Connection lost. Retrying…'
        : `${format.bytes(state.progress.sentBytes)} of ${format.bytes(size)}`
    case 'opening':
      return 'Finding tables…'
    case 'opened':
      return `${formatCountOf(format, state.opened.tables.length, 'table')} · ${format.bytes(size)}`
  }
}
