import { toIso } from '../../lib/iso'
import type { Scope, Staff } from '../../scope'
import type { Database } from '../../db/database'
import type { EnrolmentState } from '../../shared/pilot/features'
import type { PilotFeedback, PilotOverview } from '../../shared/pilot/pilot'

/** Enrolments and feedback of one member. Writes are statements for `commit`. */
export const pilotStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  /** What the member said of each feature. */
  async feedback(): Promise<Map<string, PilotFeedback>> {
    const { results } = await d1
      .prepare('SELECT feature, score, body AS text FROM pilot_feedback WHERE workspace_id = ? AND user_id = ?')
      .bind(workspaceId, actorId)
      .all<PilotFeedback & { feature: string }>()
    return new Map(results.map(({ feature, ...said }) => [feature, said]))
  },

  enrol: (feature: string, to: { state: EnrolmentState; whole: boolean; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO pilot_enrolments (workspace_id, feature, user_id, state, actor_id, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (workspace_id, feature, coalesce(user_id, '')) DO UPDATE
           SET state = excluded.state, actor_id = excluded.actor_id, updated_at = excluded.updated_at`,
      )
      .bind(workspaceId, feature, to.whole ? null : actorId, to.state, actorId, to.now),

  saveFeedback: (feature: string, { score, text }: PilotFeedback, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO pilot_feedback (workspace_id, feature, user_id, score, body, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (workspace_id, feature, user_id) DO UPDATE
           SET score = excluded.score, body = excluded.body, updated_at = excluded.updated_at`,
      )
      .bind(workspaceId, feature, actorId, score, text, now),
})

/** Texts of feedback that the overview shows of each feature. */
const FEEDBACK_SHOWN = 20

type FeatureCounts = Pick<PilotOverview['items'][number], 'workspaces' | 'people' | 'interested' | 'score'>

/** Early access over all workspaces, for a proven {@link Staff}. */
export const pilotAdminStore = ({ d1 }: Database, _staff: Staff) => ({
  async counts(feature: string): Promise<FeatureCounts> {
    const row = await d1
      .prepare(
        `SELECT
           (SELECT count(*) FROM pilot_enrolments WHERE feature = ?1 AND state = 'on' AND user_id IS NULL) AS workspaces,
           (SELECT count(*) FROM pilot_enrolments WHERE feature = ?1 AND state = 'on' AND user_id IS NOT NULL) AS people,
           (SELECT count(*) FROM pilot_enrolments WHERE feature = ?1 AND state = 'interested') AS interested,
           (SELECT avg(score) FROM pilot_feedback WHERE feature = ?1) AS score`,
      )
      .bind(feature)
      .first<FeatureCounts>()
    return row ?? { workspaces: 0, people: 0, interested: 0, score: null }
  },

  async feedback(feature: string): Promise<PilotOverview['items'][number]['feedback']> {
    const { results } = await d1
      .prepare(
        'SELECT score, body AS text, updated_at AS at FROM pilot_feedback WHERE feature = ? ORDER BY updated_at DESC LIMIT ?',
      )
      .bind(feature, FEEDBACK_SHOWN)
      .all<PilotFeedback & { at: number }>()
    return results.map(({ at, ...said }) => ({ ...said, at: toIso(at) }))
  },

  async switches(): Promise<Map<string, { reason: string; at: string }>> {
    const { results } = await d1
      .prepare('SELECT feature, reason, stopped_at AS at FROM pilot_switches')
      .all<{ feature: string; reason: string; at: number }>()
    return new Map(results.map(({ feature, reason, at }) => [feature, { reason, at: toIso(at) }]))
  },

  stop: (feature: string, { reason, now }: { reason: string; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO pilot_switches (feature, reason, stopped_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (feature) DO UPDATE SET reason = excluded.reason`,
      )
      .bind(feature, reason, now),

  resume: (feature: string): D1PreparedStatement =>
    d1.prepare('DELETE FROM pilot_switches WHERE feature = ?').bind(feature),
})
