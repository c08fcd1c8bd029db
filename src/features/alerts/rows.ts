import type { AlertGroupState } from './model/machine'
import { worstState } from './model/machine'
import { accessFingerprint } from '../../access/rights'
import type { Scope } from '../../access/scope'
import type { Alert, AlertContent, AlertGroup, AlertProblem } from '../../shared/alerts'
import type { ColumnFormat } from '../../shared/files'
import type { Cell } from '../../shared/query-result'

/** One group as it is kept between evaluations. */
export interface StoredGroup extends AlertGroupState {
  member: Cell
  label: string | null
  period: string | null
  value: number | null
  compared: number | null
}
/** An alert with everything that is remembered of it. */
export interface StoredAlert extends Omit<Alert, 'groups' | 'state'> {
  workspaceId: string
  kept: StoredGroup[]
  rights: string
  datasets: string[]
  serial: number
  mutedUntilMs: number | null
}
export interface AlertRow {
  id: string
  workspace_id: string
  name: string
  rules: string
  receivers: string
  active: number
  owner_id: string
  owner_name: string
  subject_name: string | null
  receiver_names: string
  groups: string
  rights: string
  format: string | null
  datasets: string
  serial: number
  trouble: string | null
  muted_until: number | null
  evaluated_at: number | null
  version: number
  created_at: number
  updated_at: number
}

export const ALERT_SELECT = `SELECT a.*, u.name AS owner_name,
    CASE a.subject_kind
      WHEN 'metric' THEN (SELECT m.name FROM metrics m WHERE m.id = a.subject_id AND m.workspace_id = a.workspace_id)
      ELSE (SELECT i.name FROM insights i WHERE i.id = a.subject_id AND i.workspace_id = a.workspace_id
        AND i.deleted_at IS NULL) END AS subject_name,
    (SELECT coalesce(json_group_array(p.name), '[]') FROM json_each(a.receivers) r
       JOIN members m ON m.workspace_id = a.workspace_id AND m.user_id = r.value JOIN users p ON p.id = m.user_id) AS receiver_names
  FROM alerts a JOIN users u ON u.id = a.owner_id`
export const iso = (at: number): string => new Date(at).toISOString()
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

export function toStoredAlert(row: AlertRow): StoredAlert {
  const rules: Omit<AlertContent, 'name' | 'receivers' | 'active'> = JSON.parse(row.rules)
  const receivers: string[] = JSON.parse(row.receivers)
  const receiverNames: string[] = JSON.parse(row.receiver_names)
  const kept: StoredGroup[] = JSON.parse(row.groups)
  const datasets: string[] = JSON.parse(row.datasets)
  const trouble: AlertProblem | null = row.trouble === null ? null : JSON.parse(row.trouble)
  const format: ColumnFormat | null = row.format === null ? null : JSON.parse(row.format)
  return {
    ...rules,
    ...{ id: row.id, workspaceId: row.workspace_id, name: row.name, receivers, receiverNames, kept, datasets, trouble },
    ...{ format, rights: row.rights, serial: row.serial, active: row.active === 1, subjectName: row.subject_name },
    ...{ ownerId: row.owner_id, ownerName: row.owner_name, version: row.version },
    mutedUntilMs: row.muted_until,
    mutedUntil: isoOrNull(row.muted_until),
    evaluatedAt: isoOrNull(row.evaluated_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** An alert as somebody may see it: figures only under the rights that they were found with (RLS-3). */
export function toVisibleAlert(scope: Scope, alert: StoredAlert): Alert {
  const { kept, rights, workspaceId: _w, datasets: _d, serial: _s, mutedUntilMs: _m, ...shown } = alert
  const mayRead = rights === accessFingerprint(scope)
  const groups = kept.map(({ member, label, state, since, period, value, compared }): AlertGroup => ({
    ...{ state, since: iso(since), period },
    member: mayRead ? member : null,
    label: mayRead ? label : null,
    value: mayRead ? value : null,
    compared: mayRead ? compared : null,
  }))
  return { ...shown, state: worstState(kept.map(({ state }) => state)), groups }
}
