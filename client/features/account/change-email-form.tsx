import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ProofField, proofFault } from './proof-field'
import { changeEmail, emailQuery } from './queries'
import { checkWith } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { changeEmailSchema } from '../../../src/shared/account'
import type { SignIns } from '../../../src/shared/account'

const EMPTY = { email: '', password: '' }
const inputOf = ({ email, password }: typeof EMPTY) => ({ email, ...(password === '' ? {} : { password }) })

export interface ChangeEmailFormProps {
  signIns: SignIns
  /** The address of today; null = the first one is added. */
  current: string | null
  onClose: () => void
}

export function ChangeEmailForm({ signIns, current, onClose }: ChangeEmailFormProps) {
  const client = useQueryClient()
  const check = checkWith(changeEmailSchema)
  const form = useForm({
    initialValues: EMPTY,
    validate: (values) => ({
      ...check(inputOf(values)),
      ...(signIns.password && values.password === '' ? { password: 'Enter your password.' } : {}),
    }),
  })
  const start = useMutation({
    mutationFn: (values: typeof EMPTY) => changeEmail(inputOf(values)),
    onSuccess: async () => {
      await client.invalidateQueries(emailQuery())
      onClose()
    },
    onError: (error) => {
      applyFieldErrors(form, error, ['email', 'password'])
      const fault = proofFault(error)
      if (fault !== null) form.setFieldError('password', fault)
    },
  })
  const wrong = form.errors['password']
  return (
    <form onSubmit={form.onSubmit((values) => start.mutate(values))} noValidate>
      <Stack gap="md">
        {proofFault(start.error) === null && <FormError error={start.error} />}
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
        <ProofField
          signIns={signIns}
          value={form.values.password}
          error={typeof wrong === 'string' ? wrong : null}
          onChange={(password) => form.setFieldValue('password', password)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it as it is
          </Button>
          <Button type="submit" loading={start.isPending}>
            {current === null ? 'Send the mail' : 'Send both mails'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
