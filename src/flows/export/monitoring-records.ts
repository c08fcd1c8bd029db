import { streamJsonArray } from './stream-json'
import { accessFingerprint } from '../../identity/scope'
import type { Scope } from '../../identity/scope'
import type { Database } from '../../db/database'
import { currencyStore } from '../../features/currencies/store'
import { csvLine } from '../../shared/csv-line'
import { readAccountClasses } from '../../semantic/account-class-store'

const iso = (at: unknown): string | null => (typeof at === 'number' ? new Date(at).toISOString() : null)
const parsedJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)
const SUBJECT = `CASE t.subject_kind
  WHEN 'metric' THEN (SELECT name FROM metrics WHERE id = t.subject_id AND workspace_id = t.workspace_id)
  ELSE (SELECT name FROM insights WHERE id = t.subject_id AND workspace_id = t.workspace_id) END`
/** Events of alerts read at once. */
const PAGE = 1_000

interface AlertEventRow {
  cursor: number
  at: number
  alert: string
  kind: string
  by: string | null
  label: string | null
  period: string | null
  value: number | null
  rights: string
}

/**
 * What watches over figures and what was found in them, as plain data to be written down. What was read by other rights
 * than the asker's is left out, and what people keep to themselves is there for the asker alone.
 */
export const monitoringRecords = (db: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  const mine = accessFingerprint(scope)
  const rows = async (sql: string, ...more: string[]): Promise<Record<string, unknown>[]> =>
    (
      await db.d1
        .prepare(sql)
        .bind(workspaceId, ...more)
        .all<Record<string, unknown>>()
    ).results
  return {
    /** Read while they are written. */
    targets: () =>
      streamJsonArray(
        async (after) =>
          (
            await db.d1
              .prepare(
                `SELECT t.rowid AS cursor, t.subject_kind AS kind, t.subject_id AS id, ${SUBJECT} AS name, t.grain, t.by_field,
                   t.lines, u.name AS updatedBy, t.updated_at
                 FROM targets t LEFT JOIN users u ON u.id = t.updated_by
                 WHERE t.workspace_id = ? AND t.rowid > ? ORDER BY t.rowid LIMIT 50`,
              )
              .bind(workspaceId, after)
              .all<Record<string, unknown>>()
          ).results,
        ({ kind, id, name, by_field, lines, updated_at, ...row }) => ({
          ...{ subject: { kind, id, name }, ...row, by: parsedJson(by_field), lines: parsedJson(lines) },
          updatedAt: iso(updated_at),
        }),
      ),

    async alerts() {
      const found = await rows(
        `SELECT t.id, t.name, ${SUBJECT} AS subjectName, t.rules, t.receivers, t.active, t.owner_id AS ownerId,
           u.name AS ownerName, t.trouble, t.muted_until, t.evaluated_at, t.created_at, t.updated_at
         FROM alerts t JOIN users u ON u.id = t.owner_id WHERE t.workspace_id = ? ORDER BY t.name_key`,
      )
      return found.map(
        ({ rules, receivers, active, trouble, muted_until, evaluated_at, created_at, updated_at, ...row }) => ({
          ...{ ...row, rules: parsedJson(rules), receiverIds: parsedJson(receivers), active: active === 1 },
          ...{ trouble: parsedJson(trouble), mutedUntil: iso(muted_until), evaluatedAt: iso(evaluated_at) },
          ...{ createdAt: iso(created_at), updatedAt: iso(updated_at) },
        }),
      )
    },

    /** What happened to alerts, the oldest first, read while it is written. */
    async *alertLog(): AsyncGenerator<Uint8Array> {
      const encoder = new TextEncoder()
      yield encoder.encode(`\ufeff${csvLine(['At', 'Alert', 'What', 'By', 'Of', 'Period', 'Value'])}`)
      for (let after = 0; ;) {
        const { results } = await db.d1
          .prepare(
            `SELECT e.rowid AS cursor, e.at, a.name AS alert, e.kind, u.name AS "by", e.label, e.period, e.value, e.rights
             FROM alert_events e JOIN alerts a ON a.id = e.alert_id LEFT JOIN users u ON u.id = e.actor_id
             WHERE e.workspace_id = ? AND e.rowid > ? ORDER BY e.rowid LIMIT ${PAGE}`,
          )
          .bind(workspaceId, after)
          .all<AlertEventRow>()
        const lines = results.map(({ at, alert, kind, by, label, period, value, rights }) =>
          csvLine([
            ...[iso(at), alert, kind, by, rights === '' || rights === mine ? label : null, period],
            rights === mine ? value : null,
          ]),
        )
        yield encoder.encode(lines.join(''))
        const last = results.at(-1)
        if (!last || results.length < PAGE) return
        after = last.cursor
      }
    },

    /** What was found by the asker's rights, with what the asker said of it; also of what is found no more. */
    async findings() {
      const found = await rows(
        `SELECT f.id, coalesce(f.key, m.key) AS key, f.dataset_id AS dataset, f.about, f.effect, f.first_found_at, f.found_at,
           m.pinned_at, m.hidden_at, m.rating
         FROM (SELECT * FROM findings WHERE workspace_id = ?1 AND rights = ?2) f
         FULL JOIN (SELECT * FROM finding_marks WHERE workspace_id = ?1 AND user_id = ?3) m ON m.key = f.key
         ORDER BY f.found_at DESC, key`,
        mine,
        actorId,
      )
      return found.map(({ about, effect, first_found_at, found_at, pinned_at, hidden_at, rating, ...row }) => ({
        ...{ ...row, about: parsedJson(about), effect: parsedJson(effect) },
        ...{ firstFoundAt: iso(first_found_at), foundAt: iso(found_at) },
        yours: { pinnedAt: iso(pinned_at), hiddenAt: iso(hidden_at), rating },
      }))
    },

    /** What the asker has set for themselves. */
    async yours() {
      const [followed, digests] = await Promise.all([
        rows(
          `SELECT i.id, i.name FROM insight_follows f JOIN insights i ON i.id = f.insight_id AND i.deleted_at IS NULL
           WHERE f.workspace_id = ? AND f.user_id = ? ORDER BY i.name_key`,
          actorId,
        ),
        rows('SELECT cadence FROM digests WHERE workspace_id = ? AND user_id = ?', actorId),
      ])
      return { followedInsights: followed, digest: digests[0]?.['cadence'] ?? 'weekly' }
    },

    async rates() {
      const store = currencyStore(db, scope)
      const [{ code, mode }, own] = await Promise.all([store.settings(), store.list()])
      return { shownIn: code, mode, own: own.map(({ version: _version, ...rate }) => rate) }
    },

    async accounts() {
      const { ranges, adjusted } = await readAccountClasses(db, scope)
      return { adjusted, ranges }
    },
  }
}
