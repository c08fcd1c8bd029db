import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconEye, IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import classes from './connections.module.css'
import { ConnectorFields, initialValues, splitValues, type FieldValues } from './connector-fields'
import { ConsentButton, ConsentProblemAlert } from './consent-button'
import { PushToken } from './push-snippets'
import { connectorsQuery, useConnectSource, useTestConnection } from './queries'
import { ScheduleField } from './schedule-field'
import { proposedStreams, StreamChoices, type ChosenStream } from './stream-choices'
import { StillWaiting } from './still-waiting'
import { StreamPreview } from './stream-preview'
import { EmptyState } from '../../ui/empty-state'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { FormFooter } from '../../ui/forms/form-footer'
import { QueryView } from '../../ui/query-view'
import { SectionCard } from '../../ui/section-card'
import { ScreenSkeleton } from '../../ui/skeletons'
import { LinkButton } from '../../ui/buttons/links'
import { useSession } from '../../lib/session'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'
import type { TestedSource } from '../../../src/shared/data-sources/connections'
import type { ConnectorDescription } from '../../../src/shared/data-sources/connectors'

interface ConnectWizardProps {
  kind: string
  /** Consent that was given at the vendor a moment ago. */
  draftId: string | undefined
  /** Why a consent came to nothing, as the address says. */
  problem: string | undefined
  /** The source is there; its first sync is under way. */
  onDone: (sourceId: string) => void
}

/** From what is entered to the first sync, for every kind alike: connection → streams → preview → schedule. */
export function ConnectWizard({ kind, ...rest }: ConnectWizardProps) {
  const kinds = useQuery(connectorsQuery())
  return (
    <QueryView query={kinds} skeleton={<ScreenSkeleton />}>
      {(offered) => {
        const found = offered.find(({ description, configured }) => description.kind === kind && configured)
        return found ? (
          <Wizard key={kind} description={found.description} {...rest} />
        ) : (
          <EmptyState
            picture="sources"
            title="Not available here"
            sentence="This kind of source isn’t offered in this installation."
            action={<LinkButton to="/data-sources/new">View all sources</LinkButton>}
          />
        )
      }}
    </QueryView>
  )
}

function Wizard({
  description,
  draftId,
  problem,
  onDone,
}: Omit<ConnectWizardProps, 'kind'> & { description: ConnectorDescription }) {
  const [values, setValues] = useState<FieldValues>(() => initialValues(description.fields))
  const [tested, setTested] = useState<TestedSource | null>(null)
  const [chosen, setChosen] = useState<ChosenStream[]>([])
  const test = useTestConnection()
  const { kind, fields, delivery, auth, title } = description
  const connection = { kind, ...splitValues(fields, values), ...(draftId === undefined ? {} : { draftId }) }
  const change = (next: FieldValues): void => {
    setValues(next)
    setTested(null)
    test.reset()
  }
  const run = (): void =>
    test.mutate(connection, {
      onSuccess: (answer) => {
        setTested(answer)
        setChosen(proposedStreams(answer.streams))
      },
      // What was found before is not what is there now.
      onError: () => setTested(null),
    })
  const needsConsent = auth === 'oauth' && draftId === undefined
  const isPull = delivery === 'pull'
  return (
    <Stack gap="lg" maw={860} data-form>
      <AboutKind description={description} />
      {(fields.length > 0 || isPull) && (
        <SectionCard title="Connection">
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (!needsConsent) run()
            }}
          >
            <Stack gap="md">
              {needsConsent && <ConsentProblemAlert title={title} problem={problem} />}
              {needsConsent && fields.length === 0 && (
                <Text size="sm">You sign in at {title} and choose what we may read. Your password stays there.</Text>
              )}
              {auth === 'oauth' && !needsConsent && tested === null && (
                <Text size="sm" role="status">
                  {title} let us in. Test the connection to choose what to import.
                </Text>
              )}
              <FormError error={fieldErrors(test.error) === null ? test.error : null} />
              <ConnectorFields
                fields={fields}
                values={values}
                errors={fieldErrors(test.error) ?? {}}
                onChange={change}
              />
              {isPull && <StillWaiting pending={test.isPending} />}
              {isPull && (
                <FormFooter>
                  {needsConsent ? (
                    <ConsentButton kind={kind} title={title} settings={connection.settings} />
                  ) : (
                    <Button type="submit" loading={test.isPending} variant={tested ? 'default' : 'filled'}>
                      Test connection
                    </Button>
                  )}
                </FormFooter>
              )}
            </Stack>
          </form>
          {tested && <TestOutcome tested={tested} />}
        </SectionCard>
      )}
      {tested && (
        <SectionCard title="What to import">
          {tested.streams.length === 0 ? (
            <Text c="dimmed">Nothing to import found at the source.</Text>
          ) : (
            <>
              {chosen.length === 0 && <Text c="dimmed">Choose at least one.</Text>}
              <StreamChoices streams={tested.streams} chosen={chosen} onChange={setChosen} />
            </>
          )}
          {chosen.length > 0 && (
            <StreamPreview
              connection={connection}
              streams={tested.streams.filter(({ key }) => chosen.some((each) => each.key === key))}
            />
          )}
        </SectionCard>
      )}
      {(tested ? chosen.length > 0 : !isPull) && (
        <FinishStep
          description={description}
          connection={connection}
          chosen={chosen}
          account={tested?.account ?? null}
          onDone={onDone}
        />
      )}
    </Stack>
  )
}

