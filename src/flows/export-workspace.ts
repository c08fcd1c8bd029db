import { makeZip } from 'client-zip'
import { Hono } from 'hono'
import { curationRecords } from './export-workspace-care'
import type { ExportedGrouping } from './export-workspace-care'
import { workspaceRecords } from './export-workspace-facts'
import type { OriginalFile, ExportedSource } from './export-workspace-facts'
import { forecastRecords } from './export-workspace-forecasts'
import { uniqueFileNames, archiveReadme } from './export-workspace-names'
import { datasetCsv } from './export-workspace-rows'
import type { DatasetCsvRequest } from './export-workspace-rows'
import { monitoringRecords } from './export-workspace-watch'
import { calendarOf } from '../access/calendar'
import type { Scope } from '../access/scope'
import { auditStatement } from '../db/commit'
import type { Deps } from '../deps'
import { getWorkspace } from '../features/workspaces/service'
import { attachmentHeader } from '../http/attachment'
import { actorOf, membershipOf, scopeOf } from '../http/context'
import type { AppEnv } from '../http/context'
import { may } from '../http/guard'
import { enforceRateLimits } from '../http/rate-limit'
import { csvLine } from '../shared/csv-line'
import { ProductError } from '../shared/errors'
import { groupingCsvRows } from '../shared/grouping-csv'
import type { CatalogueDataset } from '../warehouse/contract'

/** Pages of rows between two looks at the person's rights. */
const PAGES_PER_ACCESS_CHECK = 10

/** `/files/workspace/export`: everything in the workspace as one archive, written while it is read. */
export const workspaceExport = new Hono<AppEnv>().get('/export', may('export:workspace'), async (c) => {
  const [deps, scope, { name: by }] = [c.get('deps'), scopeOf(c), actorOf(c)]
  await enforceRateLimits(c, [{ rate: 'exportWorkspace', key: scope.workspaceId }])
  const now = deps.clock.now()
  const asked = { workspaceId: scope.workspaceId, actorId: scope.actorId, action: 'workspace.export' }
  const entry = { ...asked, entity: 'workspace', entityId: scope.workspaceId }
  const calendar = calendarOf(membershipOf(c), deps.clock)
  const whole = await contentsOf({ deps, scope, by })
  await (await auditStatement(deps, { ...entry, country: c.req.header('cf-ipcountry') ?? null }, now)).run()
  const ask = { deps, scope, calendar, stillAllowed: throttledAccessCheck(deps, scope) }
  c.header('Content-Type', 'application/zip')
  c.header('Content-Disposition', attachmentHeader(`${whole.workspace.name} ${calendar.today}.zip`))
  c.header('X-Content-Type-Options', 'nosniff')
  return c.body(makeZip(archiveEntries(ask, whole, now)), 200)
})

/** Throws once the person may not have it any more; asks the database at the first call and every few after it. */
function throttledAccessCheck(deps: Deps, scope: Scope): () => Promise<void> {
  let calls = 0
  return async () => {
    if (calls++ % PAGES_PER_ACCESS_CHECK !== 0) return
    await assertStillAllowed(deps, scope)
  }
}

async function assertStillAllowed(deps: Deps, scope: Scope): Promise<void> {
  if (!(await workspaceRecords(deps.db, scope).isStillAdmin(scope.wire().epoch))) throw new ProductError('not_found')
}

interface ExportedTable {
  dataset: CatalogueDataset
  source: string
  path: string
}
type ExportContents = Awaited<ReturnType<typeof contentsOf>>

/** Everything but rows and files, read before anything is sent: what fails here is an answer that says so. */
async function contentsOf({ deps, scope, by }: { deps: Deps; scope: Scope; by: string }) {
  const facts = workspaceRecords(deps.db, scope)
  const warehouse = deps.warehouse(scope)
  const care = curationRecords(deps.db, scope)
  const [categories, groupings, metrics] = await Promise.all([care.categories(), care.groupings(), care.metrics()])
  const watch = monitoringRecords(deps.db, scope)
  const ahead = forecastRecords(deps.db, scope)
  const [alerts, findings] = await Promise.all([watch.alerts(), watch.findings()])
  const [rates, accounts, yours] = await Promise.all([watch.rates(), watch.accounts(), watch.yours()])
  const forecasts = await ahead.forecasts()
  const [workspace, people, subscription, insights, sources, kept, stored, relations] = await Promise.all([
    getWorkspace(deps, scope),
    facts.people(),
    facts.subscription(),
    facts.insights(),
    facts.sources(),
    facts.originals(),
    warehouse.datasets(),
    warehouse.relations({}),
  ])
  const nameOf = uniqueFileNames()
  const tables = tablesOf(sources, stored, nameOf)
  const originals = kept.map((original) => ({ ...original, path: originalPath(original, nameOf) }))
  const said = { categories, metrics, alerts, forecasts, findings, rates, accounts, yours }
  const grouped = groupings.map((grouping) => ({ ...grouping, periods: periodFiles(grouping, nameOf) }))
  const whole = { by, workspace, people, subscription, insights, sources, relations, tables, originals }
  return { ...whole, ...said, groupings: grouped, care, watch, ahead }
}

