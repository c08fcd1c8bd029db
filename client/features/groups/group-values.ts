import { formValidator } from '../../lib/validate-form'
import { createGroupSchema } from '../../../src/shared/groups'
import type { CreateGroupInput, UserGroup, GroupColor } from '../../../src/shared/groups'
import { ROLES } from '../../../src/shared/permissions'
import type { Role } from '../../../src/shared/permissions'

/** A group while it is being written. */
export interface GroupFormValues {
  name: string
  description: string
  color: GroupColor
  rule: 'none' | 'domain' | 'role'
  domain: string
  role: Role
}
export const GROUP_FIELDS = ['name', 'description', 'color', 'domain', 'role']

export const toGroupValues = (group: UserGroup | null): GroupFormValues => {
  const rule = group?.autoRule ?? null
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    color: group?.color ?? 'blue',
    rule: rule?.kind ?? 'none',
    domain: rule?.kind === 'domain' ? rule.value : '',
    role: rule?.kind === 'role' ? rule.value : 'analyst',
  }
}

export function toGroupInput({ name, description, color, rule, domain, role }: GroupFormValues): CreateGroupInput {
  const autoRule =
    rule === 'domain' ? { kind: rule, value: domain } : rule === 'role' ? { kind: rule, value: role } : null
  return { name, description, color, autoRule }
}

const check = formValidator(createGroupSchema)
/** The sentence about a rule stands beside the field that holds its value. */
export function validateGroup(values: GroupFormValues): Record<string, string> {
  const { 'autoRule.value': rule, ...errors } = check(toGroupInput(values))
  return rule === undefined ? errors : { ...errors, [values.rule]: rule }
}

export const isRole = (text: string | null): text is Role => ROLES.some((role) => role === text)
