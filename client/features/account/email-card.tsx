import { DialogForm } from '../../ui/forms/form-dialog'
import { QueryView } from '../../ui/query-view'
import { Button, Group, Stack, TextInput, Badge, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { ReauthenticationField, wrongPasswordMessage } from './reauthentication-field'
import { changeEmail, emailQuery, cancelEmailChange } from './queries'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { changeEmailSchema, type SignInMethods, type EmailChange } from '../../../src/shared/account'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { SectionCard } from '../../ui/section-card'
import { TERMS } from '../../../src/shared/terms'
import { FormSkeleton } from '../../ui/skeletons'
import { FormFooter } from '../../ui/forms/form-footer'

const EMPTY_EMAIL_VALUES = { email: '', password: '' }
const toEmailInput = ({ email, password }: typeof EMPTY_EMAIL_VALUES) => ({
  email,
  ...(password === '' ? {} : { password }),
})

interface ChangeEmailFormProps {
  signIns: SignInMethods
  /** The address of today confirms too, because it is proven. */
  asksCurrent: boolean
  onClose: () => void
}

function ChangeEmailForm({ signIns, asksCurrent, onClose }: ChangeEmailFormProps) {
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
    <DialogForm
      submit={asksCurrent ? 'Send both emails' : 'Send email'}
      pending={requestChange.isPending}
      onSubmit={form.onSubmit((values) => requestChange.mutate(values))}
      onClose={onClose}
    >
      {wrongPasswordMessage(requestChange.error) === null && <FormError error={requestChange.error} />}
      <TextInput
        label="New email"
        type="email"
        autoComplete="email"
        inputMode="email"
        autoFocus
        description={
          asksCurrent ? 'We’ll email both addresses; both must confirm.' : 'We’ll email a link to confirm it.'
        }
        {...form.getInputProps('email')}
      />
      <ReauthenticationField
        signIns={signIns}
        value={form.values.password}
        error={typeof passwordError === 'string' ? passwordError : null}
        onChange={(password) => form.setFieldValue('password', password)}
      />
    </DialogForm>
  )
}

/** The address of an account, and its change, which both sides confirm. */
export function EmailCard({ signIns }: { signIns: SignInMethods }) {
  const change = useQuery(emailQuery())
  const [changing, setChanging] = useState(false)
  const asksCurrent = useSession().user?.emailProven === true
  return (
    <SectionCard title={TERMS.email}>
      <QueryView query={change} skeleton={<FormSkeleton fields={1} />}>
        {(data) => (
          <>
            <Group justify="space-between" gap="sm">
              <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                {data.email ?? 'No email yet'}
              </Text>
              {!changing && data.pending === null && (
                <Button variant="default" onClick={() => setChanging(true)}>
                  {data.email === null ? 'Add email' : 'Change email'}
                </Button>
              )}
            </Group>
            {data.pending && <PendingEmailChange change={data} pending={data.pending} />}
            {changing && data.pending === null && (
              <ChangeEmailForm
                signIns={signIns}
                asksCurrent={asksCurrent && data.email !== null}
                onClose={() => setChanging(false)}
              />
            )}
          </>
        )}
      </QueryView>
    </SectionCard>
  )
}

function PendingEmailChange({
  change,
  pending,
}: {
  change: EmailChange
  pending: NonNullable<EmailChange['pending']>
}) {
  const client = useQueryClient()
  const format = useFormat()
  const asksBoth = useSession().user?.emailProven === true && change.email !== null
  const cancel = useMutation({
    mutationFn: cancelEmailChange,
    onSuccess: async () => {
      notifications.show({ message: 'Email change cancelled' })
      await client.invalidateQueries(emailQuery())
    },
  })
  return (
    <Stack gap="sm">
      <Text size="sm">
        Changing to <b style={{ overflowWrap: 'anywhere' }}>{pending.email}</b>.{' '}
        {!asksBoth ? 'Open the link we emailed there.' : 'Open the links we emailed to both addresses.'} They expire{' '}
        {format.dateTime(pending.expiresAt)}.
      </Text>
      {asksBoth && change.email !== null && (
        <AddressConfirmation address={change.email} confirmed={pending.oldConfirmed} />
      )}
      <AddressConfirmation address={pending.email} confirmed={pending.newConfirmed} />
      <FormError error={cancel.error} />
      <FormFooter>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel change
        </Button>
      </FormFooter>
    </Stack>
  )
}

function AddressConfirmation({ address, confirmed }: { address: string; confirmed: boolean }) {
  const Icon = confirmed ? IconCheck : IconClock
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {address}
      </Text>
      <Badge color={confirmed ? 'green' : 'yellow'} leftSection={<Icon size={12} aria-hidden />}>
        {confirmed ? 'Confirmed' : 'Pending'}
      </Badge>
    </Group>
  )
}
