import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { recentPast, type StoredSnapshot } from './snapshot'
import { findBreaches, earliestBreach } from '../../shared/forecasts/scenarios'
import type { ForecastResult, AccuracyGrade } from '../../shared/forecasts/result'
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
} from '../../shared/forecasts/forecasts'
import { settingsFingerprint, subjectFingerprint, IS_STALE } from './input-fingerprint'
import { countTowardLimitSql, hasRoomSql, idOverLimitCondition, overLimitCondition } from '../../entitlements/limits'
import { accessFingerprint, type Scope } from '../../scope'
import type { Database } from '../../db/database'
import { encodeCursor, type CursorPosition } from '../../http/pagination'
import { nameKey, type ListPage } from '../../shared/field-schemas'
import type { PlanLimit } from '../../shared/billing/plans'
import type { SubjectRef } from '../../shared/monitored-metric'

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
interface ForecastRow {
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

/** Columns of a run `r` of which nothing but its head is told. */
export const RUN_COLUMNS = `r.id, r.number, r.state, r.rights, r.created_at, r.started_at, r.finished_at, r.trouble,
  r.data_as_of, r.grade, (SELECT u.name FROM users u WHERE u.id = r.asked_by) AS by_name`
const RUN_JSON = `json_object('id', r.id, 'number', r.number, 'state', r.state, 'rights', r.rights, 'created_at', r.created_at,
  'started_at', r.started_at, 'finished_at', r.finished_at, 'trouble', r.trouble, 'data_as_of', r.data_as_of,
  'grade', r.grade, 'by_name', (SELECT u.name FROM users u WHERE u.id = r.asked_by)`

/** Of a forecast `f`: its newest run, and the newest ready one of the same figure under `rights`: its head, and its text. */
const lastRunSql = `(SELECT ${RUN_JSON}) FROM forecast_runs r WHERE r.forecast_id = f.id ORDER BY r.number DESC LIMIT 1)`
const newestReadySql = (rights: string): string => `FROM forecast_runs r
    WHERE r.forecast_id = f.id AND r.state = 'ready' AND r.rights = ${rights} AND r.figure = f.figure
    ORDER BY r.number DESC LIMIT 1`
const readyRunSql = (rights: string): string => `(SELECT ${RUN_JSON}) ${newestReadySql(rights)})`
const readyColumnSql = (rights: string, column: 'said' | 'result'): string =>
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
  startedAt: toIso(row.started_at ?? row.created_at),
  finishedAt: toIsoOrNull(row.finished_at),
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
    ...{ createdAt: toIso(row.created_at), updatedAt: toIso(row.updated_at) },
  }
}

function toForecast(row: ForecastRow, rights: string): Forecast {
  const ready: ForecastRunWithResult | null =
    row.ready === null ? null : { ...toForecastRun(parseRunRow(row.ready)), result: parseResult(row.body) }
  return { ...toForecastHead(row, rights), ready }
}

