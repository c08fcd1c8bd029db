import { Select, Text, Title, Button, Stack, Textarea, Alert } from '@mantine/core'
import { MultiSelect } from '../../ui/forms/multi-select'
import { useQuery } from '@tanstack/react-query'
import { IconAlertCircle, IconCheck, IconMinus, IconEye } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { groupsQuery } from '../../lib/queries/group-queries'
import { landingPagesQuery, useSendInvites, type LandingPage } from './queries'
import { OUTCOME_TEXT, describeSent } from './invite-text'
import classes from './members.module.css'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'
import { INVITES_PER_REQUEST_MAX, type InviteResult, type CreateInvitesInput } from '../../../src/shared/invites'
import { describeAddresses, parseAddresses, type ParsedAddress } from './email-addresses'
import { MemberError } from './member-dialog'
import { RolePicker, type AssignableRole } from './roles'
import { SeatDemandLine } from './seats'
import { Gate, useMay } from '../../lib/gate'
import { useIdempotencyKey } from '../../lib/use-idempotency-key'
import { useSession } from '../../lib/session'
import { ResendEmailProof } from '../../ui/confirm-email-notice'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/page-header'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { FormFooter } from '../../ui/forms/form-footer'

export const DEFAULT_LANDING = '/insights'
const LIST_PAGES = {
  group: 'Lists',
  items: [
    { value: '/insights', label: 'All insights' },
    { value: '/data-sources', label: 'All data sources' },
  ],
}

const pageOptions = (pages: readonly LandingPage[], kind: LandingPage['kind']) =>
  pages.filter((page) => page.kind === kind).map(({ path, name }) => ({ value: path, label: name }))

/** Which page newcomers see first. */
export function LandingField({ value, onChange }: { value: string; onChange: (path: string) => void }) {
  const { data = [] } = useQuery(landingPagesQuery())
  const groups = [
    LIST_PAGES,
    { group: 'Insights', items: pageOptions(data, 'insight') },
    { group: 'Data sources', items: pageOptions(data, 'source') },
  ].filter(({ items }) => items.length > 0)
  return (
    <Select
      label="Landing page"
      data={groups}
      searchable={data.length > 0}
      value={value}
      onChange={(path) => path !== null && onChange(path)}
    />
  )
}

/** What became of each address that was sent. Takes the focus, so that a reader of the screen hears it first, but from nobody who types. */
export function InviteResults({ lines }: { lines: readonly InviteResult[] }) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const types = document.activeElement instanceof HTMLTextAreaElement
    if (lines.length > 0 && !types) head.current?.focus()
  }, [lines])
  if (lines.length === 0) return null
  return (
    <section className="surface" style={{ padding: '14px 16px', marginBottom: 24 }} aria-label="Results">
      <Title order={2} ref={head} tabIndex={-1} mb={4} style={{ outline: 'none' }}>
        {describeSent(lines)}
      </Title>
      <ul className={classes.lines}>
        {lines.map(({ typed, outcome }, at) => (
          <li key={`${at} ${typed}`}>
            <span>{typed}</span>
            <OutcomeLabel outcome={outcome} />
          </li>
        ))}
      </ul>
      <LinkAnchor to="/settings/workspace/members" search={{ tab: 'invitations' }} size="sm">
        View invitations
      </LinkAnchor>
    </section>
  )
}

const TONE_STYLES = {
  good: { colour: 'var(--good)', icon: IconCheck },
  muted: { colour: 'var(--text-muted)', icon: IconMinus },
  bad: { colour: 'var(--bad)', icon: IconAlertCircle },
} as const

function OutcomeLabel({ outcome }: Pick<InviteResult, 'outcome'>) {
  const { words, tone } = OUTCOME_TEXT[outcome]
  const { colour, icon: Icon } = TONE_STYLES[tone]
  return (
    <Text span size="sm" c={colour} className={classes.outcome}>
      <Icon size={16} aria-hidden />
      {words}
    </Text>
  )
}

