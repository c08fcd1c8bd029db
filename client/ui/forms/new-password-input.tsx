import { PasswordInput, Progress, Text, type PasswordInputProps } from '@mantine/core'
import { useId } from 'react'
import { PASSWORD_MIN_CHARS } from '../../../src/shared/limits'

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

export interface PasswordHint {
  /** 0–100, for the bar. */
  share: number
  words: string
  enough: boolean
}

/** Calm words about a password while it is typed. Length counts most; repetition takes away. */
export function passwordHint(password: string): PasswordHint {
  const length = Array.from(password.normalize('NFC')).length
  const distinct = new Set(password).size
  if (length === 0)
    return { share: 0, words: `At least ${PASSWORD_MIN_CHARS} characters. A sentence works well.`, enough: false }
  if (length < PASSWORD_MIN_CHARS) {
    const missing = PASSWORD_MIN_CHARS - length
    const words = `${missing} more ${missing === 1 ? 'character' : 'characters'}.`
    return { share: (length / PASSWORD_MIN_CHARS) * 60, words, enough: false }
  }
  if (distinct < 6) return { share: 60, words: 'Long enough, but it repeats itself. Mix in other words.', enough: true }
  if (length >= 20) return { share: 100, words: 'Strong.', enough: true }
  return { share: 80, words: 'Good. A few more words make it stronger.', enough: true }
}
