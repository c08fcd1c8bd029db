import { makeZip } from 'client-zip'
import { Hono } from 'hono'
import { EXPORT_ENTRIES, type ExportedTable, type ExportSource } from './export-entries'
import { exportStore, type ExportedGrouping, type ExportedSource, type OriginalFile } from './export-store'
import { datasetCsv, type DatasetCsvRequest } from './dataset-csv'
import { calendarOf } from '../../semantic/calendar'
import { readMemberContext } from '../../identity/member-context-store'
import { hasFullAccess, type Scope } from '../../scope'
import { auditStatement } from '../../db/commit'
import type { Deps } from '../../deps'
import { getWorkspace } from '../../features/workspaces/service'
import { attachmentHeader } from '../../http/download'
import { actorOf, membershipOf, scopeOf, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { readObject } from '../../lib/compressed-object'
import { toIso } from '../../lib/iso'
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

interface ReadmeContents {
  workspace: string
  by: string
  /** ISO instant. */
  at: string
  tables: { path: string; source: string; dataset: string; rows: string }[]
  originals: { path: string }[]
}

/** What is what, for whoever opens the archive years later. */
const archiveReadme = ({ workspace, by, at, tables, originals }: ReadmeContents): string =>
  [
    `Workspace export: ${workspace}`,
    `Exported by ${by} at ${at}.`,
    '',
    'workspace.json  Settings, members, groups, invitations and the subscription.',
    'sources.json    Data sources with their tables, columns and the file of each table below.',
    'relations.json  Relationships between tables.',
    'connections.json  Sources that are read from elsewhere, without their credentials.',
    'syncs.json  Every sync of the last 180 days.',
    'insights.json   Insights: names, queries and charts. Tables have the ids of sources.json.',
    'metrics.json    Metrics: formulas, filters and formats.',
    'groupings.json  Groupings by period. Each period is also a CSV file in groupings/, ready to import again.',
    'categories.json Insight categories.',
    'notes.json      Notes and comments on insights.',
    'insight-versions.json  Saved versions of insights, the newest 100 of each.',
    'findings.json   Findings, and which you pinned, hid or rated.',
    'targets.json    Targets by period.',
    'alerts.json     Alerts and who is notified. alert-log.csv lists their events, the oldest first.',
    'forecasts.json  Forecasts and scenarios. forecast-runs.csv lists every run by period.',
    'reports.json    Reports: drafts and what is published. report-publications.json holds earlier publications.',
    'report-comments.json Comments on reports that you can read.',
    'report-schedules.json Schedules of reports: dates, formats and recipients.',
    'report-editions.json Editions: numbers, periods, fingerprints and who signed them. Open one to export its figures.',
    'report-links.json Share links, without their addresses: who made them, until when, and how often they were viewed.',
    'rates.json      Your own exchange rates, and the reporting currency.',
    'accounts.json   Account classification.',
    'data-access.json Rules for who sees which rows and columns.',
    'bot.json        Glossary and verified answers of the insight bot, and its settings.',
    'yours.json      Insights you follow, your bookmarks and subscriptions in reports, digest, briefing and early access.',
    '',
    'data/           Rows of every table as CSV: UTF-8, header row, commas, decimal points, ISO dates.',
    '                Text that looks like a formula begins with an apostrophe. Hidden columns are listed in sources.json',
    '                and not included here.',
    ...tables.map(({ path, source, dataset, rows }) => `  ${path}: ${dataset} of ${source}, ${rows}`),
    '',
    'originals/      Files of the latest imports, while they are kept. Tables from a workbook or archive are text;',
    '                the first value of each line is its line number there.',
    ...(originals.length === 0 ? ['  None'] : originals.map(({ path }) => `  ${path}`)),
    '',
    'Passwords, sign-ins and invitation links are never exported. Archive incomplete? Download it again.',
    '',
  ].join('\r\n')

/** `/files/workspace/export`: everything in the workspace as one archive, written while it is read. */
export const exportRoutes = new Hono<AppEnv>()
  .basePath('/files/workspace')
  .get('/export', may('export:workspace'), async (c) => {
    const [deps, scope, { name: by }] = [c.get('deps'), scopeOf(c), actorOf(c)]
    // Everything is for whoever may see everything: names in it are of all things.
    if (!hasFullAccess(scope))
      throw new ProductError('forbidden', { reason: 'dataAccess' }, 'You see only part of this data. Ask an admin.')
    await enforceRateLimits(c, [{ rate: 'exportWorkspace', key: scope.workspaceId }])
    const now = deps.clock.now()
    const asked = { workspaceId: scope.workspaceId, actorId: scope.actorId, action: 'workspace.export' }
    const entry = { ...asked, entity: 'workspace', entityId: scope.workspaceId }
    const calendar = calendarOf(membershipOf(c), deps.clock)
    const contents = await readContents({ deps, scope, at: toIso(now) })
    await (await auditStatement(deps, { ...entry, country: c.req.header('cf-ipcountry') ?? null }, now)).run()
    const request = { deps, scope, calendar, stillAllowed: () => assertStillAllowed(deps, scope) }
    c.header('Content-Type', 'application/zip')
    c.header('Content-Disposition', attachmentHeader(`${contents.source.workspace.name} ${calendar.today}.zip`))
    c.header('X-Content-Type-Options', 'nosniff')
    return c.body(makeZip(archiveEntries(request, contents, by)), 200)
  })

/** Throws once the person may not have it any more. */
async function assertStillAllowed(deps: Deps, scope: Scope): Promise<void> {
  const { workspaceId, actorId: userId } = scope
  const [isStillAdmin, member] = await Promise.all([
    exportStore(deps.db, scope).isStillAdmin(),
    readMemberContext(deps, { workspaceId, userId }),
  ])
  if (!isStillAdmin || !member || !hasFullAccess(member.scope)) throw new ProductError('not_found')
}

type ExportContents = Awaited<ReturnType<typeof readContents>>

/** Everything but rows, files and streams, read before anything is sent: what fails here is an answer that says so. */
async function readContents({ deps, scope, at }: Pick<ExportSource, 'deps' | 'scope' | 'at'>) {
  const store = exportStore(deps.db, scope)
  const [workspace, sources, kept, stored, groupings] = await Promise.all([
    getWorkspace(deps, scope),
    store.sources(),
    store.originals(),
    deps.warehouse(scope).datasets(),
    store.groupings(),
  ])
  const nameOf = uniqueFileNames()
  const tables = tablesOf(sources, stored, nameOf)
  const originals = kept.map((original) => ({ ...original, path: originalPath(original, nameOf) }))
  const namedGroupings = groupings.map((grouping) => ({ ...grouping, periods: periodFiles(grouping, nameOf) }))
  const source: ExportSource = { deps, scope, store, workspace, sources, tables, groupings: namedGroupings, at }
  const entries = await Promise.all(
    EXPORT_ENTRIES.map(async ({ file, content }) => ({
      name: file,
      input: content.kind === 'json' ? jsonFile(await content.read(source)) : content.stream(source),
    })),
  )
  return { source, originals, entries }
}

const jsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

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

async function* archiveEntries(request: DatasetCsvRequest & { deps: Deps }, contents: ExportContents, by: string) {
  const { source, originals, entries } = contents
  const { workspace, at, groupings } = source
  const tables = source.tables.map(({ dataset, source: from, path }) => {
    const rows = dataset.live ? 'queried live: its rows are in their database' : `${dataset.rowCount} rows`
    return { path, source: from, dataset: dataset.name, rows }
  })
  yield { name: 'README.txt', input: archiveReadme({ workspace: workspace.name, by, at, tables, originals }) }
  yield* entries
  for (const { file, ...period } of groupings.flatMap(({ periods }) => periods))
    yield { name: file, input: `\ufeff${[...groupingCsvRows(period)].map((cells) => csvLine(cells)).join('')}` }
  for (const { dataset, path } of source.tables) {
    await assertStillAllowed(request.deps, request.scope)
    yield { name: path, input: datasetCsv(request, dataset) }
  }
  for (const { key, path } of originals) {
    await assertStillAllowed(request.deps, request.scope)
    const object = await readObject(request.deps.files, key)
    if (object) yield { name: path, input: object.body, size: object.size }
  }
}
