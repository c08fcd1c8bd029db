import { Button, Group, MultiSelect, Stack, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countWords, readAddresses } from './addresses'
import type { TypedAddress } from './addresses'
import { OUTCOME } from './invite-words'
import { LANDING_DEFAULT, LandingField } from './landing-field'
import { MemberRefusal } from './member-refusal'
import { groupsQuery, useSendInvites } from './queries'
import { RoleChoice } from './role-choice'
import type { GivenRole } from './role-words'
import { SeatNeedLine } from './seat-need-line'
import { Gate } from '../../lib/gate'
import { useIntentKey } from '../../lib/intent-key'
import { LinkButton } from '../../ui/links'
import { INVITES_AT_ONCE } from '../../../src/shared/invites'
import type { CreateInvitesInput, InviteLine } from '../../../src/shared/invites'

/** What is wrong with the field as a whole; null when it can be sent. */
export function addressesError(addresses: readonly TypedAddress[]): string | null {
  if (addresses.every(({ problem }) => problem === 'invalid'))
    return addresses.length === 0 ? 'Write at least one address.' : 'None of these is an address like name@company.com.'
  const over = addresses.length - INVITES_AT_ONCE
  return over > 0 ? `At most ${INVITES_AT_ONCE} addresses at once: take out ${over}, and send them next.` : null
}

/** Addresses, role, groups and the first page of newcomers. What failed stays in the field. */
export function InviteForm({ onSent }: { onSent: (lines: readonly InviteLine[]) => void }) {
  const [text, setText] = useState('')
  const [role, setRole] = useState<GivenRole>('viewer')
  const [groupIds, setGroupIds] = useState<string[]>([])
  const [landing, setLanding] = useState(LANDING_DEFAULT)
  const [tried, setTried] = useState(false)
  const send = useSendInvites()
  const keyOf = useIntentKey()
  const addresses = readAddresses(text)
  const error = addressesError(addresses)
  const good = addresses.filter(({ problem }) => problem === null).length
  const submit = () => {
    setTried(true)
    if (error !== null) return
    const emails = addresses.filter(({ problem }) => problem !== 'repeated').map(({ text: email }) => email)
    const input: CreateInvitesInput = { emails, role, groupIds, landing }
    send.mutate(
      { input, key: keyOf(input) },
      {
        onSuccess: ({ lines }) => {
          setText(lines.flatMap(({ typed, outcome }) => (OUTCOME[outcome].mend ? [typed] : [])).join('\n'))
          setTried(false)
          onSent(lines)
        },
      },
    )
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="lg">
        <AddressField text={text} addresses={addresses} error={tried ? error : null} onChange={setText} />
        <RoleChoice label="Role" value={role} onChange={setRole} />
        <Gate needs="userGrouping">
          <GroupsField value={groupIds} onChange={setGroupIds} />
        </Gate>
        <LandingField value={landing} onChange={setLanding} />
        <SeatNeedLine people={good} role={role} />
        <MemberRefusal error={send.error} name="Somebody" />
        <Group justify="flex-end">
          <LinkButton to="/settings/workspace/members" variant="default">
            Cancel
          </LinkButton>
          <Button type="submit" loading={send.isPending}>
            {good > 1 ? `Send ${good} invitations` : 'Send invitation'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface AddressFieldProps {
  text: string
  addresses: readonly TypedAddress[]
  error: string | null
  onChange: (text: string) => void
}

/** Addresses as they come out of a mail program, counted and checked while they are typed. */
function AddressField({ text, addresses, error, onChange }: AddressFieldProps) {
  const over = addresses.length > INVITES_AT_ONCE
  const count = countWords(addresses)
  return (
    <div>
      <Textarea
        label="E-mail addresses"
        description={`Up to ${INVITES_AT_ONCE}, separated by commas, semicolons or lines. Names around an address are fine.`}
        placeholder="anna@company.com, Bo Ek <bo@company.com>"
        rows={5}
        resize="vertical"
        maxLength={20_000}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={text}
        error={error ?? (over ? addressesError(addresses) : null)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p
        aria-live="polite"
        style={{ margin: '6px 0 0', minHeight: 18, fontSize: '0.75rem', color: 'var(--text-muted)' }}
      >
        {count}
      </p>
    </div>
  )
}

/** Groups that newcomers belong to from the start; nothing where the workspace has none. */
function GroupsField({ value, onChange }: { value: string[]; onChange: (ids: string[]) => void }) {
  const { data } = useQuery(groupsQuery())
  if (!data || data.length === 0) return null
  return (
    <MultiSelect
      label="Groups"
      description="They belong to them as soon as they join."
      placeholder={value.length === 0 ? 'No group' : ''}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      maxValues={20}
      searchable
      hidePickedOptions
    />
  )
}
