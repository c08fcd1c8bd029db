import type { KeptUnderAccess } from '../../identity/access/changed-rights'
import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { FindingKind } from '../../shared/findings'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { worstState } from './model/alert-state'
import { limitStoredGroups, type StoredGroup } from './stored-groups'
import { accessFingerprint, type Scope } from '../../scope'
import { ALERTS_MAX, EVENTS_KEPT } from '../../shared/alerts'
import type {
  AlertBasis,
  Alert,
  AlertContent,
  AlertGroup,
  AlertProblem,
  AlertEvent,
  AlertEventKind,
} from '../../shared/alerts'
import type { ColumnFormat } from '../../shared/data-sources/files'
import type { Database } from '../../db/database'
import { encodeCursor, type CursorPosition } from '../../http/pagination'
import { nameKey, type ListPage } from '../../shared/field-schemas'
import type { SubjectRef } from '../../shared/monitored-metric'

/** An alert with everything that is remembered of it. */
export interface StoredAlert extends Omit<Alert, 'groups' | 'state'> {
  workspaceId: string
  kept: StoredGroup[]
  rights: string
  datasets: string[]
  serial: number
  mutedUntilMs: number | null
}
type ParsedColumn = 'receivers' | 'receiverNames' | 'kept' | 'datasets' | 'trouble' | 'format'
type ConvertedColumn =
  | ParsedColumn
  | 'active'
  | 'mutedUntil'
  | 'mutedUntilMs'
  | 'evaluatedAt'
  | 'createdAt'
  | 'updatedAt'
type StoredRules = Omit<AlertContent, 'name' | 'receivers' | 'active'>
type AlertRow = Omit<StoredAlert, keyof StoredRules | ConvertedColumn> &
  Record<'rules' | 'receivers' | 'receiverNames' | 'kept' | 'datasets', string> &
  Record<'trouble' | 'format', string | null> &
  Record<'active' | 'createdAt' | 'updatedAt', number> &
  Record<'mutedUntil' | 'evaluatedAt', number | null>

/** Columns in the order in which an alert is told. */
const ALERT_SELECT = `SELECT a.id, a.workspace_id AS workspaceId, a.name, a.receivers,
    (SELECT coalesce(json_group_array(p.name), '[]') FROM json_each(a.receivers) r
       JOIN members m ON m.workspace_id = a.workspace_id AND m.user_id = r.value JOIN users p ON p.id = m.user_id) AS receiverNames,
    a.groups AS kept, a.datasets, a.trouble, a.format, a.rights, a.serial, a.active,
    CASE a.subject_kind
      WHEN 'metric' THEN (SELECT m.name FROM metrics m WHERE m.id = a.subject_id AND m.workspace_id = a.workspace_id)
      ELSE (SELECT i.name FROM insights i WHERE i.id = a.subject_id AND i.workspace_id = a.workspace_id
        AND i.deleted_at IS NULL) END AS subjectName,
    a.owner_id AS ownerId, u.name AS ownerName, a.version, a.muted_until AS mutedUntil, a.evaluated_at AS evaluatedAt,
    a.created_at AS createdAt, a.updated_at AS updatedAt, a.rules
  FROM alerts a JOIN users u ON u.id = a.owner_id`

