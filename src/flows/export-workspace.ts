import { makeZip } from 'client-zip'
import { Hono } from 'hono'
import { exportCare } from './export-workspace-care'
import type { ExportedGrouping } from './export-workspace-care'
import { exportFacts } from './export-workspace-facts'
import type { Original, SourceFacts } from './export-workspace-facts'
import { exportForecasts } from './export-workspace-forecasts'
import { fileNames, readme } from './export-workspace-names'
import { datasetCsv } from './export-workspace-rows'
import type { RowsAsk } from './export-workspace-rows'
import { exportWatch } from './export-workspace-watch'
import { calendarOf } from '../access/calendar'
import type { Scope } from '../access/scope'
import { auditStatement } from '../db/commit'
import type { Deps } from '../deps'
import { currentWorkspace } from '../features/workspaces/service'
import { attachment } from '../http/attachment'
import { actorOf, membershipOf, scopeOf } from '../http/context'
import type { AppEnv } from '../http/context'
import { may } from '../http/guard'
import { takeTries } from '../http/rate-limit'
import { csvLine } from '../shared/csv-line'
import { ProductError } from '../shared/errors'
import { groupingLines } from '../shared/grouping-csv'
import type { CatalogueDataset } from '../warehouse/contract'

/** Pages of rows between two looks at the person's rights. */
const PAGES_PER_LOOK = 10

/** `/files/workspace/export`: everything in the workspace as one archive, written while it is read. */
export const workspaceExport = new Hono<AppEnv>().get('/export', may('export:workspace'), async (c) => {
  const [deps, scope, { name: by }] = [c.get('deps'), scopeOf(c), actorOf(c)]
  await takeTries(c, [{ rate: 'exportWorkspace', of: scope.workspaceId }])
  const now = deps.clock.now()
  const asked = { workspaceId: scope.workspaceId, actorId: scope.actorId, action: 'workspace.export' }
  const entry = { ...asked, entity: 'workspace', entityId: scope.workspaceId }
  const calendar = calendarOf(membershipOf(c), deps.clock)
  const whole = await contentsOf({ deps, scope, by })
  await (await auditStatement(deps, { ...entry, country: c.req.header('cf-ipcountry') ?? null }, now)).run()
  const ask = { deps, scope, calendar, stillAllowed: lookNowAndThen(deps, scope) }
  c.header('Content-Type', 'application/zip')
  c.header('Content-Disposition', attachment(`${whole.workspace.name} ${calendar.today}.zip`))
  c.header('X-Content-Type-Options', 'nosniff')
  return c.body(makeZip(entriesOf(ask, whole, now)), 200)
})

/** Throws once the person may not have it any more; asks the database at the first call and every few after it. */
function lookNowAndThen(deps: Deps, scope: Scope): () => Promise<void> {
  let calls = 0
  return async () => {
    if (calls++ % PAGES_PER_LOOK !== 0) return
    await refuseFallen(deps, scope)
  }
}

async function refuseFallen(deps: Deps, scope: Scope): Promise<void> {
  if (!(await exportFacts(deps.db, scope).isStanding(scope.wire().epoch))) throw new ProductError('not_found')
}

interface Table {
  dataset: CatalogueDataset
  source: string
  path: string
}
type Whole = Awaited<ReturnType<typeof contentsOf>>

/** Everything but rows and files, read before anything is sent: what fails here is an answer that says so. */
async function contentsOf({ deps, scope, by }: { deps: Deps; scope: Scope; by: string }) {
  const facts = exportFacts(deps.db, scope)
  const warehouse = deps.warehouse(scope)
  const care = exportCare(deps.db, scope)
  const [categories, groupings, metrics] = await Promise.all([care.categories(), care.groupings(), care.metrics()])
  const watch = exportWatch(deps.db, scope)
  const ahead = exportForecasts(deps.db, scope)
  const [alerts, findings] = await Promise.all([watch.alerts(), watch.findings()])
  const [rates, accounts, yours] = await Promise.all([watch.rates(), watch.accounts(), watch.yours()])
  const forecasts = await ahead.forecasts()
  const [workspace, people, subscription, insights, sources, kept, stored, relations] = await Promise.all([
    currentWorkspace(deps, scope),
    facts.people(),
    facts.subscription(),
    facts.insights(),
    facts.sources(),
    facts.originals(),
    warehouse.datasets(),
    warehouse.relations({}),
  ])
  const nameOf = fileNames()
  const tables = tablesOf(sources, stored, nameOf)
  const originals = kept.map((original) => ({ ...original, path: originalPath(original, nameOf) }))
  const said = { categories, metrics, alerts, forecasts, findings, rates, accounts, yours }
  const grouped = groupings.map((grouping) => ({ ...grouping, periods: filesOf(grouping, nameOf) }))
  const whole = { by, workspace, people, subscription, insights, sources, relations, tables, originals }
  return { ...whole, ...said, groupings: grouped, care, watch, ahead }
}

