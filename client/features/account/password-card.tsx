import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ReauthenticationField, wrongPasswordMessage } from './reauthentication-field'
import { sessionsQuery, signInsQuery } from './queries'
import { useSession } from '../../lib/session'
import { changePassword } from '../../lib/session-actions'
import { formValidator } from '../../lib/validate-form'
import { useHeldInput } from '../../lib/writes/held-input'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { NewPasswordInput } from '../../ui/forms/new-password-input'
import { SectionCard } from '../../ui/section-card'
import { changePasswordSchema, type SignInMethods } from '../../../src/shared/account'
import { FormFooter } from '../../ui/forms/form-footer'

const EMPTY_VALUES = { current: '', next: '' }
const toPasswordInput = ({ current, next }: typeof EMPTY_VALUES) => ({ next, ...(current === '' ? {} : { current }) })

/** The form of the change; `has`: there is a password, which proves the person. */
function usePasswordChange(hasCurrentPassword: boolean) {
  const client = useQueryClient()
  const check = formValidator(changePasswordSchema)
  const form = useForm({
    initialValues: EMPTY_VALUES,
    validate: (values) => ({
      ...check(toPasswordInput(values)),
      ...(hasCurrentPassword && values.current === '' ? { current: 'Enter your current password.' } : {}),
    }),
  })
  const save = useMutation({
    mutationFn: (values: typeof EMPTY_VALUES) => changePassword(toPasswordInput(values)),
    onSuccess: async () => {
      form.reset()
      notifications.show({
        color: 'green',
        message: hasCurrentPassword ? 'Password changed' : 'Password set',
      })
      await Promise.all([client.invalidateQueries(signInsQuery()), client.invalidateQueries(sessionsQuery())])
    },
    onError: (error) => {
      applyFieldErrors(form, error, ['current', 'next'])
      const fault = wrongPasswordMessage(error)
      if (fault !== null) form.setFieldError('current', fault)
    },
  })
  return { form, save }
}

/** Changes the password, or sets the first one of a person who came by a provider. */
export function PasswordCard({ signIns }: { signIns: SignInMethods }) {
  const { user } = useSession()
  const hasPassword = signIns.password
  const { form, save } = usePasswordChange(hasPassword)
  const fields = useRef<HTMLFormElement>(null)
  useHeldInput(fields, save.isPending)
  return (
    <SectionCard
      title="Password"
      description={
        hasPassword
          ? 'Changing it signs you out everywhere else.'
          : `Set a password to sign in with email.${user?.email == null ? ' Add an email below first.' : ''}`
      }
    >
      <form ref={fields} onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
        <Stack gap="md">
          {wrongPasswordMessage(save.error) === null && <FormError error={save.error} />}
          {/* Tells the browser's own password keeper whose password it is. */}
          <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly style={{ display: 'none' }} />
          <ReauthenticationField
            signIns={signIns}
            label="Current password"
            value={form.values.current}
            error={errorText(form.errors['current'])}
            onChange={(current) => form.setFieldValue('current', current)}
          />
          <NewPasswordInput label="New password" {...form.getInputProps('next')} value={form.values.next} />
          <FormFooter>
            <Button type="submit" loading={save.isPending}>
              {hasPassword ? 'Change password' : 'Set password'}
            </Button>
          </FormFooter>
        </Stack>
      </form>
    </SectionCard>
  )
}

const errorText = (error: unknown): string | null => (typeof error === 'string' ? error : null)
