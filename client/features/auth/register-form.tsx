import { Anchor, Button, Checkbox, PasswordInput, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { passwordHint } from './password-hint'
import { useCountdown } from './use-countdown'
import { retryAfterOf } from '../../lib/describe-error'
import { register } from '../../lib/session-calls'
import { checkWith } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { registerSchema } from '../../../src/shared/session'

const FIELDS = ['name', 'email', 'password', 'acceptTerms'] as const
const EMPTY = { name: '', email: '', password: '', acceptTerms: false }

export function RegisterForm({ onRegistered }: { onRegistered: () => void }) {
  const [wait, startWait] = useCountdown()
  const form = useForm({ mode: 'controlled', initialValues: EMPTY, validate: checkWith(registerSchema) })
  const mutation = useMutation({
    mutationFn: ({ acceptTerms: _accepted, ...input }: typeof EMPTY) => register({ ...input, acceptTerms: true }),
    onSuccess: onRegistered,
    onError: (error) => {
      applyFieldErrors(form, error, FIELDS)
      startWait(retryAfterOf(error))
    },
  })
  const hint = passwordHint(form.values.password)
  return (
    <form onSubmit={form.onSubmit((values) => mutation.mutate(values))} noValidate>
      <Stack gap="md">
        <FormError error={mutation.error} />
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput label="Work e-mail" type="email" autoComplete="username" {...form.getInputProps('email')} />
        <div>
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            aria-describedby="password-hint"
            {...form.getInputProps('password')}
          />
          <Progress value={hint.share} size={3} mt={8} color={hint.enough ? 'green' : 'accent'} aria-hidden="true" />
          <Text id="password-hint" size="xs" c="dimmed" mt={4} aria-live="polite">
            {hint.words}
          </Text>
        </div>
        <Checkbox
          label={
            <>
              I accept the{' '}
              <Anchor href="/terms" target="_blank" underline="always" size="sm">
                terms and privacy notice
              </Anchor>
            </>
          }
          {...form.getInputProps('acceptTerms', { type: 'checkbox' })}
        />
        <Button type="submit" fullWidth loading={mutation.isPending} disabled={wait > 0}>
          {wait > 0 ? `Try again in ${wait} s` : 'Create account'}
        </Button>
      </Stack>
    </form>
  )
}
