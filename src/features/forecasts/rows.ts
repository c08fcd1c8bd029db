import { recentPast } from './said'
import type { StoredSnapshot } from './said'
import { findBreaches, earliestBreach } from '../../shared/forecast-thresholds'
import type { ForecastResult, AccuracyGrade } from '../../shared/forecast-result'
import type {
  Forecast,
  ForecastListItem,
  ForecastRun,
  ForecastRunWithResult,
  ForecastSettings,
  ForecastState,
  RunState,
  RunFailure,
  Scenario,
  Threshold,
} from '../../shared/forecasts'

export interface RunRow {
  id: string
  number: number
  state: RunState
  rights: string
  by_name: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
  trouble: string | null
  data_as_of: string | null
  grade: AccuracyGrade | null
}
export interface ForecastRow {
  id: string
  name: string
  subject_name: string | null
  settings: string
  scenarios: string
  thresholds: string
  owner_id: string
  owner_name: string
  version: number
  created_at: number
  updated_at: number
  /** 1 = the plan has no room for it. */
  frozen: number
  stale: number
  /** The newest run, and the newest that is ready and whose rights are the asker's (JSON). */
  last: string | null
  ready: string | null
  /** Of a list: what the ready run said; of one forecast: its result (JSON). */
  body: string | null
}
const iso = (at: number): string => new Date(at).toISOString()
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** Columns of a run `r` of which nothing but its head is told. */
export const RUN_COLUMNS = `r.id, r.number, r.state, r.rights, r.created_at, r.started_at, r.finished_at, r.trouble,
  r.data_as_of, r.grade, (SELECT u.name FROM users u WHERE u.id = r.asked_by) AS by_name`
const RUN_JSON = `json_object('id', r.id, 'number', r.number, 'state', r.state, 'rights', r.rights, 'created_at', r.created_at,
  'started_at', r.started_at, 'finished_at', r.finished_at, 'trouble', r.trouble, 'data_as_of', r.data_as_of,
  'grade', r.grade, 'by_name', (SELECT u.name FROM users u WHERE u.id = r.asked_by)`

/** Of a forecast `f`: its newest run, and the newest ready one of the same figure under `rights`: its head, and its text. */
export const lastRunSql = `(SELECT ${RUN_JSON}) FROM forecast_runs r WHERE r.forecast_id = f.id ORDER BY r.number DESC LIMIT 1)`
const newestReadySql = (rights: string): string => `FROM forecast_runs r
    WHERE r.forecast_id = f.id AND r.state = 'ready' AND r.rights = ${rights} AND r.figure = f.figure
    ORDER BY r.number DESC LIMIT 1`
export const readyRunSql = (rights: string): string => `(SELECT ${RUN_JSON}) ${newestReadySql(rights)})`
export const readyColumnSql = (rights: string, column: 'said' | 'result'): string =>
  `(SELECT r.${column} ${newestReadySql(rights)})`

/** Our own writing, read back. */
const parseRunRow = (text: string): RunRow => JSON.parse(text)
export const parseSnapshot = (text: string): StoredSnapshot => JSON.parse(text)
export const parseResult = (text: string | null): ForecastResult | null => (text === null ? null : JSON.parse(text))
const parseFailure = (text: string): RunFailure => JSON.parse(text)
const parseSettings = (text: string): ForecastSettings => JSON.parse(text)
const parseScenarios = (text: string): Scenario[] => JSON.parse(text)
const parseThresholds = (text: string): Threshold[] => JSON.parse(text)

export const toForecastRun = (row: RunRow): ForecastRun => ({
  ...{ id: row.id, number: row.number, state: row.state, grade: row.grade, byName: row.by_name },
  startedAt: iso(row.started_at ?? row.created_at),
  finishedAt: isoOrNull(row.finished_at),
  trouble: row.trouble === null ? null : parseFailure(row.trouble),
  dataAsOf: row.data_as_of,
})

/** What came of a run by other rights is told by nothing: settings that somebody else runs would ask about rows unseen. */
function visibleState(
  last: RunRow | null,
  { mayRead, isStale }: { mayRead: boolean; isStale: boolean },
): ForecastState {
  if (!last) return 'draft'
  if (!mayRead) return 'ready'
  return last.state === 'ready' && isStale ? 'stale' : last.state
}

type ForecastHead = Omit<Forecast, 'ready'>
function toForecastHead(row: ForecastRow, rights: string): ForecastHead {
  const last = row.last === null ? null : parseRunRow(row.last)
  // What was found by other rights is told to nobody else, nor why nothing was (RLS-3).
  const mayRead = last?.rights === '' || last?.rights === rights
  return {
    ...parseSettings(row.settings),
    ...{ id: row.id, name: row.name, subjectName: row.subject_name },
    ...{ scenarios: parseScenarios(row.scenarios), thresholds: parseThresholds(row.thresholds) },
    ...{ state: visibleState(last, { mayRead, isStale: row.stale === 1 }), frozen: row.frozen === 1 },
    lastRun: last && mayRead ? toForecastRun(last) : null,
    ...{ ownerId: row.owner_id, ownerName: row.owner_name, version: row.version },
    ...{ createdAt: iso(row.created_at), updatedAt: iso(row.updated_at) },
  }
}

export function toForecast(row: ForecastRow, rights: string): Forecast {
  const ready: ForecastRunWithResult | null =
    row.ready === null ? null : { ...toForecastRun(parseRunRow(row.ready)), result: parseResult(row.body) }
  return { ...toForecastHead(row, rights), ready }
}

export function toListItem(row: ForecastRow, rights: string): ForecastListItem {
  const head = toForecastHead(row, rights)
  if (row.body === null) return { ...head, picture: null, breach: null }
  const found = parseSnapshot(row.body)
  return { ...head, picture: toThumbnail(found, head.level), breach: firstBreachIn(found, head.thresholds) }
}

/** The balance where the figures add up to one. */
function toThumbnail(snapshot: StoredSnapshot, level: Forecast['level']): NonNullable<ForecastListItem['picture']> {
  const { mean, bands } = snapshot.balance?.path ?? snapshot.path
  return { past: recentPast(snapshot), mean, lower: bands[level].lower, upper: bands[level].upper }
}

function firstBreachIn(
  { future, raw, path, balance }: StoredSnapshot,
  thresholds: readonly Threshold[],
): ForecastListItem['breach'] {
  const now = balance ? balance.opening : (raw.findLast((value) => value !== null) ?? null)
  return earliestBreach(findBreaches(balance?.path ?? path, { future, now }, thresholds))
}
