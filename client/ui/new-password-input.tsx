import { PasswordInput, Progress, Text } from '@mantine/core'
import type { PasswordInputProps } from '@mantine/core'
import { useId } from 'react'
import { passwordHint } from '../lib/password-hint'

export interface NewPasswordInputProps extends Omit<PasswordInputProps, 'value'> {
  /** What is typed: the hint follows it. */
  value: string
}

/** A password that is chosen: says what is missing while it is typed. */
export function NewPasswordInput({ value, ...rest }: NewPasswordInputProps) {
  const id = useId()
  const hint = passwordHint(value)
  return (
    <div>
      <PasswordInput autoComplete="new-password" aria-describedby={id} value={value} {...rest} />
      <Progress value={hint.share} size={3} mt={8} color={hint.enough ? 'green' : 'accent'} aria-hidden="true" />
      <Text id={id} size="xs" c="dimmed" mt={4} aria-live="polite">
        {hint.words}
      </Text>
    </div>
  )
}
