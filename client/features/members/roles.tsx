import { Radio, Stack } from '@mantine/core'
import type { Role } from '../../../src/shared/permissions'
import classes from './members.module.css'

/** What each role is called, and what it may do in a sentence. */
export const ROLE_TEXT: Record<Role, { name: string; sentence: string }> = {
  owner: {
    name: 'Owner',
    sentence: 'Full access, including transfer and deletion.',
  },
  admin: {
    name: 'Admin',
    sentence: 'Can also invite people and change settings. Uses an analyst seat.',
  },
  analyst: {
    name: 'Analyst',
    sentence: 'Can import data and create insights. Uses an analyst seat.',
  },
  viewer: {
    name: 'Viewer',
    sentence: 'Can view and export.',
  },
  client: {
    name: 'Client',
    sentence: 'Sees only what’s shared with clients.',
  },
}

/** The roles that are given here. Ownership is handed over; clients are invited where things are shared with them. */
const ASSIGNABLE_ROLES = ['admin', 'analyst', 'viewer'] as const satisfies readonly Role[]
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number]

export const isAssignableRole = (text: string): text is AssignableRole => ASSIGNABLE_ROLES.some((role) => role === text)

const ANALYST_SEAT_ROLES: readonly Role[] = ['owner', 'admin', 'analyst']
/** Whether the role takes one of the plan's analyst seats. */
export const takesAnalystSeat = (role: Role): boolean => ANALYST_SEAT_ROLES.includes(role)

/** "an admin", "a viewer": the role inside a sentence. */
export function roleWithArticle(role: Role): string {
  const name = ROLE_TEXT[role].name.toLowerCase()
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`
}

export interface RolePickerProps {
  label: string
  value: AssignableRole | null
  onChange: (role: AssignableRole) => void
}

/** The roles that can be given, each with what it may do. */
export function RolePicker({ label, value, onChange }: RolePickerProps) {
  return (
    <Radio.Group label={label} value={value} onChange={(text) => isAssignableRole(text) && onChange(text)}>
      <Stack gap={8}>
        {ASSIGNABLE_ROLES.map((role) => (
          <Radio
            key={role}
            value={role}
            label={ROLE_TEXT[role].name}
            description={ROLE_TEXT[role].sentence}
            className={classes.roleChoice}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