function AboutKind({ description: { reads, never } }: { description: ConnectorDescription }) {
  return (
    <Group gap="xl" align="flex-start">
      <div>
        <Group gap={6} mb={4}>
          <IconEye size={16} aria-hidden />
          <Text fw={600} size="sm">
            What it reads
          </Text>
        </Group>
        <List size="sm">
          {reads.map((item) => (
            <List.Item key={item}>{item}</List.Item>
          ))}
        </List>
      </div>
      <div>
        <Group gap={6} mb={4}>
          <IconShieldCheck size={16} aria-hidden />
          <Text fw={600} size="sm">
            What it never does
          </Text>
        </Group>
        <List size="sm">
          {never.map((item) => (
            <List.Item key={item}>{item}</List.Item>
          ))}
        </List>
      </div>
    </Group>
  )
}

function TestOutcome({ tested: { account, warnings } }: { tested: TestedSource }) {
  return (
    <Stack gap="xs" role="status">
      <Group gap={6} wrap="nowrap" align="flex-start">
        <IconCheck className={classes.mark} size={18} color="var(--good)" aria-hidden />
        <Text size="sm">{account === null ? 'Connection works' : `Connected to ${account}`}</Text>
      </Group>
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow">
          {warning}
        </Alert>
      ))}
    </Stack>
  )
}

interface FinishStepProps {
  description: ConnectorDescription
  connection: {
    kind: ConnectorDescription['kind']
    settings: Record<string, string>
    secrets: Record<string, string>
    draftId?: string
  }
  chosen: ChosenStream[]
  account: string | null
  onDone: (sourceId: string) => void
}

function FinishStep({ description, connection, chosen, account, onDone }: FinishStepProps) {
  const planHours = useSession().workspace?.entitlements.features.syncFrequencyHours ?? 24
  const [name, setName] = useState(account ?? description.title)
  const [hours, setHours] = useState(Math.max(24, planHours))
  const connect = useConnectSource()
  const isPull = description.delivery === 'pull'
  const { data } = connect
  if (data?.token)
    return (
      <PushToken
        sourceId={data.source.id}
        token={data.token}
        settings={connection.settings}
        onDone={() => onDone(data.source.id)}
      />
    )
  const errors = fieldErrors(connect.error)
  const submit = (): void =>
    connect.mutate(
      { ...connection, name, streams: chosen, frequencyHours: hours },
      { onSuccess: ({ source, token }) => token === null && onDone(source.id) },
    )
  return (
    <SectionCard title={isPull ? 'Name and schedule' : 'Name'}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          <FormError error={errors === null ? connect.error : null} />
          <TextInput
            label="Name"
            value={name}
            maxLength={NAME_MAX_CHARS}
            error={errors?.['name']}
            required
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {isPull && <ScheduleField hours={hours} planHours={planHours} onChange={setHours} />}
          <FormFooter>
            <Button type="submit" loading={connect.isPending} disabled={name.trim() === ''}>
              {isPull ? 'Connect and import' : 'Create source'}
            </Button>
          </FormFooter>
        </Stack>
      </form>
    </SectionCard>
  )
}
