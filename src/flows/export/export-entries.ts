import { readPolicy } from '../../identity/access/access-store'
import { readHeldValues } from '../../identity/access/people-store'
import type { ExportedGrouping, ExportedSource, exportStore } from './export-store'
import type { WorkspaceTable } from '../purge-store'
import type { Scope } from '../../scope'
import { readAccountClasses } from '../../semantic/account-class-store'
import type { Deps } from '../../deps'
import { currencyStore } from '../../features/currencies/store'
import { toIsoOrNull } from '../../lib/iso'
import { csvLine } from '../../shared/csv-line'
import { FORECAST_LEVELS, type ForecastPath } from '../../shared/forecasts/result'
import type { ValidityPeriod } from '../../shared/groupings/groupings'
import type { Workspace } from '../../shared/workspaces/workspaces'
import type { CatalogueDataset } from '../../warehouse/contract'

/** A dataset whose rows are exported, and the file that holds them. */
export interface ExportedTable {
  dataset: CatalogueDataset
  source: string
  path: string
}

/** What the files of an export are written from. */
export interface ExportSource {
  deps: Deps
  scope: Scope
  store: ReturnType<typeof exportStore>
  workspace: Workspace
  sources: ExportedSource[]
  tables: ExportedTable[]
  groupings: (ExportedGrouping & { periods: (ValidityPeriod & { file: string })[] })[]
  /** ISO instant. */
  at: string
}

/** One file of an export. */
export interface ExportEntry {
  file: string
  /** Tables of which it holds what there is to hold. */
  tables: WorkspaceTable[]
  content: JsonContent | StreamContent
}
/** Read before the first byte of the archive is sent. */
interface JsonContent {
  kind: 'json'
  read: (from: ExportSource) => unknown
}
/** Read while it is written: however much there is of it, a page at a time is held. */
interface StreamContent {
  kind: 'stream'
  stream: (from: ExportSource) => AsyncGenerator<Uint8Array>
}

type QueryName = Parameters<ExportSource['store']['rows']>[0]
type PagedQueryName = Parameters<ExportSource['store']['pages']>[0]

const json = (read: JsonContent['read']): JsonContent => ({ kind: 'json', read })
const rowsOf = (query: QueryName): JsonContent => json(({ store }) => store.rows(query))

const jsonStreamOf = (query: PagedQueryName): StreamContent => ({
  kind: 'stream',
  async *stream({ store }) {
    const encoder = new TextEncoder()
    let before = '['
    for await (const rows of store.exportedPages(query)) {
      const items = rows.map((row) => {
        const item = `${before}\n  ${JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')}`
        before = ','
        return item
      })
      yield encoder.encode(items.join(''))
    }
    yield encoder.encode(before === '[' ? '[]\n' : '\n]\n')
  },
})

const csvStreamOf = <T>(query: PagedQueryName, header: string[], linesOf: (row: T) => string[]): StreamContent => ({
  kind: 'stream',
  async *stream({ store }) {
    const encoder = new TextEncoder()
    yield encoder.encode(`\ufeff${csvLine(header)}`)
    for await (const rows of store.pages<T>(query)) yield encoder.encode(rows.flatMap(linesOf).join(''))
  },
})

interface AlertEventRow {
  at: number
  alert: string
  kind: string
  by: string | null
  label: string | null
  period: string | null
  value: number | null
}
interface ForecastRunRow {
  name: string
  number: number
  finished_at: number | null
  said: string
}

const alertEventLines = ({ at, alert, kind, by, label, period, value }: AlertEventRow): string[] => [
  csvLine([toIsoOrNull(at), alert, kind, by, label, period, value]),
]

function forecastRunLines({ name, number, finished_at: finishedAt, said }: ForecastRunRow): string[] {
  const { future, path }: { future: string[]; path: ForecastPath } = JSON.parse(said)
  return future.map((period, at) => {
    const bands = FORECAST_LEVELS.map((level) => path.bands[level])
    return csvLine([
      name,
      number,
      toIsoOrNull(finishedAt),
      period,
      path.mean[at] ?? null,
      ...bands.flatMap(({ lower, upper }) => [lower[at] ?? null, upper[at] ?? null]),
    ])
  })
}

