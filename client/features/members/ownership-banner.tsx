import { Alert, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCrown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MemberDialog } from './member-dialog'
import { ReauthenticationField, wrongPasswordMessage } from './proof-field'
import { offerQuery, useAcceptOwnership, useWithdrawOwnership } from './queries'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { FormError } from '../../ui/form-error'
import type { OwnershipOffer } from '../../../src/shared/members'

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
