import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { LinkAnchor } from './buttons/links'
import classes from './confirm-email-notice.module.css'
import { returnFocus } from '../lib/focus-return'
import { describeError } from '../lib/describe-error'
import { useSession } from '../lib/session'
import { resendEmailProof } from '../lib/session-actions'

/** Sends the mail again whose link confirms the address; `outcome` is what became of it, in words. */
function useEmailProof() {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: resendEmailProof })
  const { title, advice } = error ? describeError(error) : { title: '', advice: '' }
  return {
    outcome: isSuccess ? 'Email sent' : error ? `${title}. ${advice}` : null,
    button: (
      <Button
        size="compact-sm"
        variant="default"
        className={classes.button}
        loading={isPending}
        disabled={isSuccess}
        onClick={() => mutate()}
      >
        Send again
      </Button>
    ),
  }
}

/** Sends the mail again, and says so in its own place. */
export function ResendEmailProof() {
  const { outcome, button } = useEmailProof()
  return (
    <Group gap="sm">
      {button}
      <Text span size="sm" c="dimmed" role="status">
        {outcome}
      </Text>
    </Group>
  )
}

/** The address whose notice was closed in this tab. */
const CLOSED_KEY = 'email-notice-closed'

/**
 * To somebody whose address waits for its proof: one line with what does not work until then and the ways on. Closed, it
 * stays away as long as the tab lives; what needs the proof says so itself.
 */
export function ConfirmEmailNotice() {
  const { user } = useSession()
  const [closed, setClosed] = useState(() => sessionStorage.getItem(CLOSED_KEY))
  const { outcome, button } = useEmailProof()
  if (!user || user.emailProven || closed === (user.email ?? '')) return null
  const { email } = user
  const close = (): void => {
    sessionStorage.setItem(CLOSED_KEY, email ?? '')
    setClosed(email ?? '')
    returnFocus([])
  }
  const asks = email === null ? 'Add your email' : `Confirm ${email}`
  const words = outcome ?? `${asks} to invite people and get email alerts`
  return (
    <section className={classes.notice} aria-label="Email not confirmed">
      <IconMail size={16} aria-hidden />
      <span className={classes.words} role="status" title={words}>
        <span className={outcome === null ? classes.wide : undefined}>{words}</span>
        {outcome === null && (
          <span className={classes.narrow}>{email === null ? 'Add your email' : 'Confirm your email'}</span>
        )}
      </span>
      {email !== null && button}
      <LinkAnchor to="/settings/profile/authentication" size="sm" className={classes.button}>
        {email === null ? 'Add email' : 'Change'}
        {email !== null && <span className="only-reader"> email</span>}
      </LinkAnchor>
      <CloseButton size="sm" aria-label="Hide until the next visit" onClick={close} />
    </section>
  )
}
