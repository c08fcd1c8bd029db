import type { StageBatch, StagedRows } from './contract'

type SegmentBatch = Pick<StageBatch, 'rows' | 'rowCount' | 'rejects' | 'rejectCount'>
interface StagingWarehouse {
  openSegment(at: { runId: string; fence: number; segment: number }): Promise<StagedRows>
  stage(batch: StageBatch): Promise<unknown>
}

/** Opens a segment of a load; what it answers stages its batches in turn, each after those before it. */
export async function openSegmentWriter(
  warehouse: StagingWarehouse,
  { segment, ...lease }: { runId: string; fence: number; segment: number },
): Promise<(batch: SegmentBatch) => Promise<void>> {
  let after = await warehouse.openSegment({ ...lease, segment })
  return async (batch) => {
    await warehouse.stage({ ...lease, ...batch, after })
    after = { staged: after.staged + batch.rowCount, rejected: after.rejected + batch.rejectCount }
  }
}
