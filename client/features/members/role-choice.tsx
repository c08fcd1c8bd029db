import { Radio, Stack } from '@mantine/core'
import classes from './members.module.css'
import { GIVEN_ROLES, isGivenRole, ROLE_WORDS } from './role-words'
import type { GivenRole } from './role-words'

export interface RoleChoiceProps {
  label: string
  value: GivenRole | null
  onChange: (role: GivenRole) => void
}

/** The roles that can be given, each with what it may do. */
export function RoleChoice({ label, value, onChange }: RoleChoiceProps) {
  return (
    <Radio.Group label={label} value={value} onChange={(text) => isGivenRole(text) && onChange(text)}>
      <Stack gap={8}>
        {GIVEN_ROLES.map((role) => (
          <Radio
            key={role}
            value={role}
            label={ROLE_WORDS[role].name}
            description={ROLE_WORDS[role].sentence}
            className={classes.roleChoice}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