function tablesOf(sources: SourceFacts[], stored: CatalogueDataset[], nameOf: ReturnType<typeof fileNames>): Table[] {
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
const filesOf = ({ name, periods }: ExportedGrouping, nameOf: ReturnType<typeof fileNames>) =>
  periods.map((era) => ({
    ...era,
    file: nameOf('groupings', era.from === null ? name : `${name} from ${era.from}`, '.csv'),
  }))

const TEXT_FILE = /\.(csv|tsv|tab|txt)$/i

function originalPath(
  { key, fileName, sourceName, datasetName, startedAt }: Original,
  nameOf: ReturnType<typeof fileNames>,
): string {
  const day = new Date(startedAt).toISOString().slice(0, 10)
  // Tables taken out of another file lie below it in the store.
  const isTable = key.split('/').length > 2
  const named = isTable && !TEXT_FILE.test(fileName) ? `${fileName} - ${datasetName}.csv` : fileName
  const [, stem = named, extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(named) ?? []
  return nameOf('originals', `${sourceName} - ${day} ${stem}`, extension)
}

const asJson = (name: string, value: unknown) => ({ name, input: `${JSON.stringify(value, null, 2)}\n` })

async function* entriesOf(ask: RowsAsk & { deps: Deps }, whole: Whole, now: number) {
  const { workspace, people, subscription, sources, tables, originals, by } = whole
  const listed = tables.map(({ dataset, source, path }) => {
    return { path, source, dataset: dataset.name, rows: dataset.rowCount }
  })
  const at = new Date(now).toISOString()
  yield { name: 'README.txt', input: readme({ workspace: workspace.name, by, at, tables: listed, originals }) }
  const { id, logo: _path, version: _count, ...settings } = workspace
  yield asJson('workspace.json', { id, exportedAt: at, settings, ...people, subscription })
  yield asJson(
    'sources.json',
    sources.map((source) => described(source, tables)),
  )
  yield asJson('relations.json', whole.relations)
  yield asJson('insights.json', whole.insights)
  yield asJson('metrics.json', whole.metrics)
  yield asJson('groupings.json', whole.groupings)
  yield asJson('categories.json', whole.categories)
  yield { name: 'notes.json', input: whole.care.notes() }
  yield { name: 'insight-versions.json', input: whole.care.versions() }
  yield asJson('findings.json', whole.findings)
  yield { name: 'targets.json', input: whole.watch.targets() }
  yield asJson('alerts.json', whole.alerts)
  yield { name: 'alert-log.csv', input: whole.watch.alertLog() }
  yield asJson('forecasts.json', whole.forecasts)
  yield { name: 'forecast-runs.csv', input: whole.ahead.runs() }
  yield asJson('rates.json', whole.rates)
  yield asJson('accounts.json', whole.accounts)
  yield asJson('yours.json', whole.yours)
  for (const { periods } of whole.groupings)
    for (const { file, ...era } of periods)
      yield { name: file, input: `\ufeff${[...groupingLines(era)].map(csvLine).join('')}` }
  for (const { dataset, path } of tables) {
    await refuseFallen(ask.deps, ask.scope)
    yield { name: path, input: datasetCsv(ask, dataset) }
  }
  for (const { key, path } of originals) {
    await refuseFallen(ask.deps, ask.scope)
    const object = await ask.deps.files.get(key)
    if (object) yield { name: path, input: object.body, size: object.size }
  }
}

function described({ datasets, ...source }: SourceFacts, tables: Table[]) {
  const whole = datasets.map(({ id, name }) => {
    const table = tables.find(({ dataset }) => dataset.id === id)
    if (!table) return { id, name, file: null }
    const { rowCount, loadedAt, columns, keyColumns } = table.dataset
    const loaded = loadedAt === null ? null : new Date(loadedAt).toISOString()
    return { id, name, file: table.path, rowCount, loadedAt: loaded, keyColumns, columns }
  })
  return { ...source, datasets: whole }
}
