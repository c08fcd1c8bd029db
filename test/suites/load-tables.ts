import { columnsForCreate } from '../../src/features/data-sources/model/columns'
import { systemIds } from '../../src/deps'
import { inspectCsv } from '../../src/formats/inference/inspect-csv'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { FileColumn } from '../../src/shared/data-sources/files'
import { START_POSITION, loadSegment, type LoadPosition } from '../../src/sync/load-segment'
import { openSegmentWriter } from '../../src/warehouse/segment-writer'
import type { WarehouseClient } from '../../src/warehouse/stub'

const HEAD_BYTES = 1024 * 1024

/** A file of a set, and how its columns are corrected before it is loaded. */
export interface TableFile {
  name: string
  bytes: Uint8Array
  /** Tables of one import have one source. */
  sourceId: string
  corrected?: (column: FileColumn, datasetName: string) => FileColumn
}
export interface LoadedTable {
  datasetName: string
  datasetId: string
  columns: Column[]
}

/** A file's name without its ending. */
const datasetNameOf = (fileName: string): string => fileName.replace(/\.[^.]*$/, '')

/** Loads a file as the product does: inspected, typed, staged, swapped in. */
export async function loadTable(warehouse: WarehouseClient, file: TableFile): Promise<LoadedTable> {
  const { bytes, sourceId, corrected = (column) => column } = file
  const datasetName = datasetNameOf(file.name)
  const { settings, columns: found } = inspectCsv({
    fileName: file.name,
    size: bytes.length,
    head: bytes.slice(0, HEAD_BYTES),
  })
  const plan = columnsForCreate({ columns: found.map((column) => corrected(column, datasetName)), keyColumns: [] })
  const [datasetId, runId] = [systemIds.next('dataset'), systemIds.next('run')]
  const { fence } = await warehouse.beginLoad({
    runId,
    datasetId,
    sourceId,
    datasetName,
    mode: 'create',
    columns: plan.columns,
    keyColumns: [],
    contentHash: systemIds.token(32),
    fileName: file.name,
    objectKey: file.name,
  })
  const request = { settings, ...plan, fileHash: '' }
  let at: LoadPosition = START_POSITION
  do {
    const writer = await openSegmentWriter(warehouse, { runId, fence, segment: at.segment })
    at = await loadSegment({
      request,
      size: bytes.length,
      from: at,
      read: (offset, length) => Promise.resolve(streamOf(bytes.slice(offset, offset + length))),
      stage: (batches) => writer.stage(batches),
      pause: () => Promise.resolve(),
    })
  } while (at.nextByte < bytes.length)
  const { columns } = await warehouse.finishLoad({ runId, fence })
  return { datasetName, datasetId, columns }
}

const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
