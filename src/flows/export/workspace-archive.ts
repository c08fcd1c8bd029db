import { makeZip } from 'client-zip'
import { Hono } from 'hono'
import { curationRecords } from './curation-records'
import type { ExportedGrouping } from './curation-records'
import { workspaceRecords } from './workspace-records'
import type { OriginalFile, ExportedSource } from './workspace-records'
import { forecastRecords } from './forecast-records'
import { datasetCsv } from './dataset-csv'
import type { DatasetCsvRequest } from './dataset-csv'
import { monitoringRecords } from './monitoring-records'
import { calendarOf } from '../../semantic/calendar'
import type { Scope } from '../../identity/scope'
import { auditStatement } from '../../db/commit'
import type { Deps } from '../../deps'
import { getWorkspace } from '../../features/workspaces/service'
import { attachmentHeader } from '../../http/download'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { csvLine } from '../../shared/csv-line'
import { ProductError } from '../../shared/errors'
import { groupingCsvRows } from '../../shared/groupings/csv'
import type { CatalogueDataset } from '../../warehouse/contract'

/** Names of the files in an export: what a file system allows, each once, whatever people called their things. */
export function uniqueFileNames(): (folder: string, name: string, extension: string) => string {
  const given = new Set<string>()
  return (folder, name, extension) => {
    const plain = safeFileName(name)
    for (let n = 1; ; n += 1) {
      const path = `${folder}/${plain}${n === 1 ? '' : ` (${n})`}${extension}`
      if (given.has(path.toLowerCase())) continue
      given.add(path.toLowerCase())
      return path
    }
  }
}

/** Reserved by Windows in any folder, with any extension. */
const RESERVED_NAMES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

function safeFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069<>:"/\\|?*]/g, '_')
    .slice(0, 100)
    .toWellFormed()
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return 'unnamed'
  return RESERVED_NAMES.test(plain) ? `_${plain}` : plain
}

export interface ReadmeContents {
  workspace: string
  by: string
  /** ISO instant. */
  at: string
  tables: { path: string; source: string; dataset: string; rows: number }[]
  originals: { path: string }[]
}

/** What is what, for whoever opens the archive years later. */
export const archiveReadme = ({ workspace, by, at, tables, originals }: ReadmeContents): string =>
  [
    `Everything in the workspace “${workspace}”`,
    `Exported by ${by} at ${at}.`,
    '',
    'workspace.json  Settings, members, groups, invitations and the subscription.',
    'sources.json    Data sources with their datasets, columns and the file of each dataset below.',
    'relations.json  How datasets belong together.',
    'insights.json   Insights: names, questions and charts. Datasets are named by their id, as in sources.json.',
    'metrics.json    Figures that have names here: formulas, filters and how they are shown.',
    'groupings.json  Values put together under names, by period. Each period is also a file in groupings/, as the product',
    '                writes and reads it.',
    'categories.json Where insights are put together.',
    'notes.json      Notes and comments of people on insights.',
    'insight-versions.json  What each insight was every time it was saved: the newest hundred.',
    'findings.json   What was found in figures, and what you pinned, hid or rated of it.',
    'targets.json    Targets of figures, by period.',
    'alerts.json     What is watched, and who is told. alert-log.csv is what happened to each, the oldest first.',
    'forecasts.json  What is forecast and how, with scenarios. forecast-runs.csv is what every run said of each period.',
    'rates.json      Rates between currencies that were set here, and the currency that figures are shown in.',
    'accounts.json   What the accounts of ledgers mean.',
    'yours.json      Which insights you follow, and how often you hear of them. What others follow is theirs.',
    '',
    'data/           The rows of every dataset as CSV: UTF-8, commas, a line of headings, decimal points, ISO dates.',
    '                Text that a spreadsheet could take for a formula begins with an apostrophe. Columns that were hidden',
    '                are named in sources.json and left out here.',
    ...tables.map(({ path, source, dataset, rows }) => `  ${path}: ${dataset} of ${source}, ${rows} rows`),
    '',
    'originals/      Files that the newest loads were made from, while they are kept. A table taken out of a workbook or',
    '                an archive is here as text; the first value of each of its lines is the line it had there.',
    ...(originals.length === 0 ? ['  None are kept.'] : originals.map(({ path }) => `  ${path}`)),
    '',
    'Passwords, sign-ins and links of invitations are in no export. If this archive cannot be opened to its end, the',
    'download broke off: ask for it again.',
    '',
  ].join('\r\n')

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

async function* archiveEntries(ask: DatasetCsvRequest & { deps: Deps }, contents: ExportContents, now: number) {
  const { workspace, people, subscription, sources, tables, originals, by } = contents
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
  yield asJson('relations.json', contents.relations)
  yield asJson('insights.json', contents.insights)
  yield asJson('metrics.json', contents.metrics)
  yield asJson('groupings.json', contents.groupings)
  yield asJson('categories.json', contents.categories)
  yield { name: 'notes.json', input: contents.care.notes() }
  yield { name: 'insight-versions.json', input: contents.care.versions() }
  yield asJson('findings.json', contents.findings)
  yield { name: 'targets.json', input: contents.watch.targets() }
  yield asJson('alerts.json', contents.alerts)
  yield { name: 'alert-log.csv', input: contents.watch.alertLog() }
  yield asJson('forecasts.json', contents.forecasts)
  yield { name: 'forecast-runs.csv', input: contents.ahead.runs() }
  yield asJson('rates.json', contents.rates)
  yield asJson('accounts.json', contents.accounts)
  yield asJson('yours.json', contents.yours)
  for (const { periods } of contents.groupings)
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
