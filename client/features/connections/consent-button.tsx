import { Button, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, readJson } from '../../lib/api'
import { FormError } from '../../ui/forms/form-error'
import type { ConnectorKind } from '../../../src/shared/data-sources/connectors'

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