function toListItem(row: ForecastRow, rights: string): ForecastListItem {
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

/** What people write of a forecast. */
export interface ForecastContent {
  name: string
  settings: ForecastSettings
  scenarios: readonly Scenario[]
}
interface ForecastPageQuery {
  limit: number
  after: CursorPosition | null
  q: string | undefined
  subject: { kind: SubjectRef['kind']; id: string } | null
}

const SUBJECT_NAME_SQL = `CASE f.subject_kind
  WHEN 'metric' THEN (SELECT m.name FROM metrics m WHERE m.id = f.subject_id AND m.workspace_id = f.workspace_id)
  ELSE (SELECT i.name FROM insights i WHERE i.id = f.subject_id AND i.workspace_id = f.workspace_id
    AND i.deleted_at IS NULL) END`
const selectForecastSql = (
  column: 'said' | 'result',
): string => `SELECT f.id, f.name, f.settings, f.scenarios, f.thresholds, f.owner_id,
  f.version, f.created_at, f.updated_at, u.name AS owner_name, ${SUBJECT_NAME_SQL} AS subject_name, ${IS_STALE} AS stale,
  ${overLimitCondition('forecast', 'f', { workspace: '?1', max: '?2' })} AS frozen,
  ${lastRunSql} AS last, ${readyRunSql('?3')} AS ready, ${readyColumnSql('?3', column)} AS body
  FROM forecasts f JOIN users u ON u.id = f.owner_id WHERE f.workspace_id = ?1`

/** The forecasts of one workspace; `max`: how many its plan has room for. Writes are statements for `commit`. */
export const forecastStore = ({ d1 }: Database, { scope, max }: { scope: Scope; max: PlanLimit }) => {
  const { workspaceId } = scope
  const rights = accessFingerprint(scope)
  const contentColumns = ({ name, settings, scenarios }: ForecastContent): string[] => [
    ...[name, nameKey(name), settings.subject.kind, settings.subject.id],
    ...[JSON.stringify(settings), settingsFingerprint(settings, scenarios), subjectFingerprint(settings)],
  ]
  return {
    async get(id: string): Promise<Forecast | null> {
      const row = await d1
        .prepare(`${selectForecastSql('result')} AND f.id = ?4 AND ${isVisibleSql('f.id', '?5')}`)
        .bind(workspaceId, max, rights, id, await hiddenThings({ d1 }, scope))
        .first<ForecastRow>()
      return row && toForecast(row, rights)
    },

    /** The newest first. */
    async list({ limit, after, q = '', subject }: ForecastPageQuery): Promise<ListPage<ForecastListItem>> {
      const { results } = await d1
        .prepare(
          `${selectForecastSql('said')} AND (?4 = '' OR instr(f.name_key, ?4) > 0)
             AND (?5 IS NULL OR (f.subject_kind = ?5 AND f.subject_id = ?6))
             AND (?7 IS NULL OR f.created_at < ?7 OR (f.created_at = ?7 AND f.id < ?8))
             AND ${isVisibleSql('f.id', '?10')}
           ORDER BY f.created_at DESC, f.id DESC LIMIT ?9`,
        )
        .bind(
          ...[workspaceId, max, rights, nameKey(q), subject?.kind ?? null, subject?.id ?? null],
          ...[after?.at ?? null, after?.id ?? '', limit + 1],
          await hiddenThings({ d1 }, scope),
        )
        .all<ForecastRow>()
      const page = results.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = results.length > limit && last ? encodeCursor({ at: last.created_at, id: last.id }) : null
      return { items: page.map((row) => toListItem(row, rights)), nextCursor }
    },

    async exists(id: string): Promise<boolean> {
      const found = d1.prepare('SELECT 1 FROM forecasts WHERE workspace_id = ? AND id = ?').bind(workspaceId, id)
      return (await found.first()) !== null
    },

    async count(): Promise<number> {
      const found = d1.prepare(`SELECT ${countTowardLimitSql('forecast', '?1')} AS n`).bind(workspaceId)
      return (await found.first<number>('n')) ?? 0
    },

    /** Ids of metrics that are not here. */
    async unknownMetrics(ids: readonly string[]): Promise<string[]> {
      const { results } = await d1
        .prepare(
          'SELECT value AS id FROM json_each(?2) WHERE value NOT IN (SELECT id FROM metrics WHERE workspace_id = ?1)',
        )
        .bind(workspaceId, JSON.stringify(ids))
        .all<{ id: string }>()
      return results.map(({ id }) => id)
    },

    /** Inserts no row when the plan has no room for one more. */
    insert: (id: string, content: ForecastContent, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO forecasts (workspace_id, id, name, name_key, subject_kind, subject_id, settings, asked, figure,
             scenarios, owner_id, created_at, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, '[]', ?10, ?11, ?11
           WHERE ${hasRoomSql('forecast', { workspace: '?1', max: '?12' })}`,
        )
        .bind(workspaceId, id, ...contentColumns(content), scope.actorId, now, max),

    /** Changes no row when another version is stored or it is frozen. `takeOver`: it becomes the asker's own. */
    update: (
      id: string,
      content: ForecastContent,
      at: { version: number; now: number; takeOver: boolean },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE forecasts SET name = ?3, name_key = ?4, subject_kind = ?5, subject_id = ?6, settings = ?7, asked = ?8,
             figure = ?9, updated_at = ?10, version = version + 1, owner_id = coalesce(?11, owner_id)
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?12
             AND NOT ${idOverLimitCondition('forecast', '?2', { workspace: '?1', max: '?13' })}`,
        )
        .bind(workspaceId, id, ...contentColumns(content), at.now, at.takeOver ? scope.actorId : null, at.version, max),

    /** Changes no row when another version is stored or it is frozen. */
    setScenarios: (
      id: string,
      content: ForecastContent & { thresholds: readonly Threshold[] },
      at: { version: number; now: number },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE forecasts SET scenarios = ?3, thresholds = ?4, asked = ?5, updated_at = ?6, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?7
             AND NOT ${idOverLimitCondition('forecast', '?2', { workspace: '?1', max: '?8' })}`,
        )
        .bind(
          ...[workspaceId, id, JSON.stringify(content.scenarios), JSON.stringify(content.thresholds)],
          ...[settingsFingerprint(content.settings, content.scenarios), at.now, at.version, max],
        ),

    /** Changes no row when another version is stored. Its runs go with it. */
    remove: (id: string, version: number): D1PreparedStatement =>
      d1
        .prepare('DELETE FROM forecasts WHERE workspace_id = ? AND id = ? AND version = ?')
        .bind(workspaceId, id, version),
  }
}
