import type { GroupMembershipRule, GroupColor, UserGroupMember, GroupImportLine } from '../../../src/shared/groups'
import { ROLES } from '../../../src/shared/permissions'
import { capitalize } from '../../../src/shared/text'

export const roleOptions = ROLES.map((value) => ({ value, label: `${capitalize(value)}s` }))

export const COLOR_NAMES: Record<GroupColor, string> = {
  blue: 'Blue',
  teal: 'Teal',
  green: 'Green',
  yellow: 'Yellow',
  orange: 'Orange',
  red: 'Red',
  pink: 'Pink',
  grape: 'Purple',
}

/** Who belongs to the group without being added. */
export function describeRule(rule: GroupMembershipRule | null): string {
  if (rule === null) return 'Added manually'
  if (rule.kind === 'role') return `All ${rule.value}s`
  return `Confirmed addresses at ${rule.value}`
}

/** Why somebody belongs to it without having been added. */
export function describeReason(rule: GroupMembershipRule | null): string {
  if (rule === null) return ''
  return rule.kind === 'role' ? `By rule: ${rule.value}` : `By rule: @${rule.value}`
}

/** Whether somebody belongs to the group; one who only manages it does not. */
export const isGroupMember = ({ isMember, automatic }: UserGroupMember): boolean => isMember || automatic

/** What becomes of a line of a list, and how that is meant. */
export const OUTCOME_LABELS: Record<GroupImportLine['outcome'], { words: string; tone: 'good' | 'quiet' | 'bad' }> = {
  added: { words: 'Will be added', tone: 'good' },
  already: { words: 'Already a member', tone: 'quiet' },
  unknown_person: { words: 'Not a member of the workspace; invite first', tone: 'bad' },
  invalid: { words: 'Enter a group and a full address', tone: 'bad' },
  too_many: { words: 'Group or workspace limit reached', tone: 'bad' },
}
