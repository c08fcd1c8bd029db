import { Progress } from '@mantine/core'
import { PASSWORD_MIN_CHARS } from '../../../src/shared/limits'
import { PasswordField, type PasswordFieldProps } from './password-field'

export interface NewPasswordInputProps extends Omit<PasswordFieldProps, 'value'> {
  /** What is typed: the hint follows it. */
  value: string
}

/** A password that is chosen: says what is missing while it is typed. */
export function NewPasswordInput({ value, ...rest }: NewPasswordInputProps) {
  const hint = passwordHint(value)
  return (
    <div>
      <PasswordField
        autoComplete="new-password"
        // What was refused is not praised beside it.
        description={rest.error ? undefined : hint.words}
        descriptionProps={{ 'aria-live': 'polite' }}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value}
        {...rest}
      />
      <Progress
        value={rest.error ? 0 : hint.share}
        size={3}
        mt={8}
        color={hint.enough ? 'green' : 'accent'}
        aria-hidden="true"
      />
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
    return { share: 0, words: `At least ${PASSWORD_MIN_CHARS} characters. Try a sentence.`, enough: false }
  if (length < PASSWORD_MIN_CHARS) {
    const missing = PASSWORD_MIN_CHARS - length
    const words = `${missing} more ${missing === 1 ? 'character' : 'characters'}`
    return { share: (length / PASSWORD_MIN_CHARS) * 60, words, enough: false }
  }
  if (distinct < 6) return { share: 60, words: 'Too repetitive. Add other words.', enough: false }
  if (length >= 20) return { share: 100, words: 'Strong', enough: true }
  return { share: 80, words: 'Good. More words make it stronger.', enough: true }
}
