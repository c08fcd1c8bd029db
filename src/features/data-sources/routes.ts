import { Hono } from 'hono'
import { addDatasets, createSource, getSource, listSources, removeSource, renameSource, restoreSource } from './sources'
import type { SourceWriteContext } from './sources'
import { getCleaning, reopenFile } from './cleaning'
import { createCalculatedColumn, removeCalculatedColumn, updateCalculatedColumn } from './calculated-columns'
import { createLoad, requireDataset, listDatasetVersions, updateDataset, previewDataset } from './datasets'
import { rejectedRowsCsv, cancelRun, getRun, listRuns, retryRun, rollback } from './runs'
import type { StoreContext } from './store'
import { toDataset } from './views'
import { withVisibleCounts } from './visible-counts'
import { withCalendar } from '../../semantic/calendar'
import { contextOf } from '../../http/request-context'
import type { ListPage } from '../../shared/field-schemas'
import { writeContext } from '../../http/idempotency'
import { attachmentHeader } from '../../http/download'
import { membershipOf, scopeOf, type AppContext, type AppEnv } from '../../http/context'
import { may, requireGate, within } from '../../http/guard'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import { calculatedColumnSchema, removeCalculatedColumnSchema } from '../../shared/data-sources/calculated-columns'
import type { FileColumn } from '../../shared/data-sources/files'
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
  type DataSource,
} from '../../shared/data-sources/data-sources'

const storeContextOf = (c: AppContext): StoreContext => ({
  scope: scopeOf(c),
  max: membershipOf(c).entitlements.features.dataSources,
})
const writeContextOf = (c: AppContext, status: number): SourceWriteContext => ({
  ...writeContext(c, status),
  ...storeContextOf(c),
})

/** Amounts in the currencies of their rows are a matter of the plan. */
function requireMultiCurrency(c: AppContext, tables: readonly { columns: readonly FileColumn[] }[]): void {
  if (tables.some(({ columns }) => columns.some(({ currencyIndex }) => currencyIndex !== undefined)))
    requireGate(c, 'multiCurrency')
}

/** A source as who asks may see it. */
const shownSource = async (c: AppContext, source: DataSource): Promise<DataSource> => ({
  ...source,
  datasets: await withVisibleCounts(withCalendar(contextOf(c)), source.datasets),
})
const shownSources = async (c: AppContext, page: ListPage<DataSource>): Promise<ListPage<DataSource>> => ({
  ...page,
  items: await Promise.all(page.items.map((source) => shownSource(c, source))),
})

