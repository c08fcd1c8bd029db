import { readObjectBytes } from '../../lib/compressed-object'
import { definedOnly } from '../../lib/defined'
import { sha256HexSync } from '../../lib/hash'
import { inInspectionTurn } from './inspection-turns'
import { requireUpload } from './service'
import type { UploadRow } from './store'
import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { importChoicesStore } from '../../sync/import-choices-store'
import type { FileSample } from '../../formats/contract'
import { inspectCsv } from '../../formats/inference/inspect-csv'
import { inspectTable } from '../../formats/inference/inspect-table'
import { inspectCleaned } from '../../formats/cleaning/inspect-cleaned'
import { ProductError } from '../../shared/errors'
import { shapeText, type RememberedImport } from '../../shared/data-sources/import-choices'
import type { InspectUploadInput, UploadInspection } from '../../shared/data-sources/inspection'
import { SAMPLED_WHOLE_MAX_BYTES, SAMPLE_WINDOW_BYTES } from '../../shared/limits'

/** What the file is and how it would be read: guessed from its bytes, or with the person's corrections and recipe. */
export async function inspectUpload(
  deps: Deps,
  scope: Scope,
  request: { id: string; input: InspectUploadInput },
): Promise<UploadInspection> {
  const upload = await requireUpload(deps, scope, request.id)
  if (upload.state !== 'complete') throw new ProductError('bad_request', {}, 'Finish the upload first.')
  const settings = definedOnly(request.input.settings ?? {})
  const { tableInfo } = upload
  return inInspectionTurn(deps, scope.workspaceId, async () => {
    const sample = await readSample(deps, upload)
    const table = tableInfo?.kind === 'csv' ? null : tableInfo
    const found = table ? inspectTable(sample, table, settings) : inspectCsv(sample, settings)
    const cleaned = inspectCleaned({ sample, found, table, steps: request.input.cleaning ?? [], given: settings })
    const shape = sha256HexSync(shapeText(found))
    return { ...cleaned, shape, remembered: await rememberedImport(deps, scope, { shape, ...request.input }) }
  })
}

/** What was decided when rows came into this dataset, or when a file of this shape was last imported. */
function rememberedImport(
  deps: Deps,
  scope: Scope,
  { shape, remember }: Pick<InspectUploadInput, 'remember'> & { shape: string },
): Promise<RememberedImport | null> {
  if (!remember) return Promise.resolve(null)
  const store = importChoicesStore(deps.db, scope)
  return remember.dataset === undefined ? store.ofShape(shape) : store.ofDataset(remember.dataset)
}

async function readSample(deps: Deps, upload: UploadRow): Promise<FileSample> {
  const { fileName, size, objectKey } = upload
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const bytes = await readObjectBytes(deps.files, objectKey, { offset, length })
    if (!bytes) throw new ProductError('not_found')
    return bytes
  }
  if (size <= SAMPLED_WHOLE_MAX_BYTES) return { fileName, size, head: await read(0, size) }
  const window = SAMPLE_WINDOW_BYTES
  // Even offsets keep two-byte encodings aligned.
  const middleAt = 2 * Math.floor((size - window) / 4)
  const tailAt = 2 * Math.floor((size - window) / 2)
  const [head, middle, tail] = await Promise.all([read(0, window), read(middleAt, window), read(tailAt, size - tailAt)])
  return { fileName, size, head, middle, tail }
}
