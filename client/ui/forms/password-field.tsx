import { PasswordInput, type PasswordInputProps } from '@mantine/core'

export type PasswordFieldProps = PasswordInputProps

/** A password. Marked as invalid beside its error, which the library's own field is to the eye only. */
export const PasswordField = (props: PasswordFieldProps) => (
  <PasswordInput {...props} {...(props.error ? { 'aria-invalid': true } : {})} />
)
