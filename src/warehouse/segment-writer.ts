import type { SegmentStart, StageBatch, StagedRows } from './contract'

type SegmentBatch = Pick<StageBatch, 'rows' | 'rowCount' | 'rejects' | 'rejectCount'>
interface StagingWarehouse {
  openSegment(at: SegmentStart): Promise<StagedRows>
  stage(batches: StageBatch[]): Promise<unknown>
}
interface SegmentWriter {
  stage(batches: readonly SegmentBatch[]): Promise<void>
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
    async stage(batches) {
      if (batches.length === 0) return
      let end = after
      const following = batches.map((batch): StageBatch => {
        const from = end
        end = { staged: from.staged + batch.rowCount, rejected: from.rejected + batch.rejectCount }
        return { ...lease, ...batch, after: from }
      })
      await warehouse.stage(following)
      after = end
    },
    staged: () => after,
  }
}
