import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useCountdown } from './use-countdown'
import { AppCheckBox } from '../../lib/app-check-box'
import { retryAfterOf } from '../../lib/describe-error'
import { checkWith } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { resetRequestSchema } from '../../../src/shared/account'

/** A mail takes about this long; asking again sooner helps nobody. */
const AGAIN_SECONDS = 60

export interface MailRequestProps {
  /** What the mail will do. */
  intro: string
  /** A verb and its object: "Send the link". */
  button: string
  /** What stands in the mail, after "If there is an account with …". */
  promise: string
  send: (email: string) => Promise<unknown>
}

/** Asks for an address and has a link sent to it. Says the same for every address, known or not. */
export function MailRequest({ intro, button, promise, send }: MailRequestProps) {
  const [wait, startWait] = useCountdown()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({ initialValues: { email: '' }, validate: checkWith(resetRequestSchema) })
  const request = useMutation({
    mutationFn: send,
    onSuccess: (_sent, email) => {
      setSentTo(email)
      startWait(AGAIN_SECONDS)
    },
    onError: (error) => {
      applyFieldErrors(form, error, ['email'])
      startWait(retryAfterOf(error))
    },
  })
  if (sentTo !== null)
    return (
      <Sent
        promise={`If there is an account with ${sentTo}, ${promise}`}
        wait={wait}
        error={request.error}
        pending={request.isPending}
        onAgain={() => request.mutate(sentTo)}
        onOther={() => {
          request.reset()
          setSentTo(null)
          startWait(0)
        }}
      />
    )
  return (
    <form onSubmit={form.onSubmit(({ email }) => request.mutate(email.trim()))} noValidate>
      <Stack gap="md">
        <Text c="dimmed">{intro}</Text>
        <FormError error={request.error} />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          inputMode="email"
          {...form.getInputProps('email')}
        />
        <AppCheckBox />
        <Button type="submit" fullWidth loading={request.isPending} disabled={wait > 0}>
          {wait > 0 ? `Try again in ${wait} s` : button}
        </Button>
      </Stack>
    </form>
  )
}

interface SentProps {
  promise: string
  /** Seconds until it may be sent again. */
  wait: number
  error: unknown
  pending: boolean
  onAgain: () => void
  onOther: () => void
}

function Sent({ promise, wait, error, pending, onAgain, onOther }: SentProps) {
  const box = useRef<HTMLDivElement>(null)
  // The form with the focus is gone: the words that took its place are read instead.
  useEffect(() => box.current?.focus(), [])
  return (
    <Stack gap="md" ref={box} tabIndex={-1} style={{ outline: 'none' }}>
      <div role="status">
        <Text fw={600} mb={4}>
          Look in your inbox
        </Text>
        <Text style={{ overflowWrap: 'anywhere' }}>{promise}</Text>
      </div>
      <Text size="sm" c="dimmed">
        Nothing there after a minute? Look among unwanted mail, or check the address.
      </Text>
      <FormError error={error} />
      <AppCheckBox />
      <Button variant="default" loading={pending} disabled={wait > 0} onClick={onAgain}>
        {wait > 0 ? `Send it again in ${wait} s` : 'Send it again'}
      </Button>
      <Button variant="subtle" onClick={onOther}>
        Use another address
      </Button>
    </Stack>
  )
}
