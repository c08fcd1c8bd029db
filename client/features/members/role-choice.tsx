import { Radio, Stack } from '@mantine/core'
import classes from './members.module.css'
import { ASSIGNABLE_ROLES, isAssignableRole, ROLE_TEXT } from './role-words'
import type { AssignableRole } from './role-words'

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