/** The files of an export in the order of the archive, before those of rows and originals. */
export const EXPORT_ENTRIES: readonly ExportEntry[] = [
  {
    file: 'workspace.json',
    tables: ['invites', 'members', 'subscriptions', 'user_groups'],
    content: json(async ({ store, workspace: { id, logo: _path, version: _count, ...settings }, at }) => {
      const [members, groups, invitations, [subscription]] = await Promise.all([
        store.rows('members'),
        store.rows('groups'),
        store.rows('invitations'),
        store.rows('subscription'),
      ])
      return { id, exportedAt: at, settings, members, groups, invitations, subscription }
    }),
  },
  {
    file: 'sources.json',
    tables: ['data_sources', 'datasets'],
    content: json(({ sources, tables }) => sources.map((source) => describeSource(source, tables))),
  },
  { file: 'relations.json', tables: [], content: json(({ deps, scope }) => deps.warehouse(scope).relations({})) },
  { file: 'insights.json', tables: ['insights'], content: rowsOf('insights') },
  { file: 'metrics.json', tables: ['metrics'], content: rowsOf('metrics') },
  { file: 'groupings.json', tables: ['groupings'], content: json(({ groupings }) => groupings) },
  { file: 'categories.json', tables: ['categories'], content: rowsOf('categories') },
  { file: 'notes.json', tables: ['notes'], content: jsonStreamOf('notes') },
  { file: 'insight-versions.json', tables: ['insight_versions'], content: jsonStreamOf('insightVersions') },
  {
    file: 'findings.json',
    tables: ['finding_marks', 'findings'],
    content: json(async ({ store }) =>
      (await store.rows('findings')).map(({ pinnedAt, hiddenAt, rating, ...finding }) => ({
        ...finding,
        yours: { pinnedAt, hiddenAt, rating },
      })),
    ),
  },
  { file: 'targets.json', tables: ['targets'], content: jsonStreamOf('targets') },
  { file: 'alerts.json', tables: ['alerts'], content: rowsOf('alerts') },
  {
    file: 'alert-log.csv',
    tables: ['alert_events'],
    content: csvStreamOf('alertEvents', ['Time', 'Alert', 'Event', 'By', 'Of', 'Period', 'Value'], alertEventLines),
  },
  { file: 'forecasts.json', tables: ['forecasts'], content: rowsOf('forecasts') },
  { file: 'reports.json', tables: ['reports'], content: jsonStreamOf('reports') },
  { file: 'report-publications.json', tables: ['report_publications'], content: jsonStreamOf('reportPublications') },
  { file: 'report-comments.json', tables: ['report_comments'], content: jsonStreamOf('reportComments') },
  {
    file: 'report-editions.json',
    tables: ['report_editions', 'report_signatures'],
    content: jsonStreamOf('reportEditions'),
  },
  { file: 'report-links.json', tables: ['report_links'], content: jsonStreamOf('reportLinks') },
  {
    file: 'report-schedules.json',
    tables: ['report_schedules'],
    content: jsonStreamOf('reportSchedules'),
  },
  {
    file: 'connections.json',
    tables: ['connections', 'connection_streams', 'connection_tables'],
    content: rowsOf('connections'),
  },
  { file: 'syncs.json', tables: ['syncs'], content: jsonStreamOf('syncs') },
  {
    file: 'forecast-runs.csv',
    tables: ['forecast_runs'],
    content: csvStreamOf(
      'forecastRuns',
      [
        'Forecast',
        'Run',
        'Time',
        'Period',
        'Forecast value',
        ...FORECAST_LEVELS.flatMap((level) => [`${level} % interval low`, `${level} % interval high`]),
      ],
      forecastRunLines,
    ),
  },
  {
    file: 'rates.json',
    tables: ['currency_settings', 'own_rates'],
    content: json(async ({ deps, scope }) => {
      const store = currencyStore(deps.db, scope)
      const [{ code, mode }, own] = await Promise.all([store.settings(), store.list()])
      return { shownIn: code, mode, own: own.map(({ version: _version, ...rate }) => rate) }
    }),
  },
  {
    file: 'accounts.json',
    tables: ['account_classes'],
    content: json(async ({ deps, scope }) => {
      const { ranges, adjusted } = await readAccountClasses(deps.db, scope)
      return { adjusted, ranges }
    }),
  },
  {
    file: 'data-access.json',
    tables: ['access_policies', 'attribute_values'],
    content: json(async ({ deps, scope }) => {
      const [{ policy }, values] = await Promise.all([
        readPolicy(deps.db, scope.workspaceId),
        readHeldValues(deps.db, scope.workspaceId),
      ])
      return { ...policy, values }
    }),
  },
  {
    file: 'bot.json',
    tables: ['bot_terms', 'bot_verified', 'bot_settings', 'ai_settings'],
    content: json(async ({ store }) => {
      const [glossary, verifiedAnswers, [settings], [languageModel]] = await Promise.all([
        store.rows('botTerms'),
        store.rows('botVerified'),
        store.rows('botSettings'),
        store.rows('languageModel'),
      ])
      return { glossary, verifiedAnswers, settings: { ...settings, ...languageModel } }
    }),
  },
  {
    file: 'yours.json',
    tables: [
      ...(['digests', 'insight_follows', 'report_bookmarks', 'block_subscriptions'] as const),
      ...(['pilot_enrolments', 'pilot_feedback', 'briefing_marks', 'briefing_kinds'] as const),
    ],
    content: json(async ({ store }) => {
      const [followedInsights, reportBookmarks, blockSubscriptions, [digest]] = await Promise.all([
        store.rows('followedInsights'),
        store.rows('reportBookmarks'),
        store.rows('blockSubscriptions'),
        store.rows('digests'),
      ])
      const [earlyAccess, feedback, briefing, lessOf] = await Promise.all([
        store.rows('earlyAccess'),
        store.rows('pilotFeedback'),
        store.rows('briefingMarks'),
        store.rows('briefingKinds'),
      ])
      const yours = { followedInsights, reportBookmarks, blockSubscriptions, digest: digest?.['cadence'] ?? 'weekly' }
      return { ...yours, earlyAccess, feedback, briefing, lessOf: lessOf.map(({ kind }) => kind) }
    }),
  },
]