/** Our own writing, read back. */
function toStoredAlert({ rules, ...row }: AlertRow): StoredAlert {
  const parsedRules: StoredRules = JSON.parse(rules)
  const parsed: Pick<StoredAlert, ParsedColumn> = {
    receivers: JSON.parse(row.receivers),
    receiverNames: JSON.parse(row.receiverNames),
    kept: JSON.parse(row.kept),
    datasets: JSON.parse(row.datasets),
    trouble: row.trouble === null ? null : JSON.parse(row.trouble),
    format: row.format === null ? null : JSON.parse(row.format),
  }
  return {
    ...parsedRules,
    ...row,
    ...parsed,
    active: row.active === 1,
    mutedUntilMs: row.mutedUntil,
    mutedUntil: toIsoOrNull(row.mutedUntil),
    evaluatedAt: toIsoOrNull(row.evaluatedAt),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
}

/** An alert as somebody may see it: figures only under the rights that they were found with (RLS-3). */
export function toVisibleAlert(scope: Scope, alert: StoredAlert): Alert {
  const { kept, rights, workspaceId: _w, datasets: _d, serial: _s, mutedUntilMs: _m, ...shown } = alert
  const mayRead = rights === accessFingerprint(scope)
  const groups = kept.map(({ member, label, state, since, period, value, compared }): AlertGroup => ({
    ...{ state, since: toIso(since), period },
    member: mayRead ? member : null,
    label: mayRead ? label : null,
    value: mayRead ? value : null,
    compared: mayRead ? compared : null,
  }))
  const trouble = shown.trouble && !mayRead ? withoutDataEnd(shown.trouble) : shown.trouble
  return { ...shown, state: worstState(kept.map(({ state }) => state)), groups, trouble }
}

const withoutDataEnd = ({ dataTo: _dataTo, ...problem }: AlertProblem): AlertProblem => problem

const rulesJson = ({ subject, condition, grain, on, by, hold, reminderDays }: AlertContent): string =>
  JSON.stringify({ subject, condition, grain, on, by, hold, reminderDays })

export interface NewAlertEvent {
  id: string
  kind: AlertEventKind
  label?: string | null
  period?: string | null
  value?: number | null
  rights?: string
}
interface EventRow {
  id: string
  kind: AlertEventKind
  at: number
  by: string | null
  label: string | null
  period: string | null
  value: number | null
  rights: string
}
interface AlertListQuery {
  limit: number
  after: CursorPosition | null
  subject: { kind: SubjectRef['kind']; id: string } | null
}

/** The alerts of one workspace. Writes are statements for `commit`. */
export const alertStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  return {
    async get(id: string): Promise<StoredAlert | null> {
      const row = await d1
        .prepare(`${ALERT_SELECT} WHERE a.workspace_id = ?1 AND a.id = ?2 AND ${isVisibleSql('a.id', '?3')}`)
        .bind(workspaceId, id, await hiddenThings({ d1 }, scope))
        .first<AlertRow>()
      return row && toStoredAlert(row)
    },

    async list({ limit, after, subject }: AlertListQuery): Promise<ListPage<StoredAlert>> {
      const { results } = await d1
        .prepare(
          `${ALERT_SELECT} WHERE a.workspace_id = ?1 AND (?2 IS NULL OR (a.subject_kind = ?2 AND a.subject_id = ?3))
             AND (?4 IS NULL OR a.created_at < ?4 OR (a.created_at = ?4 AND a.id < ?5))
             AND ${isVisibleSql('a.id', '?7')}
           ORDER BY a.created_at DESC, a.id DESC LIMIT ?6`,
        )
        .bind(
          ...[workspaceId, subject?.kind ?? null, subject?.id ?? null, after?.at ?? null, after?.id ?? '', limit + 1],
          await hiddenThings({ d1 }, scope),
        )
        .all<AlertRow>()
      const page = results.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = results.length > limit && last ? encodeCursor({ at: last.createdAt, id: last.id }) : null
      return { items: page.map(toStoredAlert), nextCursor }
    },

    async count(): Promise<number> {
      const found = d1.prepare('SELECT count(*) AS n FROM alerts WHERE workspace_id = ?').bind(workspaceId)
      return (await found.first<number>('n')) ?? 0
    },

    /** Ids of those of an owner's workspace that read a dataset, or were never evaluated. */
    async dependentsOf(datasetId: string, by: AlertBasis | null): Promise<string[]> {
      const { results } = await d1
        .prepare(
          `SELECT a.id FROM alerts a WHERE a.workspace_id = ?1 AND a.active = 1 AND (a.datasets = '[]' OR a.trouble IS NOT NULL
             OR EXISTS (SELECT 1 FROM json_each(a.datasets) d WHERE d.value = ?2))
             AND (?3 IS NULL OR (?3 = 'found') = (json_extract(a.rules, '$.condition.kind') IN ('finding', 'band')))
           ORDER BY a.created_at, a.id`,
        )
        .bind(workspaceId, datasetId, by)
        .all<{ id: string }>()
      return results.map(({ id }) => id)
    },

    /** Those that are evaluated, with the rights that they were last evaluated by. */
    async keptUnderRights(): Promise<KeptUnderAccess[]> {
      const { results } = await d1
        .prepare(
          `SELECT id, owner_id AS ownerId, rights FROM alerts WHERE workspace_id = ? AND active = 1 AND rights <> ''
           ORDER BY created_at, id`,
        )
        .bind(workspaceId)
        .all<KeptUnderAccess>()
      return results
    },

    /** Kinds of what was found about a figure under the scope's rights, with the last day that each finding is about. */
    async findingKinds(subjectId: string): Promise<{ kind: FindingKind; day: string }[]> {
      const { results } = await d1
        .prepare(
          `SELECT json_extract(effect, '$.kind') AS kind, json_extract(effect, '$.period.to') AS day FROM findings
           WHERE workspace_id = ?1 AND rights = ?2 AND (json_extract(about, '$.metric') = ?3
             OR EXISTS (SELECT 1 FROM json_each(about, '$.insights') WHERE value = ?3))`,
        )
        .bind(workspaceId, accessFingerprint(scope), subjectId)
        .all<{ kind: FindingKind; day: string }>()
      return results
    },

    /** Ids of people that are no members here. */
    async nonMembers(userIds: readonly string[]): Promise<string[]> {
      const { results } = await d1
        .prepare(
          `SELECT value AS id FROM json_each(?2) WHERE value NOT IN
             (SELECT user_id FROM members WHERE workspace_id = ?1 AND role <> 'client')`,
        )
        .bind(workspaceId, JSON.stringify(userIds))
        .all<{ id: string }>()
      return results.map(({ id }) => id)
    },

    /** Inserts no row when there are as many as there may be. */
    insert: (id: string, content: AlertContent, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO alerts (workspace_id, id, name, name_key, subject_kind, subject_id, rules, receivers, active, owner_id,
             due_at, created_at, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?11
           WHERE (SELECT count(*) FROM alerts WHERE workspace_id = ?1) < ${ALERTS_MAX}`,
        )
        .bind(
          ...[workspaceId, id, content.name, nameKey(content.name), content.subject.kind, content.subject.id],
          ...[rulesJson(content), JSON.stringify(content.receivers), content.active ? 1 : 0, scope.actorId, now],
        ),

    /** Changes no row when another version is stored. `groups`: what is still remembered; null = all of it. */
    update: (
      id: string,
      content: AlertContent,
      at: { version: number; now: number; forget: boolean },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE alerts SET name = ?3, name_key = ?4, subject_kind = ?5, subject_id = ?6, rules = ?7, receivers = ?8, active = ?9,
             updated_at = ?10, due_at = ?10, version = version + 1, serial = serial + 1, trouble = NULL,
             groups = CASE WHEN ?11 THEN '[]' ELSE groups END, datasets = CASE WHEN ?11 THEN '[]' ELSE datasets END
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?12`,
        )
        .bind(
          ...[workspaceId, id, content.name, nameKey(content.name), content.subject.kind, content.subject.id],
          ...[rulesJson(content), JSON.stringify(content.receivers), content.active ? 1 : 0, at.now],
          ...[at.forget ? 1 : 0, at.version],
        ),

    takeOver: (id: string): D1PreparedStatement =>
      d1
        .prepare('UPDATE alerts SET owner_id = ?3 WHERE workspace_id = ?1 AND id = ?2')
        .bind(workspaceId, id, scope.actorId),

    remove: (id: string, version: number): D1PreparedStatement =>
      d1.prepare('DELETE FROM alerts WHERE workspace_id = ? AND id = ? AND version = ?').bind(workspaceId, id, version),

    /** What an evaluation found. Changes no row when something else was remembered, or edited, meanwhile. */
    saveEvaluation: (alert: StoredAlert, to: EvaluationRecord): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE alerts SET groups = ?3, rights = ?4, format = ?5, datasets = ?6, trouble = ?7, evaluated_at = ?8, due_at = ?9,
             serial = serial + 1
           WHERE workspace_id = ?1 AND id = ?2 AND serial = ?10`,
        )
        .bind(
          ...[
            workspaceId,
            alert.id,
            JSON.stringify(limitStoredGroups(to.kept)),
            to.rights,
            to.format && JSON.stringify(to.format),
          ],
          ...[JSON.stringify(to.datasets), to.trouble && JSON.stringify(to.trouble), to.now, to.dueAt, alert.serial],
        ),

    /** Changes no row when something else was remembered meanwhile. */
    setGroups: (alert: StoredAlert, kept: StoredGroup[]): D1PreparedStatement =>
      d1
        .prepare(
          'UPDATE alerts SET groups = ?3, serial = serial + 1 WHERE workspace_id = ?1 AND id = ?2 AND serial = ?4',
        )
        .bind(workspaceId, alert.id, JSON.stringify(kept), alert.serial),

    mute: (alert: StoredAlert, at: { until: number | null; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE alerts SET muted_until = ?3, serial = serial + 1, due_at = CASE WHEN ?3 IS NULL THEN ?4 ELSE due_at END
           WHERE workspace_id = ?1 AND id = ?2 AND serial = ?5`,
        )
        .bind(workspaceId, alert.id, at.until, at.now, alert.serial),

    /** Writes down what happened, and forgets what is older than the newest {@link EVENTS_KEPT}. */
    recordEvents: (
      alertId: string,
      events: readonly NewAlertEvent[],
      at: { now: number; by: string | null },
    ): D1PreparedStatement[] => [
      ...events.map(({ id, kind, label = null, period = null, value = null, rights = '' }) =>
        d1
          .prepare(
            `INSERT INTO alert_events (id, workspace_id, alert_id, kind, at, actor_id, label, period, value, rights)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .bind(id, workspaceId, alertId, kind, at.now, at.by, label, period, value, rights),
      ),
      ...(events.length === 0
        ? []
        : [
            d1
              .prepare(
                `DELETE FROM alert_events WHERE id IN (SELECT id FROM alert_events
                   WHERE alert_id = ?1 AND workspace_id = ?2 ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?3)`,
              )
              .bind(alertId, workspaceId, EVENTS_KEPT),
          ]),
    ],

    /** The newest first. */
    async events(
      alertId: string,
      { limit, after }: { limit: number; after: CursorPosition | null },
    ): Promise<ListPage<AlertEvent>> {
      const { results } = await d1
        .prepare(
          `SELECT e.id, e.kind, e.at, u.name AS "by", e.label, e.period, e.value, e.rights FROM alert_events e
           LEFT JOIN users u ON u.id = e.actor_id
           WHERE e.workspace_id = ?1 AND e.alert_id = ?2 AND (?3 IS NULL OR e.at < ?3 OR (e.at = ?3 AND e.id < ?4))
           ORDER BY e.at DESC, e.id DESC LIMIT ?5`,
        )
        .bind(workspaceId, alertId, after?.at ?? null, after?.id ?? '', limit + 1)
        .all<EventRow>()
      const page = results.slice(0, limit)
      const last = page.at(-1)
      const mine = accessFingerprint(scope)
      return {
        items: page.map(({ at, rights, label, value, ...event }) => ({
          ...event,
          at: toIso(at),
          label: rights === '' || rights === mine ? label : null,
          value: rights === mine ? value : null,
        })),
        nextCursor: results.length > limit && last ? encodeCursor({ at: last.at, id: last.id }) : null,
      }
    },
  }
}

/** Alerts that are due in all workspaces; nobody else gets them until `leaseEnd`. */
export async function claimDueAlerts(
  { d1 }: Database,
  at: { now: number; leaseEnd: number; limit: number },
): Promise<{ id: string; workspaceId: string; ownerId: string }[]> {
  const { results } = await d1
    .prepare(
      `UPDATE alerts SET due_at = ?2 WHERE id IN (
         SELECT id FROM alerts INDEXED BY alerts_due WHERE active = 1 AND due_at <= ?1
           AND workspace_id IN (SELECT id FROM workspaces WHERE deleted_at IS NULL) ORDER BY due_at LIMIT ?3)
       RETURNING id, workspace_id AS workspaceId, owner_id AS ownerId`,
    )
    .bind(at.now, at.leaseEnd, at.limit)
    .all<{ id: string; workspaceId: string; ownerId: string }>()
  return results
}

export interface EvaluationRecord {
  kept: StoredGroup[]
  rights: string
  format: ColumnFormat | null
  datasets: string[]
  trouble: AlertProblem | null
  now: number
  /** When the scheduled round looks at it next. */
  dueAt: number
}
