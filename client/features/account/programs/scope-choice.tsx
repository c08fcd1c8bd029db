import { Checkbox, Stack } from '@mantine/core'
import { TOKEN_SCOPE_LABELS, TOKEN_SCOPE_PURPOSES, TOKEN_SCOPES } from '../../../../src/shared/programs/access-tokens'
import type { TokenScope } from '../../../../src/shared/programs/access-tokens'

export interface ScopeChoiceProps {
  /** What there is to choose from. */
  offered?: readonly TokenScope[]
  value: TokenScope[]
  onChange: (scopes: TokenScope[]) => void
  error?: string | undefined
}

/** What a program may do. */
export function ScopeChoice({ offered = TOKEN_SCOPES, value, onChange, error }: ScopeChoiceProps) {
  const choose = (names: string[]) => onChange(TOKEN_SCOPES.filter((scope) => names.includes(scope)))
  return (
    <Checkbox.Group label="Permissions" value={value} onChange={choose} error={error}>
      <Stack gap="xs" mt={6}>
        {offered.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={TOKEN_SCOPE_LABELS[scope]}
            description={TOKEN_SCOPE_PURPOSES[scope]}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
