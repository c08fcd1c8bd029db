import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { earlierUseQuery, signInsQuery } from './queries'
import { ReauthenticationField, wrongPasswordMessage } from './reauthentication-field'
import { useFormat } from '../../lib/format'
import { countryName } from '../../lib/regions'
import { answerEarlierUse } from '../../lib/session-actions'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { FormError } from '../../ui/forms/form-error'
import { QueryView } from '../../ui/query-view'
import { FormSkeleton } from '../../ui/skeletons'
import { IDENTITY_PROVIDER_NAMES, type EarlierUse, type EarlierWorkspace } from '../../../src/shared/account'
import { FormFooter } from '../../ui/forms/form-footer'

/** What is chosen to stay, by id; a member is named by workspace and person. */
type Selection = ReadonlySet<string>
const memberKey = (workspaceId: string, userId: string): string => `${workspaceId} ${userId}`

const everything = ({ workspaces, signIns }: EarlierUse): Selection =>
  new Set([
    ...signIns.map(({ id }) => id),
    ...workspaces.flatMap(({ id, members, invites }) => [
      id,
      ...members.map(({ userId }) => memberKey(id, userId)),
      ...invites.map((invite) => invite.id),
    ]),
  ])

/** The answer that the choices make: what is in a workspace goes with it. */
export function toAnswer({ workspaces, signIns }: EarlierUse, kept: Selection) {
  const stay = workspaces.filter(({ id }) => kept.has(id))
  return {
    workspaces: stay.map(({ id }) => id),
    members: stay.flatMap(({ id: workspaceId, members }) =>
      members.flatMap(({ userId }) => (kept.has(memberKey(workspaceId, userId)) ? [{ workspaceId, userId }] : [])),
    ),
    invites: stay.flatMap(({ invites }) => invites.flatMap(({ id }) => (kept.has(id) ? [id] : []))),
    signIns: signIns.flatMap(({ id }) => (kept.has(id) ? [id] : [])),
  }
}

/** A way in that stays, or a workspace that goes, asks who it is. */
const needsProof = ({ workspaces, signIns }: EarlierUse, kept: Selection): boolean =>
  workspaces.some(({ id }) => !kept.has(id)) || signIns.some(({ id }) => kept.has(id))

export interface EarlierUseScreenProps {
  /** Draws the page around it. */
  frame: (page: { title: string; below: ReactNode; children: ReactNode }) => ReactNode
  onDone: () => void
}

/** What an account held before its address was confirmed, which somebody else may have made: what of it stays. */
export function EarlierUseScreen({ frame, onDone }: EarlierUseScreenProps) {
  const query = useQuery(earlierUseQuery())
  return frame({
    title: 'Review earlier use of this account',
    below: 'Removed workspaces can be restored for 30 days.',
    children: (
      <QueryView query={query} skeleton={<FormSkeleton fields={5} />}>
        {(data) => <EarlierUseForm earlierUse={data} onDone={onDone} />}
      </QueryView>
    ),
  })
}

function EarlierUseForm({ earlierUse, onDone }: { earlierUse: EarlierUse; onDone: () => void }) {
  const [kept, setKept] = useState<Selection>(new Set())
  const [password, setPassword] = useState('')
  const answer = useMutation({
    mutationFn: () => answerEarlierUse({ ...toAnswer(earlierUse, kept), ...(password === '' ? {} : { password }) }),
    onSuccess: onDone,
  })
  const toggle = (key: string) => {
    const next = new Set(kept)
    if (!next.delete(key)) next.add(key)
    setKept(next)
  }
  const { workspaces, signIns, sessions } = earlierUse
  return (
    <Stack gap="lg">
      <Text c="dimmed">
        It was used before you confirmed the address, maybe by someone else. Keep what’s yours; the rest is removed.
      </Text>
      {workspaces.length > 0 && (
        <Section title="Workspaces">
          {workspaces.map((workspace) => (
            <WorkspaceChoice key={workspace.id} workspace={workspace} kept={kept} onToggle={toggle} />
          ))}
        </Section>
      )}
      {signIns.length > 0 && (
        <Section title="Connected sign-ins">
          {signIns.map(({ id, provider, email }) => (
            <KeepBox
              key={id}
              label={IDENTITY_PROVIDER_NAMES[provider]}
              note={email}
              checked={kept.has(id)}
              onToggle={() => toggle(id)}
            />
          ))}
        </Section>
      )}
      <EndedSessions sessions={sessions} />
      {needsProof(earlierUse, kept) && (
        <ProofField value={password} error={wrongPasswordMessage(answer.error)} onChange={setPassword} />
      )}
      {wrongPasswordMessage(answer.error) === null && <FormError error={answer.error} />}
      <AnswerButtons
        choice={workspaces.length + signIns.length === 0 ? 'none' : kept.size === 0 ? 'nothing kept' : 'some kept'}
        pending={answer.isPending}
        onSelectAll={() => setKept(everything(earlierUse))}
        onAnswer={() => answer.mutate()}
      />
    </Stack>
  )
}

