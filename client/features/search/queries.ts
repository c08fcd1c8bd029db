import { queryOptions } from '@tanstack/react-query'
import { workspaceId } from '../../lib/session'
import { apiFetch, readJson, api } from '../../lib/api'
import type { Permission } from '../../../src/shared/permissions'
import type { Member } from '../../../src/shared/members'
import type { ListPage } from '../../../src/shared/field-schemas'
import { findLedgerTables } from '../../../src/shared/statements/ledger-tables'
import { STATEMENT_NAMES, STATEMENTS, type StatementKind } from '../../../src/shared/statements/statements'
import type { ReportKind } from '../../../src/shared/reports/report-kinds'
import type { ReportSummary } from '../../../src/shared/reports/reports'
import type { DataSource } from '../../../src/shared/data-sources/data-sources'

export const NAMED_KINDS = [
  'insight',
  'report',
  'metric',
  'source',
  'statement',
  'table',
  'column',
  'grouping',
  'forecast',
  'alert',
  'member',
] as const
export type NamedKind = (typeof NAMED_KINDS)[number]

/** Something of the workspace with a name. */
export interface NamedItem {
  kind: NamedKind
  id: string
  name: string
  /** What it belongs to: the source of a table, the table of a column. */
  within?: string
  /** What is opened: the source of a statement, table or column; itself otherwise. */
  opens?: string
  statement?: StatementKind
  report?: ReportKind
}

/** One letter finds too much to be of use. */
export const SEARCH_MIN_CHARS = 2
/** Names read of each kind; what lies beyond is found by the server as it is typed. */
const NAMES_MAX = '100'
const PER_KIND = '8'
const STALE_MS = 60_000
/** Tables whose columns are read: each is a call. */
const COLUMN_TABLES_MAX = 24

interface NamedRecord {
  id: string
  name: string
}
type CallOptions = { init: { signal: AbortSignal } }

const named = (kind: NamedKind, items: readonly NamedRecord[]): NamedItem[] =>
  items.map(({ id, name }) => ({ kind, id, name }))

/** A kind that could not be read is missing; the others are found all the same. */
const settled = async (reads: readonly Promise<NamedItem[]>[]): Promise<NamedItem[]> => {
  const all = await Promise.allSettled(reads)
  const found = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [failure] = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (found.length === 0 && failure !== undefined) throw failure
  return found.flat()
}

async function sourceNames(options: CallOptions, search?: string): Promise<NamedItem[]> {
  const query = { limit: search === undefined ? NAMES_MAX : PER_KIND, search }
  const { items } = await readJson<ListPage<DataSource>>(api.api['data-sources'].$get({ query }, options))
  const tables = items.flatMap(({ id, name, datasets }) =>
    datasets.map((table): NamedItem => ({ kind: 'table', id: table.id, name: table.name, within: name, opens: id })),
  )
  // A source of one table that is called the same is found once.
  return [
    ...named('source', items),
    ...items.flatMap(statementNames),
    ...tables.filter((table) => table.name !== table.within),
  ]
}

/** The statements of a source that holds a ledger, found by either of their names. */
function statementNames({ id, name, datasets }: DataSource): NamedItem[] {
  if (!findLedgerTables(datasets)) return []
  return STATEMENTS.map((statement): NamedItem => {
    const { en, sv } = STATEMENT_NAMES[statement]
    return { kind: 'statement', id: `${id}.${statement}`, name: `${en} (${sv})`, within: name, opens: id, statement }
  })
}

async function columnNames(options: CallOptions): Promise<NamedItem[]> {
  const query = { limit: NAMES_MAX }
  const { items } = await readJson<ListPage<DataSource>>(api.api['data-sources'].$get({ query }, options))
  const tables = items.flatMap(({ id, datasets }) => datasets.map((table) => ({ source: id, table: table.id })))
  const read = tables.slice(0, COLUMN_TABLES_MAX).map(async ({ source, table }): Promise<NamedItem[]> => {
    const { name, columns } = await readJson<{
      name: string
      columns: { key: string; label: string; hidden: boolean }[]
    }>(api.api.datasets[':id'].$get({ param: { id: table } }, options))
    return columns
      .filter(({ hidden }) => !hidden)
      .map(({ key, label }) => ({ kind: 'column', id: `${table}.${key}`, name: label, within: name, opens: source }))
  })
  return settled(read)
}

const list = async (kind: NamedKind, call: Promise<ListPage<NamedRecord>>): Promise<NamedItem[]> =>
  named(kind, (await call).items)

async function reportNames(query: { limit: string; q?: string }, { init }: CallOptions): Promise<NamedItem[]> {
  const response = await apiFetch(`/api/reports?${new URLSearchParams(query)}`, init)
  const { items }: ListPage<ReportSummary> = await response.json()
  return items.map(({ id, name, kind }) => ({ kind: 'report', id, name, report: kind }))
}

async function memberNames(query: { limit: string; q?: string }, options: CallOptions): Promise<NamedItem[]> {
  const { items } = await readJson<ListPage<Member>>(api.api.members.$get({ query }, options))
  return items.map(({ userId, name }) => ({ kind: 'member', id: userId, name }))
}

/** Names of the workspace that the person may open, as far as they are read at once. */
export const namesQuery = (may: readonly Permission[]) =>
  queryOptions({
    queryKey: ['search', 'names', workspaceId(), may],
    staleTime: STALE_MS,
    queryFn: ({ signal }): Promise<NamedItem[]> => {
      const options = { init: { signal } }
      const limit = NAMES_MAX
      const insights = () => [
        list('insight', readJson<ListPage<NamedRecord>>(api.api.insights.$get({ query: { limit } }, options))),
        list('metric', readJson<ListPage<NamedRecord>>(api.api.metrics.$get({ query: {} }, options))),
        readJson<NamedRecord[]>(api.api.groupings.$get({}, options)).then((items) => named('grouping', items)),
        list('forecast', readJson<ListPage<NamedRecord>>(api.api.forecasts.$get({ query: { limit } }, options))),
        list('alert', readJson<ListPage<NamedRecord>>(api.api.alerts.$get({ query: { limit } }, options))),
      ]
      return settled([
        ...(may.includes('view:insight') ? insights() : []),
        ...(may.includes('view:report') ? [reportNames({ limit }, options)] : []),
        ...(may.includes('view:source') ? [sourceNames(options), columnNames(options)] : []),
        ...(may.includes('view:member') ? [memberNames({ limit }, options)] : []),
      ])
    },
  })

/** What the server finds by name: of kinds that may have more names than are read at once. */
export const searchQuery = (text: string, may: readonly Permission[]) =>
  queryOptions({
    queryKey: ['search', 'found', workspaceId(), text, may],
    enabled: text.length >= SEARCH_MIN_CHARS,
    queryFn: ({ signal }): Promise<NamedItem[]> => {
      const options = { init: { signal } }
      const query = { q: text.slice(0, 80), limit: PER_KIND }
      return settled([
        ...(may.includes('view:insight')
          ? [
              list('insight', readJson<ListPage<NamedRecord>>(api.api.insights.$get({ query }, options))),
              list('forecast', readJson<ListPage<NamedRecord>>(api.api.forecasts.$get({ query }, options))),
            ]
          : []),
        ...(may.includes('view:report') ? [reportNames(query, options)] : []),
        ...(may.includes('view:source') ? [sourceNames(options, text.slice(0, 80))] : []),
        ...(may.includes('view:member') ? [memberNames(query, options)] : []),
      ])
    },
  })