export const dataSources = new Hono<AppEnv>()
  .get('/', may('view:source'), queryString(listSourcesSchema), async (c) =>
    c.json(await shownSources(c, await listSources(c.get('deps'), storeContextOf(c), c.req.valid('query'))), 200),
  )
  .post(
    '/',
    may('create:source'),
    within('dataSources'),
    jsonBody(createSourceSchema, TABLES_BODY_MAX_BYTES),
    async (c) => {
      const command = { ...writeContextOf(c, 201), input: c.req.valid('json') }
      requireMultiCurrency(c, command.input.tables)
      return c.json(await createSource(c.get('deps'), command), 201)
    },
  )
  .get('/:id', may('view:source'), async (c) =>
    c.json(
      await shownSource(c, await getSource(c.get('deps'), storeContextOf(c), pathId('source', c.req.param('id')))),
      200,
    ),
  )
  .put('/:id', may('edit:source'), jsonBody(updateSourceSchema), async (c) => {
    const change = { ...writeContextOf(c, 200), id: pathId('source', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await renameSource(c.get('deps'), change), 200)
  })
  .delete('/:id', may('delete:source'), queryString(removeSourceSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    const command = {
      ...writeContextOf(c, 200),
      id: pathId('source', c.req.param('id')),
      version,
      force: force === '1',
    }
    return c.json(await removeSource(c.get('deps'), command), 200)
  })
  .post('/:id/restore', may('delete:source'), within('dataSources'), noBody(), async (c) => {
    const command = { ...writeContextOf(c, 200), id: pathId('source', c.req.param('id')) }
    return c.json(await restoreSource(c.get('deps'), command), 200)
  })
  .post('/:id/datasets', may('create:source'), jsonBody(addDatasetsSchema, TABLES_BODY_MAX_BYTES), async (c) => {
    const command = { ...writeContextOf(c, 201), id: pathId('source', c.req.param('id')), input: c.req.valid('json') }
    requireMultiCurrency(c, command.input.tables)
    return c.json(await addDatasets(c.get('deps'), command), 201)
  })
  .get('/:id/runs', may('view:source'), queryString(listRunsSchema), async (c) => {
    const options = { ...storeContextOf(c), ...c.req.valid('query'), sourceId: pathId('source', c.req.param('id')) }
    return c.json(await listRuns(c.get('deps'), options), 200)
  })

export const datasets = new Hono<AppEnv>()
  .get('/:id', may('view:source'), async (c) => {
    const row = await requireDataset(c.get('deps'), storeContextOf(c), pathId('dataset', c.req.param('id')))
    const [dataset] = await withVisibleCounts(withCalendar(contextOf(c)), [toDataset(row)])
    return c.json(dataset, 200)
  })
  .put('/:id', may('edit:source'), jsonBody(updateDatasetSchema), async (c) => {
    const { multiCurrency } = membershipOf(c).entitlements.features
    const change = {
      ...writeContextOf(c, 200),
      id: pathId('dataset', c.req.param('id')),
      input: c.req.valid('json'),
      multiCurrency,
    }
    return c.json(await updateDataset(c.get('deps'), change), 200)
  })
  .get('/:id/preview', may('view:data'), async (c) => {
    const options = { ...storeContextOf(c), id: pathId('dataset', c.req.param('id')), membership: membershipOf(c) }
    return c.json(await previewDataset(c.get('deps'), options), 200)
  })
  .get('/:id/versions', may('view:source'), async (c) =>
    c.json(await listDatasetVersions(c.get('deps'), storeContextOf(c), pathId('dataset', c.req.param('id'))), 200),
  )
  .get('/:id/cleaning', may('view:source'), async (c) => {
    const ask = { ...storeContextOf(c), id: pathId('dataset', c.req.param('id')) }
    return c.json(await getCleaning(c.get('deps'), ask), 200)
  })
  .post('/:id/reopen', may('edit:source'), noBody(), async (c) => {
    const command = { ...writeContextOf(c, 201), id: pathId('dataset', c.req.param('id')) }
    return c.json(await reopenFile(c.get('deps'), command), 201)
  })
  .post('/:id/rollback', may('edit:source'), jsonBody(rollbackSchema), async (c) => {
    const command = {
      ...writeContextOf(c, 200),
      datasetId: pathId('dataset', c.req.param('id')),
      ...c.req.valid('json'),
    }
    return c.json(await rollback(c.get('deps'), command), 200)
  })
  .post('/:id/computed', may('edit:source'), jsonBody(calculatedColumnSchema), async (c) => {
    const command = { ...writeContextOf(c, 201), id: pathId('dataset', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await createCalculatedColumn(c.get('deps'), command), 201)
  })
  .put('/:id/computed/:key', may('edit:source'), jsonBody(calculatedColumnSchema), async (c) => {
    const at = { id: pathId('dataset', c.req.param('id')), key: c.req.param('key') }
    const command = { ...writeContextOf(c, 200), ...at, input: c.req.valid('json') }
    return c.json(await updateCalculatedColumn(c.get('deps'), command), 200)
  })
  .delete('/:id/computed/:key', may('edit:source'), queryString(removeCalculatedColumnSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    const at = { id: pathId('dataset', c.req.param('id')), key: c.req.param('key') }
    const command = { ...writeContextOf(c, 200), ...at, version, force: force === '1' }
    return c.json(await removeCalculatedColumn(c.get('deps'), command), 200)
  })
  .post('/:id/loads', may('edit:source'), jsonBody(createLoadSchema), async (c) => {
    const command = { ...writeContextOf(c, 201), id: pathId('dataset', c.req.param('id')), input: c.req.valid('json') }
    requireMultiCurrency(c, [command.input])
    return c.json(await createLoad(c.get('deps'), command), 201)
  })

export const runs = new Hono<AppEnv>()
  .get('/:id', may('view:source'), async (c) =>
    c.json(await getRun(c.get('deps'), storeContextOf(c), pathId('run', c.req.param('id'))), 200),
  )
  .post('/:id/cancel', may('edit:source'), noBody(), async (c) => {
    const command = { ...writeContextOf(c, 200), id: pathId('run', c.req.param('id')) }
    return c.json(await cancelRun(c.get('deps'), command), 200)
  })
  .post('/:id/retry', may('edit:source'), noBody(), async (c) => {
    const command = { ...writeContextOf(c, 201), id: pathId('run', c.req.param('id')) }
    return c.json(await retryRun(c.get('deps'), command), 201)
  })

/** Downloads: no JSON, so outside `/api`; the workspace comes as `?w=`. */
export const runFiles = new Hono<AppEnv>().get('/:id/rejects', may('view:data'), async (c) => {
  const id = pathId('run', c.req.param('id'))
  const rows = await rejectedRowsCsv(c.get('deps'), scopeOf(c), id)
  return c.body(rows, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': attachmentHeader('rejected-rows.csv'),
    'Cache-Control': 'private, no-store',
  })
})
