import { Alert, Button, Group, Stack } from '@mantine/core'
import type { CreatedLink } from '../../../../src/shared/reports/links'
import { embedPath, sharedPath } from '../../../../src/shared/reports/link-paths'
import { CopyField } from '../../../ui/forms/copy-field'
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
