import type { HeldValue } from './user-attributes'
import { dataRights } from './data-rights'
import { groupMembershipSql } from '../group-membership'
import { FULL_RIGHTS, type DataRights } from '../../scope'
import type { Database } from '../../db/database'
import { NO_POLICY, type AccessPolicy } from '../../shared/data-access/rules'
import type { Role } from '../../shared/permissions'

/** What a statement reads of somebody for rules of access; the rest is null while nobody ever wrote one. */
export interface AccessColumns {
  access_epoch: number | null
  /** JSON: ids of groups. */
  access_groups: string | null
  /** JSON: values of attributes of the person and of these groups. */
  access_values: string | null
}

/**
 * Columns of {@link AccessColumns}. All are names of columns of the statement around it: the epoch and id of the workspace,
 * and the id of the person.
 */
export function accessColumns({ epoch, workspace, user }: { epoch: string; workspace: string; user: string }): string {
  const groups = `SELECT group_id FROM ${groupMembershipSql(workspace)} WHERE user_id = ${user}`
  return `${epoch} AS access_epoch,
  CASE WHEN ${epoch} > 0 THEN (SELECT json_group_array(group_id) FROM (${groups})) END AS access_groups,
  CASE WHEN ${epoch} > 0 THEN (SELECT json_group_array(json_object('attributeId', v.attribute_id,
    'holder', json_object('kind', v.holder_kind, 'id', v.holder_id), 'values', json(v.value)))
    FROM attribute_values v WHERE v.workspace_id = ${workspace}
      AND ((v.holder_kind = 'member' AND v.holder_id = ${user}) OR (v.holder_kind = 'group' AND v.holder_id IN (${groups})))
  ) END AS access_values`
}

/** Whose rights are asked for. */
export interface AccessHolder {
  workspaceId: string
  userId: string
  role: Role
  /** A proven address, or null. */
  email: string | null
}

/** What rules leave somebody, of whom a statement read {@link accessColumns}. */
export async function readDataRights(
  db: Database,
  { workspaceId, userId, role, email }: AccessHolder,
  read: AccessColumns,
): Promise<DataRights> {
  const epoch = read.access_epoch ?? 0
  if (epoch === 0) return FULL_RIGHTS
  const policy = await policyOf(db, { workspaceId, epoch })
  const groupIds: string[] = JSON.parse(read.access_groups ?? '[]')
  const values: HeldValue[] = JSON.parse(read.access_values ?? '[]')
  return dataRights(policy, { userId, role, email, groupIds, values })
}

/** Policies that requests of this isolate read, by workspace: each epoch has one, so that none is ever out of date. */
const policies = new Map<string, { epoch: number; policy: AccessPolicy }>()
const POLICIES_MAX = 100

async function policyOf(db: Database, at: { workspaceId: string; epoch: number }): Promise<AccessPolicy> {
  const known = policies.get(at.workspaceId)
  if (known?.epoch === at.epoch) return known.policy
  const { policy, epoch } = await readPolicy(db, at.workspaceId)
  if (policies.size >= POLICIES_MAX) policies.clear()
  policies.set(at.workspaceId, { epoch, policy })
  return policy
}

/** The rules that hold now, and the epoch that they hold since. */
export async function readPolicy(
  { d1 }: Database,
  workspaceId: string,
): Promise<{ policy: AccessPolicy; revision: number; epoch: number }> {
  const row = await d1
    .prepare(
      `SELECT w.access_epoch AS epoch, p.revision, p.policy FROM workspaces w
       LEFT JOIN access_policies p ON p.workspace_id = w.id AND p.revision =
         (SELECT max(revision) FROM access_policies WHERE workspace_id = w.id)
       WHERE w.id = ?`,
    )
    .bind(workspaceId)
    .first<{ epoch: number; revision: number | null; policy: string | null }>()
  if (!row || row.policy === null) return { policy: NO_POLICY, revision: 0, epoch: row?.epoch ?? 0 }
  // Our own writing, read back: it was checked when it was written.
  const policy: AccessPolicy = JSON.parse(row.policy)
  return { policy, revision: row.revision ?? 0, epoch: row.epoch }
}