function describeSource({ datasets, ...source }: ExportedSource, tables: ExportedTable[]) {
  const whole = datasets.map(({ id, name }) => {
    const table = tables.find(({ dataset }) => dataset.id === id)
    if (!table) return { id, name, file: null }
    const { rowCount, loadedAt, columns, keyColumns } = table.dataset
    return { id, name, file: table.path, rowCount, loadedAt: toIsoOrNull(loadedAt), keyColumns, columns }
  })
  return { ...source, datasets: whole }
}

/** Where an export holds what a table holds. */
export const EXPORTED_TABLES: ReadonlyMap<WorkspaceTable, string> = new Map([
  ...EXPORT_ENTRIES.flatMap(({ file, tables }) => tables.map((table): [WorkspaceTable, string] => [table, file])),
  ['runs', 'originals/'],
])

/** What an export leaves out, and why. A test holds both lists together equal to the tables of a workspace. */
export const EXCLUDED_TABLES: Partial<Record<WorkspaceTable, string>> = {
  access_tokens: 'What lets programs in; only fingerprints are stored.',
  allowances: 'Usage counters only.',
  briefing_visits: 'When you last looked; nothing of the workspace.',
  audit: 'Exported separately, by period.',
  bot_conversations: 'Private to each person, in the export of their own data.',
  bot_messages: 'Private to each person, in the export of their own data.',
  connected_apps: 'What lets programs in; only fingerprints are stored.',
  connection_drafts: 'Consent that no source has taken over yet.',
  edition_files: 'Notes of edition files that are being stored.',
  ended_memberships: 'Told for 30 days to people whose access ended.',
  finding_runs: 'Internal markers, recreated after every import.',
  ingest_batches: 'Rows that are on their way into a table.',
  invite_reports: 'Addresses this workspace can’t email.',
  kept: 'Items kept on a smaller plan, chosen again at each change.',
  metric_names: 'Normalised copies of metric names and synonyms.',
  outbox: 'Unsent emails.',
  ownership_offers: 'Short-lived ownership offers.',
  report_deliveries: 'A log of sent emails, kept for 180 days.',
  report_recipients: 'Who unsubscribed from which schedule.',
  report_pictures: 'Keys of pictures, which blocks in reports.json name.',
  samples: 'Sample data progress.',
  sync_dead_letters: 'Markers of sources that are tried no more; their syncs are in syncs.json.',
  uploads: 'Unfinished uploads; finished ones are in originals/.',
}
