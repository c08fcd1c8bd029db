import { Text, Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { IconCrown } from '@tabler/icons-react'
import { signInsQuery, useOfferOwnership, offerQuery, useAcceptOwnership, useWithdrawOwnership } from './queries'
import { ApiError } from '../../lib/api'
import { fieldErrors, FormError, useErrorUntilChange } from '../../ui/forms/form-error'
import { PasswordField } from '../../ui/forms/password-field'
import { RECENT_SIGN_IN_MS, IDENTITY_PROVIDER_NAMES } from '../../../src/shared/account'
import { MemberDialog } from './member-dialog'
import type { Member, OwnershipOffer } from '../../../src/shared/members'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'

interface ReauthenticationFieldProps {
  value: string
  onChange: (text: string) => void
  /** What the server said to it. */
  error: unknown
}

/** The sentence about a password that was refused; null when something else was. */
function wrongPasswordMessage(error: unknown): string | null {
  if (error instanceof ApiError && error.body.code === 'invalid_credentials') return 'Incorrect password'
  return fieldErrors(error)?.['password'] ?? null
}

const REAUTHENTICATION_MINUTES = RECENT_SIGN_IN_MS / 60_000

/** Proves that it is really this person: their password, or for people without one a sign-in that is fresh. */
function ReauthenticationField({ value, onChange, error }: ReauthenticationFieldProps) {
  const { data } = useQuery(signInsQuery())
  const standingError = useErrorUntilChange(wrongPasswordMessage(error), value)
  if (data && !data.password) {
    const names = [...new Set(data.accounts.map(({ provider }) => IDENTITY_PROVIDER_NAMES[provider]))].join(' or ')
    return (
      <Text size="sm" c="dimmed">
        You need to have signed in{names === '' ? '' : ` with ${names}`} in the last {REAUTHENTICATION_MINUTES} minutes.
      </Text>
    )
  }
  return (
    <PasswordField
      label="Your password"
      autoComplete="current-password"
      value={value}
      error={standingError}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Offers the workspace to somebody, who becomes its owner by accepting. */
export function OfferOwnershipDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const offer = useOfferOwnership()
  const { name, userId } = member
  const confirm = () =>
    offer.mutate(
      { userId, ...(password === '' ? {} : { password }) },
      {
        onSuccess: () => {
          notifications.show({ message: `Ownership offered to ${name}` })
          onClose()
        },
      },
    )
  return (
    <MemberDialog
      title={`Transfer ownership to ${name}?`}
      name={name}
      error={wrongPasswordMessage(offer.error) === null ? offer.error : null}
      button={{ words: 'Offer ownership' }}
      pending={offer.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        {name} gets an email and has 7 days to accept. Then {name} owns the workspace and you become an admin.
      </Text>
      <ReauthenticationField value={password} onChange={setPassword} error={offer.error} />
    </MemberDialog>
  )
}

/** An open offer of ownership: to accept or decline for who it was made to, to take back for who made it. */
export function OwnershipBanner() {
  const format = useFormat()
  const { data: offer } = useQuery(offerQuery())
  const { user, workspace } = useSession()
  if (!offer) return null
  const isOwnOffer = offer.from.userId === user?.id
  const until = format.dateTime(offer.expiresAt)
  return (
    <Alert
      color="accent"
      icon={<IconCrown aria-hidden />}
      mb="md"
      title={
        offer.mine
          ? `${offer.from.name} offers you ownership of ${workspace?.name ?? 'the workspace'}`
          : `Ownership offered to ${offer.to.name}`
      }
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {offer.mine
            ? `As owner you control everything, including members and deletion. Expires ${until}.`
            : `${isOwnOffer ? 'You stay' : `${offer.from.name} stays`} owner until ${offer.to.name} accepts. Expires ${until}.`}
        </Text>
        {offer.mine && <OfferDecision offer={offer} />}
        {isOwnOffer && <EndOfferButton button="Withdraw offer" done="Offer withdrawn" />}
      </Group>
    </Alert>
  )
}

/** Ends the offer: taken back by who made it, declined by who may accept it. */
function EndOfferButton({ button, done }: { button: string; done: string }) {
  const withdraw = useWithdrawOwnership()
  const onEnded = { onSuccess: () => notifications.show({ message: done }) }
  return (
    <div>
      <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate(undefined, onEnded)}>
        {button}
      </Button>
      <FormError error={withdraw.error} />
    </div>
  )
}

function OfferDecision({ offer }: { offer: OwnershipOffer }) {
  const [isOpen, setAsking] = useState(false)
  return (
    <Group gap="xs">
      <EndOfferButton button="Decline" done="Offer declined" />
      <Button onClick={() => setAsking(true)}>Accept ownership</Button>
      {isOpen && <AcceptOwnershipDialog offer={offer} onClose={() => setAsking(false)} />}
    </Group>
  )
}

function AcceptOwnershipDialog({ offer, onClose }: { offer: OwnershipOffer; onClose: () => void }) {
  const { workspace } = useSession()
  const [password, setPassword] = useState('')
  const accept = useAcceptOwnership()
  const name = workspace?.name ?? 'the workspace'
  const confirm = () =>
    accept.mutate(password === '' ? {} : { password }, {
      onSuccess: () => {
        notifications.show({ message: `You now own ${name}` })
        onClose()
      },
    })
  return (
    <MemberDialog
      title={`Accept ownership of ${name}?`}
      name={offer.from.name}
      error={wrongPasswordMessage(accept.error) === null ? accept.error : null}
      button={{ words: 'Accept ownership' }}
      pending={accept.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">{offer.from.name} becomes an admin. Only you can transfer or delete the workspace.</Text>
      <ReauthenticationField value={password} onChange={setPassword} error={accept.error} />
    </MemberDialog>
  )
}
