import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { MemberDialog } from './member-dialog'
import { ReauthenticationField, wrongPasswordMessage } from './proof-field'
import { useOfferOwnership } from './queries'
import type { Member } from '../../../src/shared/members'

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
