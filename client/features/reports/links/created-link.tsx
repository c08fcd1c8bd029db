import { Alert, Button, CopyButton, Group, Stack, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { CreatedLink } from '../../../../src/shared/reports/links'
import { embedPath, sharedPath } from '../../../../src/shared/reports/link-paths'
import { MutedText } from '../../../ui/muted-text'

/** The address of a new link: shown once. */
export function CreatedLinkPanel({ link, onDone }: { link: CreatedLink; onDone: () => void }) {
  const { origin } = window.location
  const frame = `<iframe src="${origin}${embedPath(link.token)}" width="100%" height="800" style="border:0"></iframe>`
  return (
    <Stack gap="md">
      <Alert color="green" title="Link created" role="status">
        Copy it now: it isn’t shown again.
      </Alert>
      <CopyField label="Link" text={`${origin}${sharedPath(link.token)}`} isFirst />
      {link.passcode && <MutedText size="xs">Send the passcode separately.</MutedText>}
      {link.origins.length > 0 && <CopyField label="Embed code" text={frame} />}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}

function CopyField({ label, text, isFirst = false }: { label: string; text: string; isFirst?: boolean }) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        value={text}
        readOnly
        data-autofocus={isFirst || undefined}
        onFocus={(event) => event.currentTarget.select()}
        style={{ flex: 1 }}
      />
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
