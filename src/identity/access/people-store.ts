import type { AccessPerson } from './data-rights'
import type { HeldValue } from './user-attributes'
import { groupMembershipSql } from '../group-membership'
import { effectiveMembership, memberRankColumns, type MemberRanks } from '../../entitlements/limits'
import type { Database } from '../../db/database'
import type { AttributeHolder, AttributeValue } from '../../shared/data-access/rules'
import type { PlanFeatures } from '../../shared/billing/plans'

/** A member as rules of access see them, by name. */
export interface NamedPerson extends AccessPerson {
  name: string
}
interface PersonRow extends MemberRanks {
  user_id: string
  name: string
  email: string | null
}
interface MembershipRow {
  group_id: string
  user_id: string
}
interface ValueRow {
  attribute_id: string
  holder_kind: AttributeHolder['kind']
  holder_id: string
  value: string
}

const SELECT_VALUES = 'SELECT attribute_id, holder_kind, holder_id, value FROM attribute_values WHERE workspace_id = ?1'

/** Every active member who has a seat, in one round trip. @param only of one member */
export async function readAccessPeople(
  { d1 }: Database,
  { workspaceId, features, only = null }: { workspaceId: string; features: PlanFeatures; only?: string | null },
): Promise<NamedPerson[]> {
  const [people, groups, held] = await d1.batch<PersonRow & MembershipRow & ValueRow>([
    d1
      .prepare(
        `SELECT m.user_id, m.role, u.name, CASE WHEN u.email_proven_at IS NOT NULL THEN u.email END AS email,
           ${memberRankColumns('m', 'm.workspace_id')}
         FROM members m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
         WHERE m.workspace_id = ?1 AND m.status = 'active' AND (?2 IS NULL OR m.user_id = ?2)
         ORDER BY u.name COLLATE NOCASE, u.id`,
      )
      .bind(workspaceId, only),
    d1
      .prepare(`SELECT group_id, user_id FROM ${groupMembershipSql('?1')} WHERE ?2 IS NULL OR user_id = ?2`)
      .bind(workspaceId, only),
    d1.prepare(`${SELECT_VALUES} AND (?2 IS NULL OR holder_kind = 'group' OR holder_id = ?2)`).bind(workspaceId, only),
  ])
  const rows: PersonRow[] = people?.results ?? []
  const memberships: MembershipRow[] = groups?.results ?? []
  const values = (held?.results ?? []).map(heldValueFromRow)
  const groupsOf = Map.groupBy(memberships, ({ user_id }) => user_id)
  const ofGroups = values.filter(({ holder }) => holder.kind === 'group')
  const ofMembers = Map.groupBy(values, ({ holder }) => (holder.kind === 'member' ? holder.id : ''))
  return rows.flatMap((row) => {
    const { seat, role } = effectiveMembership(row, features)
    if (seat === 'none') return []
    const { user_id: userId, name, email } = row
    const groupIds = (groupsOf.get(userId) ?? []).map(({ group_id }) => group_id)
    return [{ userId, name, email, role, groupIds, values: [...(ofMembers.get(userId) ?? []), ...ofGroups] }]
  })
}

/** Values of all attributes of a workspace. */
export async function readHeldValues({ d1 }: Database, workspaceId: string): Promise<HeldValue[]> {
  const { results } = await d1.prepare(SELECT_VALUES).bind(workspaceId).all<ValueRow>()
  return results.map(heldValueFromRow)
}

function heldValueFromRow(row: ValueRow): HeldValue {
  const values: AttributeValue[] = JSON.parse(row.value)
  return { attributeId: row.attribute_id, holder: { kind: row.holder_kind, id: row.holder_id }, values }
}
