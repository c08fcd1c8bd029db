import type { SegmentStart, StageBatch, StagedRows } from './contract'

type SegmentBatch = Pick<StageBatch, 'rows' | 'rowCount' | 'rejects' | 'rejectCount'>
interface StagingWarehouse {
  openSegment(at: SegmentStart): Promise<StagedRows>
  stage(batch: StageBatch): Promise<unknown>
}
interface SegmentWriter {
  stage(batch: SegmentBatch): Promise<void>
  /** What the load comes to behind the batches so far. */
  staged(): StagedRows
}

/**
 * Opens a segment of a load, and stages its batches in turn, each after those before it.
 * @param from what the segments before it came to; absent where that is not known
 */
export async function openSegmentWriter(
  warehouse: StagingWarehouse,
  { segment, from, ...lease }: { runId: string; fence: number; segment: number; from?: StagedRows | undefined },
): Promise<SegmentWriter> {
  let after = await warehouse.openSegment({ ...lease, segment, ...(from && { from }) })
  return {
    async stage(batch) {
      await warehouse.stage({ ...lease, ...batch, after })
      after = { staged: after.staged + batch.rowCount, rejected: after.rejected + batch.rejectCount }
    },
    staged: () => after,
  }
}
