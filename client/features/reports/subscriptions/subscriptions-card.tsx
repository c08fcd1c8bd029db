import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReportBlock } from '../../../../src/shared/reports/blocks'
import type { BlockSubscription } from '../../../../src/shared/reports/block-subscriptions'
import { REPORT_PATHS } from '../../../lib/report-paths'
import { LinkAnchor } from '../../../ui/buttons/links'
import { MutedText } from '../../../ui/muted-text'
import { notifyError } from '../../../ui/notify-error'
import { SectionCard } from '../../../ui/section-card'
import { reportQuery, shownContent } from '../queries'
import { blocksOf } from '../../../../src/shared/reports/report-items'
import { blockSubscriptionsQuery, saveBlockSubscription } from './queries'
import { CADENCE_NAMES } from './subscribe-button'
import { useBlockName } from './use-block-name'

/** The blocks of reports that a member hears of by mail; nothing where there are none. */
export function BlockSubscriptionsCard() {
  const own = useQuery(blockSubscriptionsQuery()).data ?? []
  if (own.length === 0) return null
  return (
    <SectionCard title="Report subscriptions" description="Figures from reports, by email.">
      <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
        {own.map((one) => (
          <Line key={`${one.reportId} ${one.block}`} subscription={one} />
        ))}
      </Stack>
    </SectionCard>
  )
}

function Line({ subscription }: { subscription: BlockSubscription }) {
  const { reportId, report, kind, block, cadence } = subscription
  const content = useQuery(reportQuery(reportId)).data
  const shown = content && shownContent(content)
  const found = shown && blocksOf(shown).find(({ id }) => id === block)
  const ending = useMutation({
    mutationFn: () => saveBlockSubscription(reportId, { block, cadence: 'off' }),
    onError: notifyError,
  })
  return (
    <Group
      component="li"
      justify="space-between"
      wrap="nowrap"
      py="xs"
      style={{ borderBottom: '1px solid var(--line)' }}
    >
      <div style={{ minWidth: 0 }}>
        <LinkAnchor to={REPORT_PATHS[kind]} params={{ id: reportId }} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {found ? <BlockName block={found} /> : report}
        </LinkAnchor>
        <MutedText size="xs">
          {found && `${report} · `}
          {content && !found ? 'No longer in the report: nothing is sent' : CADENCE_NAMES[cadence]}
        </MutedText>
      </div>
      <Button
        size="xs"
        variant="default"
        style={{ flex: 'none' }}
        loading={ending.isPending}
        onClick={() => ending.mutate()}
      >
        Unsubscribe
      </Button>
    </Group>
  )
}

const BlockName = ({ block }: { block: ReportBlock }) => <>{useBlockName(block)}</>
