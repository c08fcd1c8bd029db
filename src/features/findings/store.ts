import { toIso } from '../../lib/iso'
import { toInsightSubject, type InsightSubject, type InsightSubjectRow } from '../../semantic/monitored-metric-store'
import type { CandidateMetricSource } from './candidate-metrics'
import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import { accessFingerprint, Scope } from '../../scope'
import type { Database } from '../../db/database'
import type { Finding, AnalyzedMetric, FindingRating, DetectedFinding } from '../../shared/findings'

/** A finding before it is kept. */
export interface NewFinding {
  id: string
  key: string
  about: AnalyzedMetric
  effect: DetectedFinding
}
/** A finding as it is kept, with what the asker thinks of it. */
export interface StoredFinding extends Finding {
  key: string
}

interface FindingRow {
  id: string
  key: string
  about: string
  effect: string
  first_found_at: number
  found_at: number
  pinned_at: number | null
  hidden_at: number | null
  rating: FindingRating | null
}

/** A metric that findings are wanted of, without what it measures. */
type MetricSource = Omit<CandidateMetricSource, 'measure'>

/** Our own writing, read back. */
function toStoredFinding(findingRow: FindingRow): StoredFinding {
  const about: AnalyzedMetric = JSON.parse(findingRow.about)
  const effect: DetectedFinding = JSON.parse(findingRow.effect)
  return {
    ...effect,
    ...{ id: findingRow.id, key: findingRow.key, about, rating: findingRow.rating },
    firstFoundAt: toIso(findingRow.first_found_at),
    foundAt: toIso(findingRow.found_at),
    pinned: findingRow.pinned_at !== null,
    hidden: findingRow.hidden_at !== null,
  }
}

/** The last look at a dataset: of which rows, and at which figures. */
export interface AnalysisRun {
  dataset: string
  /** Null until one has ended. */
  version: number | null
  at: number | null
  subjects: string[]
}

interface RunClaim {
  dataset: string
  dataVersion: number
  claim: string
  now: number
}

