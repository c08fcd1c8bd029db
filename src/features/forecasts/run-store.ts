import type { KeptUnderAccess } from '../../identity/access/changed-rights'
import { toIso } from '../../lib/iso'
import { inputFingerprint, dataVersionsFingerprint, exchangeRateMarker } from './input-fingerprint'
import { RUN_COLUMNS, toForecastRun, parseResult, parseSnapshot, type RunRow } from './store'
import { overLimitCondition } from '../../entitlements/limits'
import { accessFingerprint, type Scope } from '../../scope'
import type { OutboxEntry } from '../../db/commit'
import type { Database } from '../../db/database'
import type { AccuracyGrade } from '../../shared/forecasts/result'
import type {
  ForecastRun,
  ForecastRunParams,
  ForecastSettings,
  RunState,
  RunFailure,
  Scenario,
  ForecastRunWithResult,
} from '../../shared/forecasts/forecasts'
import type { PlanLimit } from '../../shared/billing/plans'
import { encodeCursor, type CursorPosition } from '../../http/pagination'
import type { PastRun } from '../../shared/forecasts/accuracy'
import type { ListPage } from '../../shared/field-schemas'

/** Results are kept of so many of the newest runs that have one; of older ones what they said, for the accuracy log. */
const STORED_RESULTS_MAX = 60
/** And no more than so many characters of them: a month of daily runs of the largest. The newest is kept whatever it takes. */
const STORED_RESULTS_MAX_CHARS = 20_000_000
/** Runs beyond these are removed: twice a day for more than a year. */
const STORED_RUNS_MAX = 1_000

const OUTBOX_KEY = 'forecastRun:'
/** The key of the outbox row that starts a run for the `tries`-th time, as SQL over the columns of `forecast_runs`. */
export const outboxKeySql = (runs: string): string =>
  `'${OUTBOX_KEY}' || ${runs}.id || CASE ${runs}.tries WHEN 1 THEN '' ELSE ':' || ${runs}.tries END`

/** The outbox row that starts a run, once; `start` counts from 1. Its key is that of {@link outboxKeySql}. */
export const runOutboxEntry = (params: ForecastRunParams, start = 1): OutboxEntry => ({
  workspaceId: params.workspaceId,
  kind: 'forecastRun',
  key: `${OUTBOX_KEY}${params.runId}${start === 1 ? '' : `:${start}`}`,
  payload: params,
})

/** A run that is being worked on, and what it is of. */
export interface ClaimedRun {
  runId: string
  forecastId: string
  claim: string
  number: number
  ownerId: string
  figure: string
  asked: string
  settings: ForecastSettings
  scenarios: Scenario[]
}
/** What definitions said and which rows stood, in the texts of meaning.ts. */
interface RunInputs {
  named: string[]
  datasets: string[]
  meant: string
}
interface FinishedRun {
  state: RunState
  rights: string
  now: number
  trouble: RunFailure | null
  /** Null: figures were not come by. */
  inputHash: string | null
  /** Of a run that is ready. */
  found: { dataAsOf: string | null; grade: AccuracyGrade | null; said: string; result: string } | null
}
/** States of a run that has not ended, as SQL. */
export const OPEN_STATES = "('queued', 'running')"

