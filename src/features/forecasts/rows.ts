import { shownPast } from './said'
import type { KeptSaid } from './said'
import { breaches, firstBreach } from '../../shared/forecast-thresholds'
import type { ForecastResult, Grade } from '../../shared/forecast-result'
import type {
  Forecast,
  ForecastCard,
  ForecastRun,
  ForecastRunWithResult,
  ForecastSettings,
  ForecastState,
  RunState,
  RunTrouble,
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
  grade: Grade | null
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
export const lastRun = `(SELECT ${RUN_JSON}) FROM forecast_runs r WHERE r.forecast_id = f.id ORDER BY r.number DESC LIMIT 1)`
const newestReady = (rights: string): string => `FROM forecast_runs r
    WHERE r.forecast_id = f.id AND r.state = 'ready' AND r.rights = ${rights} AND r.figure = f.figure
    ORDER BY r.number DESC LIMIT 1`
export const readyRun = (rights: string): string => `(SELECT ${RUN_JSON}) ${newestReady(rights)})`
export const readyText = (rights: string, column: 'said' | 'result'): string =>
  `(SELECT r.${column} ${newestReady(rights)})`

/** Our own writing, read back. */
const runRow = (text: string): RunRow => JSON.parse(text)
export const saidOf = (text: string): KeptSaid => JSON.parse(text)
export const resultOf = (text: string | null): ForecastResult | null => (text === null ? null : JSON.parse(text))
const troubleOf = (text: string): RunTrouble => JSON.parse(text)
const settingsOf = (text: string): ForecastSettings => JSON.parse(text)
const scenariosOf = (text: string): Scenario[] => JSON.parse(text)
const thresholdsOf = (text: string): Threshold[] => JSON.parse(text)

export const runOf = (row: RunRow): ForecastRun => ({
  ...{ id: row.id, number: row.number, state: row.state, grade: row.grade, byName: row.by_name },
  startedAt: iso(row.started_at ?? row.created_at),
  finishedAt: isoOrNull(row.finished_at),
  trouble: row.trouble === null ? null : troubleOf(row.trouble),
  dataAsOf: row.data_as_of,
})

/** What came of a run by other rights is told by nothing: settings that somebody else runs would ask about rows unseen. */
function stateOf(last: RunRow | null, { mayRead, isStale }: { mayRead: boolean; isStale: boolean }): ForecastState {
  if (!last) return 'draft'
  if (!mayRead) return 'ready'
  return last.state === 'ready' && isStale ? 'stale' : last.state
}

type Head = Omit<Forecast, 'ready'>
function headOf(row: ForecastRow, rights: string): Head {
  const last = row.last === null ? null : runRow(row.last)
  // What was found by other rights is told to nobody else, nor why nothing was (RLS-3).
  const mayRead = last?.rights === '' || last?.rights === rights
  return {
    ...settingsOf(row.settings),
    ...{ id: row.id, name: row.name, subjectName: row.subject_name },
    ...{ scenarios: scenariosOf(row.scenarios), thresholds: thresholdsOf(row.thresholds) },
    ...{ state: stateOf(last, { mayRead, isStale: row.stale === 1 }), frozen: row.frozen === 1 },
    lastRun: last && mayRead ? runOf(last) : null,
    ...{ ownerId: row.owner_id, ownerName: row.owner_name, version: row.version },
    ...{ createdAt: iso(row.created_at), updatedAt: iso(row.updated_at) },
  }
}

export function forecastOf(row: ForecastRow, rights: string): Forecast {
  const ready: ForecastRunWithResult | null =
    row.ready === null ? null : { ...runOf(runRow(row.ready)), result: resultOf(row.body) }
  return { ...headOf(row, rights), ready }
}

export function cardOf(row: ForecastRow, rights: string): ForecastCard {
  const head = headOf(row, rights)
  if (row.body === null) return { ...head, picture: null, breach: null }
  const found = saidOf(row.body)
  return { ...head, picture: pictureOf(found, head.level), breach: breachIn(found, head.thresholds) }
}

/** The balance where the figures add up to one. */
function pictureOf(said: KeptSaid, level: Forecast['level']): NonNullable<ForecastCard['picture']> {
  const { mean, bands } = said.balance?.path ?? said.path
  return { past: shownPast(said), mean, lower: bands[level].lower, upper: bands[level].upper }
}

function breachIn({ future, raw, path, balance }: KeptSaid, thresholds: readonly Threshold[]): ForecastCard['breach'] {
  const now = balance ? balance.opening : (raw.findLast((value) => value !== null) ?? null)
  return firstBreach(breaches(balance?.path ?? path, { future, now }, thresholds))
}