/** What is wrong with the field as a whole; null when it can be sent. */
export function addressesError(addresses: readonly ParsedAddress[]): string | null {
  if (addresses.every(({ problem }) => problem === 'invalid'))
    return addresses.length === 0 ? 'Enter at least one address.' : 'Enter addresses like name@company.com.'
  const excess = addresses.length - INVITES_PER_REQUEST_MAX
  return excess > 0 ? `At most ${INVITES_PER_REQUEST_MAX} at once. Remove ${excess}.` : null
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
  const kept = useKeptDraft({
    ...{ name: 'invites', value: { text, role, groupIds, landing }, isDirty: text.trim() !== '' },
    apply: (draft) => {
      setText(draft.text)
      setRole(draft.role)
      setGroupIds(draft.groupIds)
      setLanding(draft.landing)
    },
    reset: () => setText(''),
  })
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
          kept.clear()
          const failed = lines.flatMap(({ typed, outcome }) => (OUTCOME_TEXT[outcome].retry ? [typed] : []))
          setText((now) => [...failed, ...addedAddresses(now, text)].join('\n'))
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
        <DraftNotice draft={kept} />
        <AddressField text={text} addresses={addresses} error={isSubmitted ? error : null} onChange={setText} />
        <RolePicker label="Role" value={role} onChange={setRole} />
        <Gate needs="userGrouping">
          <GroupsField value={groupIds} onChange={setGroupIds} />
        </Gate>
        <LandingField value={landing} onChange={setLanding} />
        <SeatDemandLine people={validCount} role={role} />
        <MemberError error={send.error} name="A member" />
        <FormFooter>
          <LinkButton to="/settings/workspace/members" variant="default" onClick={kept.clear}>
            Cancel
          </LinkButton>
          <Button type="submit" loading={send.isPending}>
            {validCount > 1 ? `Send ${validCount} invitations` : 'Send invitation'}
          </Button>
        </FormFooter>
      </Stack>
    </form>
  )
}

/** Addresses that were typed while others were sent. */
const addedAddresses = (now: string, sent: string): string[] => {
  const known = new Set(parseAddresses(sent).map(({ text }) => text))
  return parseAddresses(now).flatMap(({ text }) => (known.has(text) ? [] : [text]))
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
        label="Email addresses"
        description={`Up to ${INVITES_PER_REQUEST_MAX}, separated by commas, semicolons or lines`}
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
      placeholder={value.length === 0 ? 'None' : ''}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      maxValues={20}
      searchable
      hidePickedOptions
    />
  )
}

/** Invites up to 50 people at once, and says of each address what became of it. */
export function InviteScreen() {
  const [lines, setLines] = useState<readonly InviteResult[]>([])
  const may = useMay('invite:member')
  const { user, workspace } = useSession()
  const readOnly = workspace?.entitlements.readOnly ?? null
  const isProven = user?.emailProven === true
  return (
    <>
      <PageHeader
        breadcrumb={
          <LinkAnchor to="/settings/workspace/members" size="sm">
            Members
          </LinkAnchor>
        }
        title="Invite people"
        description="Each gets a personal link that works for 7 days."
      />
      {!may && (
        <Alert color="gray" icon={<IconEye aria-hidden />}>
          Only owners and admins can invite people.
        </Alert>
      )}
      {may && readOnly !== null && (
        // Above every screen it is said why, and what can be done.
        <EmptyState
          picture="locked"
          title="Invitations are paused"
          sentence="This workspace is read-only."
          action={<LinkAnchor to="/settings/workspace/members">View members</LinkAnchor>}
        />
      )}
      {may && readOnly === null && !isProven && (
        // The notice above every screen may be closed: the way on is here, too.
        <EmptyState
          picture="people"
          title="Confirm your email first"
          sentence="Then you can invite people."
          action={<ResendEmailProof />}
        />
      )}
      {may && readOnly === null && isProven && (
        <>
          <InviteResults lines={lines} />
          <InviteForm onSent={setLines} />
        </>
      )}
    </>
  )
}