/** Runs of the forecasts of one workspace. Writes are statements. */
export const forecastRunStore = ({ d1 }: Database, scope: Pick<Scope, 'workspaceId' | 'wire'>) => {
  const { workspaceId } = scope
  return {
    /** The run that is queued or under way, whatever its rights: nothing has been found yet. */
    async findOpen(forecastId: string): Promise<ForecastRun | null> {
      const row = await d1
        .prepare(
          `SELECT ${RUN_COLUMNS} FROM forecast_runs r WHERE r.workspace_id = ? AND r.forecast_id = ? AND r.state IN ${OPEN_STATES}`,
        )
        .bind(workspaceId, forecastId)
        .first<RunRow>()
      return row && toForecastRun(row)
    },

    /** Ids of the forecasts that read a dataset, or of which it is not known yet; those that are frozen run no more. */
    async dependentForecastIds(datasetId: string, max: PlanLimit): Promise<string[]> {
      const { results } = await d1
        .prepare(
          `SELECT f.id FROM forecasts f WHERE f.workspace_id = ?1
             AND (f.datasets = '[]' OR EXISTS (SELECT 1 FROM json_each(f.datasets) d WHERE d.value = ?2))
             AND NOT ${overLimitCondition('forecast', 'f', { workspace: '?1', max: '?3' })} ORDER BY f.created_at, f.id`,
        )
        .bind(workspaceId, datasetId, max)
        .all<{ id: string }>()
      return results.map(({ id }) => id)
    },

    /** Those that are not frozen, with the rights of their last run that ended. */
    async keptUnderRights(max: PlanLimit): Promise<KeptUnderAccess[]> {
      const { results } = await d1
        .prepare(
          `SELECT f.id, f.owner_id AS ownerId, r.rights FROM forecasts f
           JOIN forecast_runs r ON r.forecast_id = f.id AND r.rights <> '' AND r.number =
             (SELECT max(l.number) FROM forecast_runs l WHERE l.forecast_id = f.id AND l.rights <> '')
           WHERE f.workspace_id = ?1 AND NOT ${overLimitCondition('forecast', 'f', { workspace: '?1', max: '?2' })}
           ORDER BY f.created_at, f.id`,
        )
        .bind(workspaceId, max)
        .all<KeptUnderAccess>()
      return results
    },

    /** Inserts no row while one is queued or under way, or when the forecast is gone. */
    queue: (at: { forecastId: string; runId: string; by: string | null; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO forecast_runs (id, workspace_id, forecast_id, number, state, asked_by, created_at)
           SELECT ?3, ?1, ?2, coalesce((SELECT max(number) FROM forecast_runs WHERE forecast_id = ?2), 0) + 1, 'queued', ?4, ?5
           FROM forecasts WHERE id = ?2 AND workspace_id = ?1
             AND NOT EXISTS (SELECT 1 FROM forecast_runs WHERE forecast_id = ?2 AND state IN ${OPEN_STATES})`,
        )
        .bind(workspaceId, at.forecastId, at.runId, at.by, at.now),

    /** Something changed: a run that has begun already is followed by another. */
    requestRerun: (forecastId: string): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE forecasts SET again = 1 WHERE workspace_id = ?1 AND id = ?2
             AND EXISTS (SELECT 1 FROM forecast_runs WHERE forecast_id = ?2 AND state = 'running')`,
        )
        .bind(workspaceId, forecastId),

    async isRerunRequested(forecastId: string): Promise<boolean> {
      const found = d1.prepare('SELECT again FROM forecasts WHERE workspace_id = ? AND id = ?')
      return (await found.bind(workspaceId, forecastId).first<number>('again')) === 1
    },

    /** Whoever claims a run last works on it; whoever did before ends nothing any more. Null when it has ended or is gone. */
    async claim(runId: string, claim: string, now: number): Promise<ClaimedRun | null> {
      const [begun, found] = await d1.batch<Record<string, unknown>>([
        d1
          .prepare(
            `UPDATE forecast_runs SET state = 'running', claim = ?3, started_at = ?4, alive_at = ?4
             WHERE workspace_id = ?1 AND id = ?2 AND state IN ${OPEN_STATES}`,
          )
          .bind(workspaceId, runId, claim, now),
        d1
          .prepare(
            `SELECT f.id AS forecastId, r.number, f.owner_id AS ownerId, f.figure, f.asked, f.settings, f.scenarios
             FROM forecast_runs r JOIN forecasts f ON f.id = r.forecast_id
             WHERE r.workspace_id = ? AND r.id = ? AND r.claim = ? AND r.state = 'running'`,
          )
          .bind(workspaceId, runId, claim),
        d1
          .prepare(
            `UPDATE forecasts SET again = 0 WHERE workspace_id = ?1
               AND id = (SELECT forecast_id FROM forecast_runs WHERE id = ?2 AND claim = ?3)`,
          )
          .bind(workspaceId, runId, claim),
      ])
      const row = found?.results[0]
      if (begun?.meta.changes !== 1 || !row) return null
      return { ...toClaimedRun(row), runId, claim }
    },

    /** Says that this one still works on it: a run without heartbeats is started again. */
    recordHeartbeat: ({ runId, claim }: ClaimedRun, now: number): Promise<unknown> =>
      d1
        .prepare(
          "UPDATE forecast_runs SET alive_at = ?4 WHERE workspace_id = ?1 AND id = ?2 AND claim = ?3 AND state = 'running'",
        )
        .bind(workspaceId, runId, claim, now)
        .run(),

    /** What everything says by which the run will be made, with and without rates between currencies. */
    async fingerprints(forecastId: string, named: readonly string[]): Promise<{ plain: string; converted: string }> {
      const row = await d1
        .prepare(
          `SELECT ${inputFingerprint('?3')} AS plain, ${inputFingerprint('?4')} AS converted FROM forecasts f
           WHERE f.workspace_id = ?1 AND f.id = ?2`,
        )
        .bind(workspaceId, forecastId, JSON.stringify(named), JSON.stringify([...named, exchangeRateMarker]))
        .first<{ plain: string; converted: string }>()
      return row ?? { plain: '', converted: '' }
    },

    /** Ends a run, if it is still this one's: changes no row otherwise. */
    end: (
      { runId, claim, figure }: ClaimedRun,
      { state, rights, now, trouble, inputHash, found }: FinishedRun,
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE forecast_runs SET state = ?4, rights = ?5, finished_at = ?6, trouble = ?7, data_as_of = ?8, grade = ?9,
             input_hash = ?10, said = ?11, result = ?12, figure = ?13
           WHERE workspace_id = ?1 AND id = ?2 AND claim = ?3 AND state = 'running'`,
        )
        .bind(
          ...[workspaceId, runId, claim, state, rights, now, trouble && JSON.stringify(trouble)],
          ...[found?.dataAsOf ?? null, found?.grade ?? null, inputHash],
          ...[found?.said ?? null, found?.result ?? null, figure],
        ),

    /**
     * Takes a run back when the newest before it found the same by the same rights: nothing new came of it. Changes no
     * row otherwise.
     */
    discardIfUnchanged: (
      { runId, forecastId, claim, figure, number }: ClaimedRun,
      { rights, state, inputHash }: { rights: string; state: RunState; inputHash: string },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `DELETE FROM forecast_runs WHERE workspace_id = ?1 AND id = ?2 AND claim = ?3 AND state = 'running' AND EXISTS (
             SELECT 1 FROM (SELECT * FROM forecast_runs WHERE forecast_id = ?4 AND number < ?5 ORDER BY number DESC LIMIT 1) b
             WHERE b.state = ?9 AND b.figure = ?6 AND b.rights = ?7 AND b.input_hash = ?8)`,
        )
        .bind(workspaceId, runId, claim, forecastId, number, figure, rights, inputHash, state),

    /** The same, and remembers what the newest run was made of: it stands for these rows, too. */
    async discardRepeated(
      run: ClaimedRun,
      found: { rights: string; inputHash: string },
      inputs: RunInputs,
    ): Promise<boolean> {
      const [discarded] = await d1.batch([
        this.discardIfUnchanged(run, { ...found, state: 'ready' }),
        this.recordInputs(run, inputs, 'when it is gone'),
      ])
      return discarded?.meta.changes === 1
    },

    /** What the newest ready run was made of: from now on another text makes it stale. */
    recordInputs: (
      { forecastId, runId }: ClaimedRun,
      { named, datasets, meant }: RunInputs,
      when: 'always' | 'when it is gone' = 'always',
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE forecasts AS f SET named = ?3, datasets = ?4, meant = ?5, stood = ${dataVersionsFingerprint('?4')}
           WHERE f.workspace_id = ?1 AND f.id = ?2
             ${when === 'always' ? '' : 'AND NOT EXISTS (SELECT 1 FROM forecast_runs WHERE id = ?6)'}`,
        )
        .bind(
          ...[workspaceId, forecastId, JSON.stringify(named), JSON.stringify(datasets), meant],
          ...(when === 'always' ? [] : [runId]),
        ),

    /** Which datasets it reads, when nothing came of the run. */
    setDatasets: ({ forecastId }: ClaimedRun, datasets: readonly string[]): D1PreparedStatement =>
      d1
        .prepare('UPDATE forecasts SET datasets = ? WHERE workspace_id = ? AND id = ?')
        .bind(JSON.stringify(datasets), workspaceId, forecastId),

    prune: ({ forecastId, number }: ClaimedRun): D1PreparedStatement[] => [
      d1
        .prepare(
          `UPDATE forecast_runs SET result = NULL WHERE forecast_id = ?1 AND number IN (
             SELECT number FROM (SELECT number, row_number() OVER newest AS place, sum(length(result)) OVER newest AS chars
               FROM forecast_runs WHERE forecast_id = ?1 AND result IS NOT NULL WINDOW newest AS (ORDER BY number DESC))
             WHERE place > ${STORED_RESULTS_MAX} OR (place > 1 AND chars > ${STORED_RESULTS_MAX_CHARS}))`,
        )
        .bind(forecastId),
      d1
        .prepare('DELETE FROM forecast_runs WHERE forecast_id = ? AND number <= ? AND result IS NULL')
        .bind(forecastId, number - STORED_RUNS_MAX),
    ],
  }
}

/** Our own writing, read back. */
function toClaimedRun(row: Record<string, unknown>): Omit<ClaimedRun, 'runId' | 'claim'> {
  const settings: ForecastSettings = JSON.parse(String(row['settings']))
  const scenarios: Scenario[] = JSON.parse(String(row['scenarios']))
  return {
    ...{ settings, scenarios, number: Number(row['number']) },
    ...{ forecastId: String(row['forecastId']), ownerId: String(row['ownerId']) },
    ...{ figure: String(row['figure']), asked: String(row['asked']) },
  }
}

/** Texts that are read at once; of days, some hundred runs. */
const SNAPSHOTS_MAX_CHARS = 8_000_000

interface RunPageQuery {
  forecastId: string
  limit: number
  after: CursorPosition | null
}

/** Runs as a scope may see them: those that were made by its own rights, and those that have found nothing yet. */
export const visibleRunStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  const rights = accessFingerprint(scope)
  return {
    /** The newest first. */
    async list({ forecastId, limit, after }: RunPageQuery): Promise<ListPage<ForecastRun>> {
      const { results } = await d1
        .prepare(
          `SELECT ${RUN_COLUMNS} FROM forecast_runs r WHERE r.workspace_id = ?1 AND r.forecast_id = ?2
             AND r.rights IN ('', ?3) AND (?4 IS NULL OR r.number < ?4) ORDER BY r.number DESC LIMIT ?5`,
        )
        .bind(workspaceId, forecastId, rights, after?.at ?? null, limit + 1)
        .all<RunRow>()
      const page = results.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = results.length > limit && last ? encodeCursor({ at: last.number, id: last.id }) : null
      return { items: page.map(toForecastRun), nextCursor }
    },

    async get(at: { forecastId: string; runId: string }): Promise<ForecastRunWithResult | null> {
      const row = await d1
        .prepare(
          `SELECT ${RUN_COLUMNS}, r.result FROM forecast_runs r
           WHERE r.workspace_id = ? AND r.forecast_id = ? AND r.id = ? AND r.rights IN ('', ?)`,
        )
        .bind(workspaceId, at.forecastId, at.runId, rights)
        .first<RunRow & { result: string | null }>()
      return row && { ...toForecastRun(row), result: parseResult(row.result) }
    },

    /** What runs of the present figure said, the newest first, as many as are read at once. */
    async snapshots(forecastId: string): Promise<PastRun[]> {
      const { results } = await d1
        .prepare(
          `SELECT id, number, startedAt, said FROM (
             SELECT r.id, r.number, coalesce(r.started_at, r.created_at) AS startedAt, r.said,
               sum(length(r.said)) OVER (ORDER BY r.number DESC) AS chars
             FROM forecast_runs r JOIN forecasts f ON f.id = r.forecast_id
             WHERE r.workspace_id = ? AND r.forecast_id = ? AND r.state = 'ready' AND r.rights = ? AND r.figure = f.figure
               AND r.said IS NOT NULL)
           WHERE chars <= ${SNAPSHOTS_MAX_CHARS} ORDER BY number DESC`,
        )
        .bind(workspaceId, forecastId, rights)
        .all<{ id: string; number: number; startedAt: number; said: string }>()
      return results.map(({ startedAt, said, ...run }) => ({
        ...run,
        startedAt: toIso(startedAt),
        snapshot: parseSnapshot(said),
      }))
    },
  }
}
