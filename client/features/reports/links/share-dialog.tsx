import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { CreatedLink } from '../../../../src/shared/reports/links'
import { useMayWrite } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { Dialog } from '../../../ui/dialog'
import { MutedText } from '../../../ui/muted-text'
import { QueryError } from '../../../ui/query-view'
import { LinesSkeleton } from '../blocks/tile-frame'
import { UpgradePrompt } from '../../../ui/upgrade-prompt'
import { reportQuery } from '../queries'
import { CreatedLinkPanel } from './created-link'
import { LinkList } from './link-list'
import { NewLinkForm } from './new-link-form'
import { linksQuery } from './queries'

interface ShareDialogProps {
  reportId: string
  onClose: () => void
}

/** Links by which people without an account see a report as whoever makes them sees it. */
export function ShareDialog({ reportId, onClose }: ShareDialogProps) {
  const [step, setStep] = useState<'list' | 'new' | CreatedLink>('list')
  const report = useQuery(reportQuery(reportId))
  const title = step === 'new' ? 'New link' : 'Share report'
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      {step === 'list' ? (
        <Links reportId={reportId} onNew={report.data?.status === 'published' ? () => setStep('new') : undefined} />
      ) : step === 'new' ? (
        report.data && <NewLinkForm report={report.data} onCreated={setStep} onCancel={() => setStep('list')} />
      ) : (
        <CreatedLinkPanel link={step} onDone={() => setStep('list')} />
      )}
    </Dialog>
  )
}

function Links({ reportId, onNew }: { reportId: string; onNew: (() => void) | undefined }) {
  const links = useQuery(linksQuery(reportId))
  const { workspace } = useSession()
  const mayWrite = useMayWrite('share:report')
  const hasPlan = workspace?.entitlements.features.reportSharing ?? false
  const items = links.data ?? []
  if (links.isPending) return <LinesSkeleton />
  if (!links.data) return <QueryError query={links} />
  return (
    <Stack gap="md">
      {!hasPlan && (
        <UpgradePrompt
          need={{ kind: 'gate', gate: 'reportSharing' }}
          title="Share links"
          sentence="Let people without an account see this report. Links that exist are paused."
        />
      )}
      {hasPlan && !mayWrite && <Alert color="yellow">New links need an active plan. You can still revoke links.</Alert>}
      {hasPlan && mayWrite && onNew === undefined && <Alert color="yellow">Publish the report to share it.</Alert>}
      {hasPlan && (
        <Group justify="space-between" gap="sm">
          <MutedText style={{ flex: '1 1 14rem' }}>
            Anyone with a link sees this report with your data access, without signing in.
          </MutedText>
          {mayWrite && onNew && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew} data-autofocus>
              New link
            </Button>
          )}
        </Group>
      )}
      {items.length > 0 ? <LinkList links={items} /> : hasPlan && <MutedText size="xs">No links yet</MutedText>}
    </Stack>
  )
}
