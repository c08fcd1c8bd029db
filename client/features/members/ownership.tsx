import { PasswordInput, Text, Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { IconCrown } from '@tabler/icons-react'
import { signInsQuery, useOfferOwnership, offerQuery, useAcceptOwnership, useWithdrawOwnership } from './queries'
import { ApiError } from '../../lib/api'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
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
  if (error instanceof ApiError && error.body.code === 'invalid_credentials') return 'That is not your password.'
  return fieldErrors(error)?.['password'] ?? null
}

const REAUTHENTICATION_MINUTES = RECENT_SIGN_IN_MS / 60_000

/** Proves that it is really this person: their password, or for people without one a sign-in that is fresh. */
function ReauthenticationField({ value, onChange, error }: ReauthenticationFieldProps) {
  const { data } = useQuery(signInsQuery())
  if (data && !data.password) {
    const names = [...new Set(data.accounts.map(({ provider }) => IDENTITY_PROVIDER_NAMES[provider]))].join(' or ')
    return (
      <Text size="sm" c="dimmed">
        Your account has no password, so a sign-in{names === '' ? '' : ` with ${names}`} in the last{' '}
        {REAUTHENTICATION_MINUTES} minutes stands for it. If yours is older, you are asked to sign in again.
      </Text>
    )
  }
  return (
    <PasswordInput
      label="Your password"
      description="To be sure that it is you."
      autoComplete="current-password"
      value={value}
      error={wrongPasswordMessage(error)}
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
          notifications.show({ message: `${name} got a mail and decides within 7 days.` })
          onClose()
        },
      },
    )
  return (
    <MemberDialog
      title={`Hand over ownership to ${name}`}
      name={name}
      error={wrongPasswordMessage(offer.error) === null ? offer.error : null}
      button={{ words: 'Offer ownership' }}
      pending={offer.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        {name} gets a mail and has 7 days to accept. Until then nothing changes, and you can take the offer back. Once
        accepted, {name} owns the workspace and you are an admin.
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
          ? `${offer.from.name} wants to hand ${workspace?.name ?? 'the workspace'} over to you`
          : `Ownership is offered to ${offer.to.name}`
      }
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {offer.mine
            ? `As its owner you decide about everything in it, members and deletion included. The offer stands until ${until}.`
            : `${isOwnOffer ? 'You stay' : `${offer.from.name} stays`} the owner until ${offer.to.name} accepts. The offer stands until ${until}.`}
        </Text>
        {offer.mine && <OfferDecision offer={offer} />}
        {isOwnOffer && <EndOfferButton button="Take the offer back" done={`${offer.to.name} can no longer accept.`} />}
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
      <EndOfferButton button="Decline" done={`${offer.from.name} stays the owner.`} />
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
        notifications.show({ message: `${name} is yours.` })
        onClose()
      },
    })
  return (
    <MemberDialog
      title={`Become the owner of ${name}`}
      name={offer.from.name}
      error={wrongPasswordMessage(accept.error) === null ? accept.error : null}
      button={{ words: 'Accept ownership' }}
      pending={accept.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        You own {name} from now on, and {offer.from.name} becomes an admin. Only you can hand it over again or delete
        it.
      </Text>
      <ReauthenticationField value={password} onChange={setPassword} error={accept.error} />
    </MemberDialog>
  )
}
