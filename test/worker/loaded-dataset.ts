import { env } from 'cloudflare:test'
import { systemIds } from '../../src/deps'
import { Scope } from '../../src/scope'
import type { Column } from '../../src/shared/data-sources/data-sources'
import { openSegmentWriter } from '../../src/warehouse/segment-writer'
import { warehouseClientFactory } from '../../src/warehouse/stub'
import { batchesOf } from '../row-batches'
import { column } from './warehouse-rows'
import type { StorageValue } from '../../src/lib/storage-value'

const COLUMNS: Column[] = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
]

/** A dataset with a text and an amount (in hundredths), loaded through the warehouse; answers its id. */
export async function loadedDataset(
  workspaceId: string,
  rows: StorageValue[][],
  columns: Column[] = COLUMNS,
  datasetName = 'Orders',
): Promise<string> {
  const scope = Scope.forJob({ workspaceId, userId: systemIds.next('user'), epoch: '1.1' })
  const warehouse = warehouseClientFactory(env.WAREHOUSE)(scope)
  const [datasetId, runId] = [systemIds.next('dataset'), systemIds.next('run')]
  const { fence } = await warehouse.beginLoad({
    runId,
    datasetId,
    sourceId: systemIds.next('source'),
    datasetName,
    mode: 'create',
    columns,
    keyColumns: [],
    contentHash: systemIds.token(32),
    fileName: 'orders.csv',
    objectKey: 'orders',
  })
  const writer = await openSegmentWriter(warehouse, { runId, fence, segment: 0 })
  for (const batch of batchesOf(columns, rows)) await writer.stage([batch])
  await warehouse.finishLoad({ runId, fence })
  return datasetId
}
