import { Hono } from 'hono'
import { addDatasets, createSource } from './create'
import { createComputed, removeComputed, updateComputed } from './computed'
import { createLoad, datasetOf, datasetVersions, describeDataset, previewDataset } from './datasets'
import { rejectsCsv } from './rejects'
import { cancelRun, getRun, listRuns, retryRun, rollback } from './runs'
import { getSource, listSources, removeSource, renameSource, restoreSource } from './sources'
import type { Writing } from './sources'
import type { Reading } from './store'
import { viewDataset } from './views'
import { asking } from '../../http/asking'
import { attachment } from '../../http/attachment'
import { membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, requireGate, within } from '../../http/guard'
import { body, noBody, pathId, query } from '../../http/validate'
import { computedColumnSchema, removeComputedSchema } from '../../shared/computed'
import type { FileColumn } from '../../shared/files'
import { TABLES_BODY_MAX_BYTES } from '../../shared/limits'
import {
  addDatasetsSchema,
  createLoadSchema,
  createSourceSchema,
  listRunsSchema,
  listSourcesSchema,
  removeSourceSchema,
  rollbackSchema,
  updateDatasetSchema,
  updateSourceSchema,
} from '../../shared/sources'

const readingOf = (c: AppContext): Reading => ({
  scope: scopeOf(c),
  max: membershipOf(c).entitlements.features.dataSources,
})
const writing = (c: AppContext, status: number): Writing => ({ ...asking(c, status), ...readingOf(c) })

/** Amounts in the currencies of their rows are a matter of the plan. */
function allowPairs(c: AppContext, tables: readonly { columns: readonly FileColumn[] }[]): void {
  if (tables.some(({ columns }) => columns.some(({ currencyIndex }) => currencyIndex !== undefined)))
    requireGate(c, 'multiCurrency')
}

