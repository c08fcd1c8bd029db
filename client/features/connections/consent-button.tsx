import { Alert, Button, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, readJson } from '../../lib/api'
import { FormError } from '../../ui/forms/form-error'
import { CONSENT_PROBLEMS, type ConsentProblem } from '../../../src/shared/data-sources/connections'
import type { ConnectorKind } from '../../../src/shared/data-sources/connectors'

const PROBLEMS: Record<ConsentProblem, (title: string) => string> = {
  denied: (title) => `You didn’t give access to ${title}. Sign in again when you’re ready.`,
  failed: (title) => `Couldn’t connect ${title}. Try again.`,
  other: (title) => `That’s another account at ${title}. Connect it as a new source.`,
}

/** Why the consent that somebody comes back from led to nothing. */
export function ConsentProblemAlert({ title, problem }: { title: string; problem: string | undefined }) {
  const known = CONSENT_PROBLEMS.find((one) => one === problem)
  if (!known) return null
  return (
    <Alert color="yellow" role="alert">
      {PROBLEMS[known](title)}
    </Alert>
  )
}

interface ConsentButtonProps {
  kind: ConnectorKind
  title: string
  settings: Record<string, string>
  /** The source whose consent is renewed; absent: there is none yet. */
  sourceId?: string
}

/** Leads to the vendor's page of consent; it leads back here. */
export function ConsentButton({ kind, title, settings, sourceId }: ConsentButtonProps) {
  const start = useMutation({
    mutationFn: () =>
      readJson<{ url: string }>(
        api.api.connectors.consent.$post({ json: { kind, settings, ...(sourceId === undefined ? {} : { sourceId }) } }),
      ),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <Stack gap="sm">
      <FormError error={start.error} />
      <Button
        loading={start.isPending || start.isSuccess}
        rightSection={<IconExternalLink size={18} aria-hidden />}
        onClick={() => start.mutate()}
      >
        Sign in to {title}
      </Button>
    </Stack>
  )
}
