import type { UploadInspection } from '../../../src/shared/data-sources/inspection'
import type { FileColumn, OpenedUpload, PreviewCell, Upload, UploadTable } from '../../../src/shared/data-sources/files'
import type { Column, DataSource, Dataset, SyncRun } from '../../../src/shared/data-sources/data-sources'

/** Made-up things of this room, for tests. */
export const fileColumn = (index: number, over: Partial<FileColumn> = {}): FileColumn => ({
  index,
  label: `Column ${index}`,
  type: 'text',
  role: 'dimension',
  format: { style: 'plain' },
  include: true,
  ...over,
})

export const column = (key: Column['key'], over: Partial<Column> = {}): Column => ({
  key,
  label: key,
  type: 'text',
  role: 'dimension',
  format: { style: 'plain' },
  hidden: false,
  fileIndex: Number(key.slice(1)),
  ...over,
})

export const upload: Upload = {
  id: 'upl_00000000000000000001',
  fileName: 'fakturor.csv',
  size: 120,
  partBytes: 100,
  partCount: 2,
  received: [],
  state: 'receiving',
  expiresAt: '2026-12-01T00:00:00.000Z',
}

export const uploadTable = (over: Partial<UploadTable> = {}): UploadTable => ({
  uploadId: upload.id,
  name: 'fakturor',
  kind: 'csv',
  rowCount: 1234,
  columnCount: 3,
  optional: false,
  warnings: [],
  ...over,
})

export const opened = (...tables: UploadTable[]): OpenedUpload => ({
  kind: tables[0]?.kind ?? 'csv',
  tables: tables.length === 0 ? [uploadTable()] : tables,
  warnings: [],
})

/** A Swedish file of three columns with one cell that is no number. */
export const inspection = (over: Partial<UploadInspection> = {}): UploadInspection => ({
  kind: 'csv',
  settings: {
    encoding: 'windows-1252',
    delimiter: ';',
    quote: '"',
    escape: '"',
    header: true,
    skipLines: 0,
    decimalMark: ',',
    dateOrder: 'dmy',
  },
  columns: [
    fileColumn(0, { label: 'Kund' }),
    fileColumn(1, { label: 'Datum', type: 'date', role: 'time' }),
    fileColumn(2, { label: 'Belopp', type: 'number', role: 'measure', scale: 2 }),
  ],
  preview: [
    ['Ek AB', '03.04.2026', '1 234,50'],
    ['Ås & Co', '24.12.2025', 'n/a'],
    ...Array.from({ length: 8 }, () => ['Öst', '01.02.2026', '12,50']),
  ],
  typedPreview: [
    ['Ek AB', '2026-04-03', '1234.50'],
    ['Ås & Co', '2025-12-24', { bad: 'n/a' }],
    ...Array.from({ length: 8 }, (): PreviewCell[] => ['Öst', '2026-02-01', '12.50']),
  ],
  rows: { count: 1234, exact: true },
  warnings: [],
  cleaning: {
    ...{ steps: [], effects: [], columns: [['Kund', 'Datum', 'Belopp']], problem: null },
    ...{ rowsRead: 1234, exact: true, before: [], suggestions: [] },
  },
  shape: '0'.repeat(64),
  remembered: null,
  ...over,
})

export const run = (over: Partial<SyncRun> = {}): SyncRun => ({
  id: 'run_00000000000000000001',
  sourceId: 'src_00000000000000000001',
  datasetId: 'ds_00000000000000000001',
  actorId: 'usr_00000000000000000001',
  trigger: 'upload',
  mode: 'create',
  fileName: 'fakturor.csv',
  state: 'succeeded',
  startedAt: '2026-11-20T10:00:00.000Z',
  finishedAt: '2026-11-20T10:00:04.000Z',
  rowsRead: 1234,
  rowsWritten: 1230,
  rowsRejected: 4,
  rowsDuplicate: 0,
  rowsUpdated: 0,
  restoredVersion: null,
  bytesRead: 1000,
  bytesTotal: 1000,
  error: null,
  ...over,
})

export const dataset = (over: Partial<Dataset> = {}): Dataset => ({
  id: 'ds_00000000000000000001',
  sourceId: 'src_00000000000000000001',
  name: 'Fakturor',
  rowCount: 1230,
  bytes: 1000,
  dataVersion: 1,
  columns: [
    column('c0', { label: 'Kund' }),
    column('c1', { label: 'Datum', type: 'date', role: 'time' }),
    column('c2', { label: 'Belopp', type: 'number', role: 'measure', scale: 2 }),
  ],
  keyColumns: [],
  cleaning: [],
  rowsRejected: 0,
  rowsDuplicate: 0,
  loadedAt: '2026-11-20T10:00:04.000Z',
  version: 3,
  ...over,
})

/** `lastRun` alone is also the last load of the one dataset. */
export const source = (over: Partial<DataSource> = {}): DataSource => ({
  id: 'src_00000000000000000001',
  name: 'Fakturor',
  type: 'file',
  state: 'ready',
  sample: false,
  frozen: false,
  ownerId: 'usr_anna',
  version: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  deletedAt: null,
  connection: null,
  lastRun: run(),
  lastRuns: over.lastRun === null ? [] : [over.lastRun ?? run()],
  datasets: [dataset()],
  ...over,
})