export const dataSources = new Hono<AppEnv>()
  .get('/', may('view:source'), query(listSourcesSchema), async (c) =>
    c.json(await listSources(c.get('deps'), readingOf(c), c.req.valid('query')), 200),
  )
  .post(
    '/',
    may('create:source'),
    within('dataSources'),
    body(createSourceSchema, TABLES_BODY_MAX_BYTES),
    async (c) => {
      const made = { ...writing(c, 201), input: c.req.valid('json') }
      allowPairs(c, made.input.tables)
      return c.json(await createSource(c.get('deps'), made), 201)
    },
  )
  .get('/:id', may('view:source'), async (c) =>
    c.json(await getSource(c.get('deps'), readingOf(c), pathId('source', c.req.param('id'))), 200),
  )
  .put('/:id', may('edit:source'), body(updateSourceSchema), async (c) => {
    const change = { ...writing(c, 200), id: pathId('source', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await renameSource(c.get('deps'), change), 200)
  })
  .delete('/:id', may('delete:source'), query(removeSourceSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    const ask = { ...writing(c, 200), id: pathId('source', c.req.param('id')), version, force: force === '1' }
    return c.json(await removeSource(c.get('deps'), ask), 200)
  })
  .post('/:id/restore', may('delete:source'), within('dataSources'), noBody(), async (c) => {
    const ask = { ...writing(c, 200), id: pathId('source', c.req.param('id')) }
    return c.json(await restoreSource(c.get('deps'), ask), 200)
  })
  .post('/:id/datasets', may('create:source'), body(addDatasetsSchema, TABLES_BODY_MAX_BYTES), async (c) => {
    const made = { ...writing(c, 201), id: pathId('source', c.req.param('id')), input: c.req.valid('json') }
    allowPairs(c, made.input.tables)
    return c.json(await addDatasets(c.get('deps'), made), 201)
  })
  .get('/:id/runs', may('view:source'), query(listRunsSchema), async (c) => {
    const ask = { ...readingOf(c), ...c.req.valid('query'), sourceId: pathId('source', c.req.param('id')) }
    return c.json(await listRuns(c.get('deps'), ask), 200)
  })

export const datasets = new Hono<AppEnv>()
  .get('/:id', may('view:source'), async (c) =>
    c.json(viewDataset(await datasetOf(c.get('deps'), readingOf(c), pathId('dataset', c.req.param('id')))), 200),
  )
  .put('/:id', may('edit:source'), body(updateDatasetSchema), async (c) => {
    const { multiCurrency } = membershipOf(c).entitlements.features
    const change = {
      ...writing(c, 200),
      id: pathId('dataset', c.req.param('id')),
      input: c.req.valid('json'),
      multiCurrency,
    }
    return c.json(await describeDataset(c.get('deps'), change), 200)
  })
  .get('/:id/preview', may('view:data'), async (c) => {
    const ask = { ...readingOf(c), id: pathId('dataset', c.req.param('id')), membership: membershipOf(c) }
    return c.json(await previewDataset(c.get('deps'), ask), 200)
  })
  .get('/:id/versions', may('view:source'), async (c) =>
    c.json(await datasetVersions(c.get('deps'), readingOf(c), pathId('dataset', c.req.param('id'))), 200),
  )
  .post('/:id/rollback', may('edit:source'), body(rollbackSchema), async (c) => {
    const ask = { ...writing(c, 200), datasetId: pathId('dataset', c.req.param('id')), ...c.req.valid('json') }
    return c.json(await rollback(c.get('deps'), ask), 200)
  })
  .post('/:id/computed', may('edit:source'), body(computedColumnSchema), async (c) => {
    const ask = { ...writing(c, 201), id: pathId('dataset', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await createComputed(c.get('deps'), ask), 201)
  })
  .put('/:id/computed/:key', may('edit:source'), body(computedColumnSchema), async (c) => {
    const at = { id: pathId('dataset', c.req.param('id')), key: c.req.param('key') }
    const ask = { ...writing(c, 200), ...at, input: c.req.valid('json') }
    return c.json(await updateComputed(c.get('deps'), ask), 200)
  })
  .delete('/:id/computed/:key', may('edit:source'), query(removeComputedSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    const at = { id: pathId('dataset', c.req.param('id')), key: c.req.param('key') }
    const ask = { ...writing(c, 200), ...at, version, force: force === '1' }
    return c.json(await removeComputed(c.get('deps'), ask), 200)
  })
  .post('/:id/loads', may('edit:source'), body(createLoadSchema), async (c) => {
    const ask = { ...writing(c, 201), id: pathId('dataset', c.req.param('id')), input: c.req.valid('json') }
    allowPairs(c, [ask.input])
    return c.json(await createLoad(c.get('deps'), ask), 201)
  })

export const runs = new Hono<AppEnv>()
  .get('/:id', may('view:source'), async (c) =>
    c.json(await getRun(c.get('deps'), readingOf(c), pathId('run', c.req.param('id'))), 200),
  )
  .post('/:id/cancel', may('edit:source'), noBody(), async (c) => {
    const ask = { ...writing(c, 200), id: pathId('run', c.req.param('id')) }
    return c.json(await cancelRun(c.get('deps'), ask), 200)
  })
  .post('/:id/retry', may('edit:source'), noBody(), async (c) => {
    const ask = { ...writing(c, 201), id: pathId('run', c.req.param('id')) }
    return c.json(await retryRun(c.get('deps'), ask), 201)
  })

/** Downloads: no JSON, so outside `/api`; the workspace comes as `?w=`. */
export const runFiles = new Hono<AppEnv>().get('/:id/rejects', may('view:data'), async (c) => {
  const id = pathId('run', c.req.param('id'))
  const rows = await rejectsCsv(c.get('deps'), scopeOf(c), id)
  return c.body(rows, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': attachment('rejected-rows.csv'),
    'Cache-Control': 'private, no-store',
  })
})