function tablesOf(
  sources: ExportedSource[],
  stored: CatalogueDataset[],
  nameOf: ReturnType<typeof uniqueFileNames>,
): ExportedTable[] {
  const byId = new Map(stored.map((dataset) => [dataset.id, dataset]))
  return sources.flatMap(({ name: source, datasets }) =>
    datasets.flatMap(({ id, name }) => {
      const dataset = byId.get(id)
      // A dataset that never came to hold rows is known by its source only.
      return dataset ? [{ dataset, source, path: nameOf('data', `${source} - ${name}`, '.csv') }] : []
    }),
  )
}

/** The periods of a grouping, each with the file that can be read in again. */
const periodFiles = ({ name, periods }: ExportedGrouping, nameOf: ReturnType<typeof uniqueFileNames>) =>
  periods.map((era) => ({
    ...era,
    file: nameOf('groupings', era.from === null ? name : `${name} from ${era.from}`, '.csv'),
  }))

const TEXT_FILE = /\.(csv|tsv|tab|txt)$/i

function originalPath(
  { key, fileName, sourceName, datasetName, startedAt }: OriginalFile,
  nameOf: ReturnType<typeof uniqueFileNames>,
): string {
  const day = new Date(startedAt).toISOString().slice(0, 10)
  // Tables taken out of another file lie below it in the store.
  const isTable = key.split('/').length > 2
  const named = isTable && !TEXT_FILE.test(fileName) ? `${fileName} - ${datasetName}.csv` : fileName
  const [, stem = named, extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(named) ?? []
  return nameOf('originals', `${sourceName} - ${day} ${stem}`, extension)
}

const asJson = (name: string, value: unknown) => ({ name, input: `${JSON.stringify(value, null, 2)}\n` })

async function* archiveEntries(ask: DatasetCsvRequest & { deps: Deps }, exportContents: ExportContents, now: number) {
  const { workspace, people, subscription, sources, tables, originals, by } = exportContents
  const listed = tables.map(({ dataset, source, path }) => {
    return { path, source, dataset: dataset.name, rows: dataset.rowCount }
  })
  const at = new Date(now).toISOString()
  yield { name: 'README.txt', input: archiveReadme({ workspace: workspace.name, by, at, tables: listed, originals }) }
  const { id, logo: _path, version: _count, ...settings } = workspace
  yield asJson('workspace.json', { id, exportedAt: at, settings, ...people, subscription })
  yield asJson(
    'sources.json',
    sources.map((source) => describeSource(source, tables)),
  )
  yield asJson('relations.json', exportContents.relations)
  yield asJson('insights.json', exportContents.insights)
  yield asJson('metrics.json', exportContents.metrics)
  yield asJson('groupings.json', exportContents.groupings)
  yield asJson('categories.json', exportContents.categories)
  yield { name: 'notes.json', input: exportContents.care.notes() }
  yield { name: 'insight-versions.json', input: exportContents.care.versions() }
  yield asJson('findings.json', exportContents.findings)
  yield { name: 'targets.json', input: exportContents.watch.targets() }
  yield asJson('alerts.json', exportContents.alerts)
  yield { name: 'alert-log.csv', input: exportContents.watch.alertLog() }
  yield asJson('forecasts.json', exportContents.forecasts)
  yield { name: 'forecast-runs.csv', input: exportContents.ahead.runs() }
  yield asJson('rates.json', exportContents.rates)
  yield asJson('accounts.json', exportContents.accounts)
  yield asJson('yours.json', exportContents.yours)
  for (const { periods } of exportContents.groupings)
    for (const { file, ...era } of periods)
      yield { name: file, input: `\ufeff${[...groupingCsvRows(era)].map(csvLine).join('')}` }
  for (const { dataset, path } of tables) {
    await assertStillAllowed(ask.deps, ask.scope)
    yield { name: path, input: datasetCsv(ask, dataset) }
  }
  for (const { key, path } of originals) {
    await assertStillAllowed(ask.deps, ask.scope)
    const object = await ask.deps.files.get(key)
    if (object) yield { name: path, input: object.body, size: object.size }
  }
}

function describeSource({ datasets, ...source }: ExportedSource, tables: ExportedTable[]) {
  const whole = datasets.map(({ id, name }) => {
    const table = tables.find(({ dataset }) => dataset.id === id)
    if (!table) return { id, name, file: null }
    const { rowCount, loadedAt, columns, keyColumns } = table.dataset
    const loaded = loadedAt === null ? null : new Date(loadedAt).toISOString()
    return { id, name, file: table.path, rowCount, loadedAt: loaded, keyColumns, columns }
  })
  return { ...source, datasets: whole }
}
