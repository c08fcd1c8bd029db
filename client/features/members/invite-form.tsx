import { Button, Group, MultiSelect, Stack, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeAddresses, parseAddresses } from './addresses'
import type { ParsedAddress } from './addresses'
import { OUTCOME_TEXT } from './invite-words'
import { DEFAULT_LANDING, LandingField } from './landing-field'
import { MemberError } from './member-refusal'
import { groupsQuery, useSendInvites } from './queries'
import { RolePicker } from './role-choice'
import type { AssignableRole } from './role-words'
import { SeatDemandLine } from './seat-need-line'
import { Gate } from '../../lib/gate'
import { useIdempotencyKey } from '../../lib/intent-key'
import { LinkButton } from '../../ui/links'
import { INVITES_PER_REQUEST_MAX } from '../../../src/shared/invites'
import type { CreateInvitesInput, InviteResult } from '../../../src/shared/invites'

/** What is wrong with the field as a whole; null when it can be sent. */
export function addressesError(addresses: readonly ParsedAddress[]): string | null {
  if (addresses.every(({ problem }) => problem === 'invalid'))
    return addresses.length === 0 ? 'Write at least one address.' : 'None of these is an address like name@company.com.'
  const excess = addresses.length - INVITES_PER_REQUEST_MAX
  return excess > 0
    ? `At most ${INVITES_PER_REQUEST_MAX} addresses at once: take out ${excess}, and send them next.`
    : null
}

/** Addresses, role, groups and the first page of newcomers. What failed stays in the field. */
export function InviteForm({ onSent }: { onSent: (lines: readonly InviteResult[]) => void }) {
  const [text, setText] = useState('')
  const [role, setRole] = useState<AssignableRole>('viewer')
  const [groupIds, setGroupIds] = useState<string[]>([])
  const [landing, setLanding] = useState(DEFAULT_LANDING)
  const [isSubmitted, setTried] = useState(false)
  const send = useSendInvites()
  const keyOf = useIdempotencyKey()
  const addresses = parseAddresses(text)
  const error = addressesError(addresses)
  const validCount = addresses.filter(({ problem }) => problem === null).length
  const submit = () => {
    setTried(true)
    if (error !== null) return
    const emails = addresses.filter(({ problem }) => problem !== 'repeated').map(({ text: email }) => email)
    const input: CreateInvitesInput = { emails, role, groupIds, landing }
    send.mutate(
      { input, key: keyOf(input) },
      {
        onSuccess: ({ lines }) => {
          setText(lines.flatMap(({ typed, outcome }) => (OUTCOME_TEXT[outcome].retry ? [typed] : [])).join('\n'))
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
        <AddressField text={text} addresses={addresses} error={isSubmitted ? error : null} onChange={setText} />
        <RolePicker label="Role" value={role} onChange={setRole} />
        <Gate needs="userGrouping">
          <GroupsField value={groupIds} onChange={setGroupIds} />
        </Gate>
        <LandingField value={landing} onChange={setLanding} />
        <SeatDemandLine people={validCount} role={role} />
        <MemberError error={send.error} name="Somebody" />
        <Group justify="flex-end">
          <LinkButton to="/settings/workspace/members" variant="default">
            Cancel
          </LinkButton>
          <Button type="submit" loading={send.isPending}>
            {validCount > 1 ? `Send ${validCount} invitations` : 'Send invitation'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface AddressFieldProps {
  text: string
  addresses: readonly ParsedAddress[]
  error: string | null
  onChange: (text: string) => void
}

/** Addresses as they come out of a mail program, counted and checked while they are typed. */
function AddressField({ text, addresses, error, onChange }: AddressFieldProps) {
  const over = addresses.length > INVITES_PER_REQUEST_MAX
  const count = describeAddresses(addresses)
  return (
    <div>
      <Textarea
        label="E-mail addresses"
        description={`Up to ${INVITES_PER_REQUEST_MAX}, separated by commas, semicolons or lines. Names around an address are fine.`}
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
