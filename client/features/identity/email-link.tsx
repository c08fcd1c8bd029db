import { MutedText } from '../../ui/muted-text'
import { Alert, Stack, Button, Text, TextInput } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../../lib/api'
import { useCountdown } from './use-countdown'
import { useLinkToken } from '../../lib/use-link-token'
import { AppCheckContainer } from '../../lib/app-check'
import { retryAfterSeconds } from '../../lib/describe-error'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { resetRequestSchema } from '../../../src/shared/account'
import { TERMS } from '../../../src/shared/terms'

/** Whether a refusal says that the link itself is dead: used, too old, or replaced by a newer one. */
export const isExpiredLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.body.code === 'expired' || error.body.code === 'not_found')

export interface LinkStatusProps {
  title: string
  /** What it means and what to do. */
  children: ReactNode
  action?: ReactNode
  /** It went well. */
  success?: boolean
}

/** Where a link from a mail leads nowhere, or everywhere already: what is so, and the way on. */
export function LinkStatus({ title, children, action, success = false }: LinkStatusProps) {
  const Icon = success ? IconCircleCheck : IconInfoCircle
  return (
    <Stack gap="md">
      <Alert
        color={success ? 'green' : 'gray'}
        icon={<Icon aria-hidden />}
        title={title}
        role={success ? 'status' : 'alert'}
      >
        {children}
      </Alert>
      {action}
    </Stack>
  )
}

/**
 * The token of a mail's link. `asks`: there is none, or a new one is wanted; `isDead`: it is cut off or turned out to be
 * expired. A newer link is tried again.
 */
export function useMailLink() {
  const token = useLinkToken()
  const [expiredToken, setExpired] = useState<string | null>(null)
  const [retryToken, setRetry] = useState<string | null>(null)
  return {
    token,
    asks: token === null || retryToken === token,
    isDead: token === 'broken' || expiredToken === token,
    onExpired: () => setExpired(token),
    onRetry: () => setRetry(token),
  }
}

/** A link that can be requested again. `why`: in words, of one that is complete. */
export function DeadLink({ link: { token, onRetry }, why }: { link: ReturnType<typeof useMailLink>; why: string }) {
  return (
    <LinkStatus
      title={token === 'broken' ? INCOMPLETE_LINK : EXPIRED_LINK}
      action={<Button onClick={onRetry}>Request new link</Button>}
    >
      {token === 'broken' ? INCOMPLETE_LINK_ADVICE : why}
    </LinkStatus>
  )
}

export const INCOMPLETE_LINK = 'Link incomplete'
export const INCOMPLETE_LINK_ADVICE = 'Open it from the email again, or copy the whole address.'
export const EXPIRED_LINK = 'Link no longer valid'

/** A mail takes about this long; asking again sooner helps nobody. */
const RESEND_DELAY_SECONDS = 60

export interface EmailLinkFormProps {
  /** What the mail will do. */
  intro: string
  /** A verb and its object: "Send link". */
  button: string
  /** How often and how long the link works. */
  validity: string
  send: (email: string) => Promise<unknown>
}

/** Asks for an address and has a link sent to it. Says the same for every address, known or not. */
export function EmailLinkForm({ intro, button, validity, send }: EmailLinkFormProps) {
  const [secondsLeft, startWait] = useCountdown()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({ initialValues: { email: '' }, validate: formValidator(resetRequestSchema) })
  const request = useMutation({
    mutationFn: send,
    onSuccess: (_sent, email) => {
      setSentTo(email)
      startWait(RESEND_DELAY_SECONDS)
    },
    onError: (error) => {
      applyFieldErrors(form, error, ['email'])
      startWait(retryAfterSeconds(error))
    },
  })
  if (sentTo !== null)
    return (
      <LinkSent
        message={`If ${sentTo} has an account, we’ve emailed it a link. ${validity}`}
        wait={secondsLeft}
        error={request.error}
        pending={request.isPending}
        onResend={() => request.mutate(sentTo)}
        onChangeAddress={() => {
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
          label={TERMS.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          {...form.getInputProps('email')}
        />
        <AppCheckContainer />
        <Button type="submit" fullWidth loading={request.isPending} disabled={secondsLeft > 0}>
          {secondsLeft > 0 ? `Try again in ${secondsLeft} s` : button}
        </Button>
      </Stack>
    </form>
  )
}

interface LinkSentProps {
  message: string
  /** Seconds until it may be sent again. */
  wait: number
  error: unknown
  pending: boolean
  onResend: () => void
  onChangeAddress: () => void
}

function LinkSent({ message, wait, error, pending, onResend, onChangeAddress }: LinkSentProps) {
  const box = useRef<HTMLDivElement>(null)
  // The form with the focus is gone: the words that took its place are read instead.
  useEffect(() => box.current?.focus(), [])
  return (
    <Stack gap="md" ref={box} tabIndex={-1} style={{ outline: 'none' }}>
      <div role="status">
        <Text fw={600} mb={4}>
          Check your inbox
        </Text>
        <Text style={{ overflowWrap: 'anywhere' }}>{message}</Text>
      </div>
      <MutedText>No email? Check spam and the address.</MutedText>
      <FormError error={error} />
      <AppCheckContainer />
      <Button variant="default" loading={pending} disabled={wait > 0} onClick={onResend}>
        {wait > 0 ? `Send again in ${wait} s` : 'Send again'}
      </Button>
      <Button variant="subtle" onClick={onChangeAddress}>
        Use another address
      </Button>
    </Stack>
  )
}