/** Findings of one workspace for one set of rights, and what one of its members thinks of them. */
export const findingStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  const rights = accessFingerprint(scope)
  const select = `SELECT f.id, f.key, f.about, f.effect, f.first_found_at, f.found_at, m.pinned_at, m.hidden_at, m.rating
    FROM findings f
    LEFT JOIN finding_marks m ON m.workspace_id = f.workspace_id AND m.user_id = ?3 AND m.key = f.key
    WHERE f.workspace_id = ?1 AND f.rights = ?2`
  return {
    async list(): Promise<StoredFinding[]> {
      const { results } = await d1
        .prepare(`${select} ORDER BY f.id`)
        .bind(workspaceId, rights, actorId)
        .all<FindingRow>()
      return results.map(toStoredFinding)
    },

    async get(id: string): Promise<StoredFinding | null> {
      const row = await d1.prepare(`${select} AND f.id = ?4`).bind(workspaceId, rights, actorId, id).first<FindingRow>()
      return row ? toStoredFinding(row) : null
    },

    async insightExists(id: string): Promise<boolean> {
      const found = d1.prepare(
        `SELECT 1 FROM insights WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL AND ${isVisibleSql('id', '?3')}`,
      )
      return (await found.bind(workspaceId, id, await hiddenThings({ d1 }, scope)).first()) !== null
    },

    /** Insights that findings are wanted of, oldest first so that a figure keeps its first name. */
    async insightSources(limit: number): Promise<InsightSubject[]> {
      const { results } = await d1
        .prepare(
          `SELECT id, name, plan, viz FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL AND findings = 'on'
             AND ${isVisibleSql('id', '?3')} ORDER BY created_at, id LIMIT ?2`,
        )
        .bind(workspaceId, limit, await hiddenThings({ d1 }, scope))
        .all<InsightSubjectRow>()
      return results.map(toInsightSubject)
    },

    async metricSources(limit: number): Promise<MetricSource[]> {
      const { results } = await d1
        .prepare(
          `SELECT id, name, dataset_id AS dataset, time_field AS time, direction FROM metrics WHERE workspace_id = ?1
             AND ${isVisibleSql('id', '?3')} ORDER BY created_at, id LIMIT ?2`,
        )
        .bind(workspaceId, limit, await hiddenThings({ d1 }, scope))
        .all<Omit<MetricSource, 'time'> & { time: string | null }>()
      return results.map(({ time: text, ...row }) => {
        const time: MetricSource['time'] = text === null ? null : JSON.parse(text)
        return { ...row, time }
      })
    },

    async runs(): Promise<AnalysisRun[]> {
      const { results } = await d1
        .prepare(
          'SELECT dataset_id, finished_version, finished_at, subjects FROM finding_runs WHERE workspace_id = ? AND rights = ?',
        )
        .bind(workspaceId, rights)
        .all<{ dataset_id: string; finished_version: number | null; finished_at: number | null; subjects: string }>()
      return results.map((row) => {
        const subjects: string[] = JSON.parse(row.subjects)
        return { dataset: row.dataset_id, version: row.finished_version, at: row.finished_at, subjects }
      })
    },

    /**
     * True when this look is the newest: one of older rows than another that was begun comes too late, and so does one of a
     * workspace that is gone.
     */
    async claim({ dataset, dataVersion, claim, now }: RunClaim): Promise<boolean> {
      const { meta } = await d1
        .prepare(
          `INSERT INTO finding_runs (workspace_id, rights, dataset_id, claim, data_version, claimed_at)
           SELECT id, ?2, ?3, ?4, ?5, ?6 FROM workspaces WHERE id = ?1 AND deleted_at IS NULL
           ON CONFLICT (workspace_id, rights, dataset_id) DO UPDATE
             SET claim = excluded.claim, data_version = excluded.data_version, claimed_at = excluded.claimed_at
             WHERE excluded.data_version >= finding_runs.data_version`,
        )
        .bind(workspaceId, rights, dataset, claim, dataVersion, now)
        .run()
      return meta.changes > 0
    },

    async isCurrent({ dataset, claim }: Pick<RunClaim, 'dataset' | 'claim'>): Promise<boolean> {
      const row = await d1
        .prepare('SELECT 1 FROM finding_runs WHERE workspace_id = ? AND rights = ? AND dataset_id = ? AND claim = ?')
        .bind(workspaceId, rights, dataset, claim)
        .first()
      return row !== null
    },

    /** All of what was found in a dataset in place of what was: for `commit`, whose first statement is the condition. */
    replace(run: RunClaim, found: readonly NewFinding[], subjects: readonly string[]): D1PreparedStatement[] {
      const keys = JSON.stringify(found.map(({ key }) => key))
      return [
        d1
          .prepare(
            `UPDATE finding_runs SET finished_version = data_version, finished_at = ?5, subjects = ?6
             WHERE workspace_id = ?1 AND rights = ?2 AND dataset_id = ?3 AND claim = ?4`,
          )
          .bind(workspaceId, rights, run.dataset, run.claim, run.now, JSON.stringify(subjects)),
        d1
          .prepare(
            `DELETE FROM findings WHERE workspace_id = ?1 AND rights = ?2 AND dataset_id = ?3
               AND key NOT IN (SELECT value FROM json_each(?4))`,
          )
          .bind(workspaceId, rights, run.dataset, keys),
        ...found.map(({ id, key, about, effect }) =>
          d1
            .prepare(
              `INSERT INTO findings (id, workspace_id, rights, key, dataset_id, about, effect, first_found_at, found_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
               ON CONFLICT (workspace_id, rights, key) DO UPDATE
                 SET about = excluded.about, effect = excluded.effect, dataset_id = excluded.dataset_id,
                   found_at = excluded.found_at`,
            )
            .bind(
              ...[id, workspaceId, rights, key, run.dataset, JSON.stringify(about), JSON.stringify(effect), run.now],
            ),
        ),
      ]
    },

    /** What the asker thinks of a finding from now on. */
    mark(key: string, to: { what: 'pinned_at' | 'hidden_at' | 'rating'; value: number | string | null; now: number }) {
      return d1
        .prepare(
          `INSERT INTO finding_marks (workspace_id, user_id, key, ${to.what}, updated_at) VALUES (?1, ?2, ?3, ?4, ?5)
           ON CONFLICT (workspace_id, user_id, key) DO UPDATE
             SET ${to.what} = excluded.${to.what}, updated_at = excluded.updated_at`,
        )
        .bind(workspaceId, actorId, key, to.value, to.now)
    },
  }
}

const DATASET_DELETED = 'dataset_id NOT IN (SELECT id FROM datasets)'
/** Of rights that are not everybody's: made anew when somebody has them and asks. */
const RIGHTS_UNUSED = 'rights <> ?1 AND claimed_at <= ?2'

/**
 * In every workspace: findings of datasets that are gone for good, and those of rights of their own that nobody has asked
 * by since `before` (epoch milliseconds). Found by the looks, which are few, not by the findings.
 */
export async function purgeFindings({ d1 }: Database, before: number): Promise<void> {
  const full = accessFingerprint(Scope.forJob({ workspaceId: '', userId: '', epoch: '' }))
  await d1.batch([
    d1.prepare(
      `DELETE FROM findings WHERE dataset_id IN (SELECT dataset_id FROM finding_runs WHERE ${DATASET_DELETED})`,
    ),
    d1.prepare(`DELETE FROM finding_runs WHERE ${DATASET_DELETED}`),
    d1
      .prepare(
        `DELETE FROM findings WHERE id IN (SELECT f.id FROM (SELECT * FROM finding_runs WHERE ${RIGHTS_UNUSED}) r
           CROSS JOIN findings f ON f.workspace_id = r.workspace_id AND f.rights = r.rights AND f.dataset_id = r.dataset_id)`,
      )
      .bind(full, before),
    d1.prepare(`DELETE FROM finding_runs WHERE ${RIGHTS_UNUSED}`).bind(full, before),
  ])
}
