import { Button, Group, Progress, Text } from '@mantine/core'
import { useFormat } from '../../../lib/format'
import { formatApproximateCount, type Formatter } from '../../../../src/shared/figures/formatter'
import { estimateTotalRows, readShare } from '../load-status'
import { useCancelRun } from '../queries'
import type { SyncRun } from '../../../../src/shared/data-sources/data-sources'
import { useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'

/** "412 000 of about 1,0 M rows". */
export function describeLoadProgress(run: SyncRun, format: Formatter): string {
  const expected = estimateTotalRows(run)
  if (run.state === 'queued') return 'Waiting to start…'
  if (run.rowsRead > 0 && expected === null) return `${formatApproximateCount(format, run.rowsRead)} rows so far`
  if (expected === null) return 'Reading file…'
  return `${formatApproximateCount(format, run.rowsRead)} of about ${formatApproximateCount(format, expected)} rows`
}

/** A load under way: counts, bar and the way out. It goes on when the page is left. */
export function LoadProgress({ run }: { run: SyncRun }) {
  const format = useFormat()
  const cancel = useCancelRun()
  const mayStop = useMayCancelLoad()
  return (
    <section className="surface" style={{ padding: 16 }} aria-label="Import in progress">
      <Group justify="space-between" gap="sm" mb="xs">
        <Text fw={600} className="figure" role="status">
          {describeLoadProgress(run, format)}
        </Text>
        {mayStop && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(run.id)}>
            Cancel import
          </Button>
        )}
      </Group>
      <Progress value={100 * readShare(run)} aria-label="Import progress" animated />
      <Text size="sm" c="dimmed" mt="xs">
        {run.fileName} · {run.bytesRead > 0 && `${format.bytes(run.bytesRead)} of `}
        {format.bytes(run.bytesTotal)}
        {run.rowsRejected > 0 && ` · ${format.count(run.rowsRejected)} rejected so far`} · You can leave this page
      </Text>
    </section>
  )
}

/** Whether the person may stop a load that is under way: of a frozen source, too; not while nothing may be changed. */
export function useMayCancelLoad(): boolean {
  const may = useMay('edit:source')
  const writable = useSession().workspace?.entitlements.readOnly === null
  return may && writable
}
