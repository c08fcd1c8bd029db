import { QueryStatus } from '../../../ui/query-view'
import { Badge, Button, Skeleton, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ForecastGrain } from '../../../../src/shared/forecasts/result'
import { describeRunFailure } from '../../../../src/shared/forecasts/run-failure-text'
import type { ForecastRun, RunState } from '../../../../src/shared/forecasts/forecasts'
import { MISSING_VALUE, useFormat } from '../../../lib/format'
import { SectionCard } from '../../../ui/section-card'
import { forecastRunsQuery } from '../queries'

interface RunsCardProps {
  id: string
  grain: ForecastGrain
  /** The run that is on screen. */
  shownId: string | null
  onLook: (run: ForecastRun) => void
}

const RUN_STATE_LABELS: Record<RunState, { word: string; colour: string }> = {
  queued: { word: 'Queued', colour: 'gray' },
  running: { word: 'Running', colour: 'blue' },
  ready: { word: 'Ready', colour: 'green' },
  too_short: { word: 'Not enough history', colour: 'yellow' },
  failed: { word: 'Failed', colour: 'red' },
}

/** Every run that there ever was; none is changed afterwards. */
export function RunsCard({ id, grain, shownId, onLook }: RunsCardProps) {
  const runs = useInfiniteQuery(forecastRunsQuery(id))
  const items = runs.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <SectionCard title="Runs">
      <QueryStatus query={runs} skeleton={<Skeleton h={120} />} />
      {runs.data && items.length === 0 && <Text size="sm">No runs yet</Text>}
      {items.length > 0 && (
        <Table.ScrollContainer
          minWidth={560}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Runs' } }}
        >
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Run</Table.Th>
                <Table.Th>Finished</Table.Th>
                <Table.Th>Data as of</Table.Th>
                <Table.Th>Started by</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>
                  <span className="only-reader">View</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((run) => (
                <RunTableRow key={run.id} {...{ run, grain, onLook }} isShown={run.id === shownId} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {runs.hasNextPage && (
        <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          Show more runs
        </Button>
      )}
    </SectionCard>
  )
}

interface RunTableRowProps extends Pick<RunsCardProps, 'grain' | 'onLook'> {
  run: ForecastRun
  isShown: boolean
}

function RunTableRow({ run, grain, isShown, onLook }: RunTableRowProps) {
  const format = useFormat()
  const { word, colour } = RUN_STATE_LABELS[run.state]
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={isShown ? 550 : 400}>
        {run.number}
      </Table.Th>
      <Table.Td>{format.dateTime(run.finishedAt ?? run.startedAt)}</Table.Td>
      <Table.Td>{run.dataAsOf === null ? MISSING_VALUE : format.dateTime(run.dataAsOf)}</Table.Td>
      <Table.Td>{run.byName ?? 'New data'}</Table.Td>
      <Table.Td>
        <Badge color={colour}>{word}</Badge> {run.grade !== null && `Grade ${run.grade}`}
        {run.trouble && (
          <Text size="xs" c="dimmed" maw="32ch">
            {describeRunFailure(run.trouble, grain).title}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {run.state === 'ready' && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isShown}
            aria-label={`${isShown ? 'Shown' : 'View'}: run ${run.number}`}
            onClick={() => onLook(run)}
          >
            {isShown ? 'Shown' : 'View'}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
