import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { DeleteAccountDialog } from './delete-account'
import { SectionCard } from '../../ui/section-card'
import type { SignInMethods } from '../../../src/shared/account'

/** A person's own copy of what is stored about them, and the end of their account. */
export function PersonalDataCard({ signIns }: { signIns: SignInMethods }) {
  const [deleting, setDeleting] = useState(false)
  return (
    <SectionCard title="Your data">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw="46ch">
          Everything stored about you as a person: profile, sign-ins, workspaces, and what the log says you did.
        </Text>
        <Button
          component="a"
          href="/files/account/export"
          download
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
        >
          Download my data
        </Button>
      </Group>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw="46ch">
          Delete your account. For 30 days a link in a mail brings it back; after that it is gone for good.
        </Text>
        <Button variant="outline" color="red" onClick={() => setDeleting(true)}>
          Delete account
        </Button>
      </Group>
      {deleting && <DeleteAccountDialog signIns={signIns} onClose={() => setDeleting(false)} />}
    </SectionCard>
  )
}
