import { Button, List, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { SectionCard } from '../../ui/section-card'
import type { Workspace } from '../../../src/shared/workspaces'

/** Leaving with everything: one archive, and what is in it. */
export function ExportWorkspaceCard({ workspace }: { workspace: Workspace }) {
  return (
    <SectionCard title="Export everything" description="One zip file with all that this workspace holds.">
      <List size="sm" spacing={2}>
        <List.Item>Every dataset with all its rows, as CSV</List.Item>
        <List.Item>The files your newest loads were made from, while they are kept</List.Item>
        <List.Item>Insights, data sources and relations</List.Item>
        <List.Item>Settings, members, groups and invitations</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        A file inside says what is what. Passwords and sign-ins are not in it. The download is noted in the audit log.
      </Text>
      <div>
        <Button
          component="a"
          href={`/files/workspace/export?w=${workspace.id}`}
          download
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
        >
          Download everything
        </Button>
      </div>
    </SectionCard>
  )
}
