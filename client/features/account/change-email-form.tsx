import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ReauthenticationField, wrongPasswordMessage } from './proof-field'
import { changeEmail, emailQuery } from './queries'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { changeEmailSchema } from '../../../src/shared/account'
import type { SignInMethods } from '../../../src/shared/account'

const EMPTY_EMAIL_VALUES = { email: '', password: '' }
const toEmailInput = ({ email, password }: typeof EMPTY_EMAIL_VALUES) => ({
  email,
  ...(password === '' ? {} : { password }),
})

export interface ChangeEmailFormProps {
  signIns: SignInMethods
  /** The address of today; null = the first one is added. */
  current: string | null
  onClose: () => void
}

export function ChangeEmailForm({ signIns, current, onClose }: ChangeEmailFormProps) {
  const client = useQueryClient()
  const check = formValidator(changeEmailSchema)
  const form = useForm({
    initialValues: EMPTY_EMAIL_VALUES,
    validate: (values) => ({
      ...check(toEmailInput(values)),
      ...(signIns.password && values.password === '' ? { password: 'Enter your password.' } : {}),
    }),
  })
  const requestChange = useMutation({
    mutationFn: (values: typeof EMPTY_EMAIL_VALUES) => changeEmail(toEmailInput(values)),
    onSuccess: async () => {
      await client.invalidateQueries(emailQuery())
      onClose()
    },
    onError: (error) => {
      applyFieldErrors(form, error, ['email', 'password'])
      const fault = wrongPasswordMessage(error)
      if (fault !== null) form.setFieldError('password', fault)
    },
  })
  const passwordError = form.errors['password']
  return (
    <form onSubmit={form.onSubmit((values) => requestChange.mutate(values))} noValidate>
      <Stack gap="md">
        {wrongPasswordMessage(requestChange.error) === null && <FormError error={requestChange.error} />}
        <TextInput
          label="New address"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoFocus
          description={
            current === null
              ? 'We send a mail there. Open it to confirm.'
              : 'We send a mail to both addresses. The change happens when both have confirmed.'
          }
          {...form.getInputProps('email')}
        />
        <ReauthenticationField
          signIns={signIns}
          value={form.values.password}
          error={typeof passwordError === 'string' ? passwordError : null}
          onChange={(password) => form.setFieldValue('password', password)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it as it is
          </Button>
          <Button type="submit" loading={requestChange.isPending}>
            {current === null ? 'Send the mail' : 'Send both mails'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
