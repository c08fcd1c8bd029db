import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useFormat } from '../../../lib/format'
import { formatCountOf } from '../../../../src/shared/figures/formatter'
import { FileQueue } from './file-queue'
import { ImportDropZone } from './drop-zone'
import { describeRolesWith } from '../../../../src/shared/permissions'
import { ImportReview, type ImportTarget } from '../import/import-review'
import { AddFilesButton } from '../import/import-tables'
import { SingleFileUpload } from './upload-progress'
import { isInProgress, openedFiles, type FileJob, type UploadQueue } from './upload-queue'
import { usePaste } from './paste'
import { useUploads } from './use-uploads'
import type { KeptFile } from './kept-uploads'
import { useRoleWithoutSeat, useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { EmptyState } from '../../../ui/empty-state'
import { LinkAnchor } from '../../../ui/buttons/links'
import { SOURCE_MAX_DATASETS } from '../../../../src/shared/limits'

export interface UploadPanelProps {
  /** The load has begun. Its progress and outcome stand on the page of this source. */
  onDone: (sourceId: string) => void
  target?: ImportTarget
  /** Below the drop zone, as long as nothing was dropped. */
  offer?: ReactNode
}

const NEW_SOURCE: ImportTarget = { kind: 'new' }

/** What files are for: those of one purpose are not taken for another. */
const targetKey = (target: ImportTarget): string =>
  target.kind === 'dataset'
    ? `${target.datasetId}${target.stored ? ' stored' : ''}`
    : target.kind === 'source'
      ? target.source.id
      : 'new'

interface KeptFilesOfferProps {
  files: readonly KeptFile[]
  onTake: () => void
  onDiscard: () => void
}

/** Files that were being reviewed when the page was reloaded: taken up again, or let go. */
function KeptFilesOffer({ files, onTake, onDiscard }: KeptFilesOfferProps) {
  return (
    <Alert color="accent" title="Continue import?" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 12rem' }}>
          {files.map(({ name }) => name).join(', ')}
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={onTake}>
            Continue import
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}

/** From files in the person's hand to loads that run, for those who may. */
export function UploadPanel({ onDone, target = NEW_SOURCE, offer = null }: UploadPanelProps) {
  const may = useMay(target.kind === 'dataset' ? 'edit:source' : 'create:source')
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  const heldBack = useRoleWithoutSeat() !== null
  if (!may)
    return (
      <EmptyState
        picture="locked"
        title="You can’t add files"
        sentence={heldBack ? 'Your plan has no seat for you.' : `Ask ${describeRolesWith('create:source')}.`}
        action={<LinkAnchor to="/data-sources">View data sources</LinkAnchor>}
      />
    )
  if (readOnly !== null)
    return (
      // Above every screen it is said why, and what can be done.
      <EmptyState picture="locked" title="Workspace is read-only" sentence="Existing data stays available." />
    )
  return <UploadFlow onDone={onDone} target={target} offer={offer} />
}

/** Sends files, shows how they were read, and lets them be corrected and loaded. */
function UploadFlow({ onDone, target, offer }: Required<UploadPanelProps>) {
  const { jobs, queue, kept, forgetKept } = useUploads(targetKey(target))
  const [skippedCount, setSkippedCount] = useState(0)
  useStoredFile(queue, target)
  const max = target.kind === 'dataset' ? 1 : SOURCE_MAX_DATASETS
  const files = openedFiles(jobs)
  const isReviewed = useIsReviewed(jobs)
  const [first] = jobs
  const add = useCallback(
    (more: File[]) => {
      // Files that all failed make room for what is chosen instead.
      if (queue.jobs().every(({ state }) => state.at === 'failed')) queue.removeAll()
      const room = max - queue.jobs().length
      setSkippedCount(Math.max(0, more.length - room))
      queue.add(more.slice(0, Math.max(0, room)))
    },
    [queue, max],
  )
  usePaste(add)
  const handleStarted = (sourceId: string) => {
    queue.finish()
    onDone(sourceId)
  }
  return (
    <Stack gap="md">
      {skippedCount > 0 && <TooManyFilesNotice left={skippedCount} max={max} />}
      {jobs.length > 1 && files.length < jobs.length && (
        <FileQueue jobs={jobs} onRemove={queue.remove} onRetry={queue.retry} />
      )}
      {jobs.length === 1 && first && <SingleFileUpload job={first} onRetry={queue.retry} onCancel={queue.removeAll} />}
      {kept.length > 0 && <KeptFilesOffer files={kept} onTake={() => queue.restore(kept)} onDiscard={forgetKept} />}
      {jobs.every(({ state }) => state.at === 'failed') && <ImportDropZone onFiles={add} target={target} />}
      {jobs.length === 0 && offer}
      {isReviewed && files.length > 0 && (
        <ImportReview
          files={files}
          target={target}
          waiting={jobs.some(isInProgress) ? 'Other files are still uploading.' : null}
          onStarted={handleStarted}
          onPickFile={queue.removeAll}
          back={
            <Group gap="xs">
              <Button variant="default" onClick={queue.removeAll}>
                {jobs.length > 1 ? 'Choose other files' : 'Choose another file'}
              </Button>
              {max > 1 && <AddFilesButton onFiles={add} />}
            </Group>
          }
        />
      )}
    </Stack>
  )
}

/** A file that the server has from an earlier import needs not be sent. */
function useStoredFile(queue: UploadQueue, target: ImportTarget): void {
  const stored = target.kind === 'dataset' ? target.stored : undefined
  useEffect(() => {
    if (!stored || queue.jobs().some(({ uploadId }) => uploadId === stored.uploadId)) return
    queue.finish()
    queue.restore([{ uploadId: stored.uploadId, name: stored.fileName, size: stored.size }])
  }, [queue, stored])
}

/**
 * Whether the files of a drop are looked at: once all of them have come, as the list above grows and goes until then. What is
 * added afterwards takes nobody's review away.
 */
function useIsReviewed(jobs: readonly FileJob[]): boolean {
  const [isReviewed, setIsReviewed] = useState(false)
  const next = jobs.length > 0 && (isReviewed || !jobs.some(isInProgress))
  if (next !== isReviewed) setIsReviewed(next)
  return next
}

function TooManyFilesNotice({ left, max }: { left: number; max: number }) {
  const format = useFormat()
  return (
    <Alert color="yellow" role="status">
      {max === 1
        ? 'Only one file at a time. The first was used.'
        : `Limit: ${format.count(max)} files per source. ${formatCountOf(format, left, 'file')} skipped.`}
    </Alert>
  )
}