interface ProofFieldProps {
  value: string
  error: string | null
  onChange: (password: string) => void
}

const ProofField = (props: ProofFieldProps) => (
  <QueryView query={useQuery(signInsQuery())} skeleton={<FormSkeleton fields={1} />}>
    {(signIns) => <ReauthenticationField signIns={signIns} {...props} />}
  </QueryView>
)

interface AnswerButtonsProps {
  /** `none`: there is nothing to choose from. */
  choice: 'none' | 'nothing kept' | 'some kept'
  pending: boolean
  onSelectAll: () => void
  onAnswer: () => void
}

function AnswerButtons({ choice, pending, onSelectAll, onAnswer }: AnswerButtonsProps) {
  if (choice === 'none')
    return (
      <FormFooter>
        <Button loading={pending} onClick={onAnswer}>
          Continue
        </Button>
      </FormFooter>
    )
  const confirmRemoval = () =>
    confirmDestructive({
      title: 'Remove everything?',
      message: 'Workspaces can be restored for 30 days. Connected sign-ins can’t.',
      confirm: 'Remove everything',
      onConfirm: onAnswer,
    })
  return (
    <Group justify="space-between">
      <Button variant="subtle" onClick={onSelectAll}>
        Select all
      </Button>
      {choice === 'nothing kept' ? (
        <Button loading={pending} color="red" onClick={confirmRemoval}>
          Remove everything
        </Button>
      ) : (
        <Button loading={pending} onClick={onAnswer}>
          Keep selected, remove the rest
        </Button>
      )}
    </Group>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={2} fz="md" mb="xs">
      {title}
    </Title>
    <Stack gap="sm">{children}</Stack>
  </section>
)

interface KeepBoxProps {
  label: string
  note: string | null
  checked: boolean
  disabled?: boolean
  onToggle: () => void
}

const KeepBox = ({ label, note, checked, disabled = false, onToggle }: KeepBoxProps) => (
  <Checkbox
    label={`Keep ${label}`}
    description={note}
    checked={checked}
    disabled={disabled}
    onChange={onToggle}
    styles={{ body: { overflowWrap: 'anywhere' } }}
  />
)

interface WorkspaceChoiceProps {
  workspace: EarlierWorkspace
  kept: Selection
  onToggle: (key: string) => void
}

function WorkspaceChoice({ workspace, kept, onToggle }: WorkspaceChoiceProps) {
  const format = useFormat()
  const { id, name, createdAt, dataSources, members, invites } = workspace
  const isKept = kept.has(id)
  const sources = dataSources === 1 ? '1 data source' : `${dataSources} data sources`
  const within = { disabled: !isKept }
  return (
    <Stack gap={6}>
      <KeepBox
        label={name}
        note={`Created ${format.day(createdAt)}, ${sources}`}
        checked={isKept}
        onToggle={() => onToggle(id)}
      />
      <Stack gap={6} pl={30}>
        {members.map(({ userId, name: person, email, role }) => {
          const key = memberKey(id, userId)
          const note = [email, role].filter((part) => part !== null).join(' · ')
          return (
            <KeepBox
              key={key}
              {...within}
              label={person}
              note={`Member · ${note}`}
              checked={isKept && kept.has(key)}
              onToggle={() => onToggle(key)}
            />
          )
        })}
        {invites.map(({ id: invite, email, role }) => (
          <KeepBox
            key={invite}
            {...within}
            label={email}
            note={`Invitation · ${role}`}
            checked={isKept && kept.has(invite)}
            onToggle={() => onToggle(invite)}
          />
        ))}
      </Stack>
    </Stack>
  )
}

function EndedSessions({ sessions }: Pick<EarlierUse, 'sessions'>) {
  const format = useFormat()
  if (sessions.length === 0) return null
  return (
    <Section title="Ended sessions">
      {sessions.map(({ device, country, signedInAt }) => (
        <Text key={`${device} ${signedInAt}`} size="sm" c="dimmed">
          {device}
          {country !== null && `, ${countryName(country)}`}, signed in {format.dateTime(signedInAt)}
        </Text>
      ))}
    </Section>
  )
}
