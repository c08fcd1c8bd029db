import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, readJson } from '../../lib/api'
import { FormError } from '../../ui/forms/form-error'
import type { ConnectorDescription } from '../../../src/shared/data-sources/connectors'
import {
  CONSENT_PROBLEMS,
  type ConsentProblem,
  type StartConsentInput,
  type StartedConsent,
} from '../../../src/shared/data-sources/consents'

/** What is told of a return from a vendor that led to nothing. */
const PROBLEMS: Record<ConsentProblem, (title: string) => string> = {
  denied: (title) => `You didn’t give access to ${title}. Connect again when you’re ready.`,
  expired: (title) => `The sign-in to ${title} took too long, or was in another browser. Connect again.`,
  failed: (title) => `Couldn’t connect ${title}. Try again.`,
}
const isProblem = (text: string | undefined): text is ConsentProblem => CONSENT_PROBLEMS.some((known) => known === text)

/** Leaves for the vendor's page of consent. The page comes back to where the wizard goes on. */
export const useStartConsent = () =>
  useMutation({
    mutationFn: (json: StartConsentInput) => readJson<StartedConsent>(api.api.connectors.consents.$post({ json })),
    onSuccess: ({ url }) => window.location.assign(url),
  })

interface ConsentStepProps {
  description: Pick<ConnectorDescription, 'kind' | 'title' | 'reads' | 'never'>
  /** Why the return before led to nothing, as the address says. */
  problem?: string | undefined
}

/** The first step of a kind whose vendor is asked: what is read, what never happens, and the way there. */
export function ConsentStep({ description: { kind, title, reads, never }, problem }: ConsentStepProps) {
  const start = useStartConsent()
  return (
    <Stack gap="md" maw={560}>
      {isProblem(problem) && (
        <Alert color="yellow" role="alert">
          {PROBLEMS[problem](title)}
        </Alert>
      )}
      <Text>{`You sign in at ${title} and allow reading. Then you continue here.`}</Text>
      <ConsentList label="Reads" items={reads} />
      <ConsentList label="Never" items={never} />
      <FormError error={start.error} />
      <Button w="fit-content" loading={start.isPending || start.isSuccess} onClick={() => start.mutate({ kind })}>
        {`Connect ${title}`}
      </Button>
    </Stack>
  )
}

function ConsentList({ label, items }: { label: string; items: readonly string[] }) {
  return (
    <div>
      <Text fw={600} size="sm">
        {label}
      </Text>
      <List size="sm" c="dimmed">
        {items.map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
    </div>
  )
}
