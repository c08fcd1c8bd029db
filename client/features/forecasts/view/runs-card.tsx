import { QueryStatus } from '../../../ui/query-view'
import { Badge, Button, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ForecastGrain } from '../../../../src/shared/forecasts/result'
import { describeRunFailure } from '../../../../src/shared/forecasts/run-failure-text'
import type { ForecastRun, RunState } from '../../../../src/shared/forecasts/forecasts'
import { useFormat } from '../../../lib/format'
import { MISSING_VALUE } from '../../../../src/shared/figures/figures'
import type { ItemColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
import { pagedItems } from '../../../ui/data-table/paged-items'
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
  const columns = useRunColumns(grain)
  return (
    <SectionCard title="Runs">
      <QueryStatus query={runs} skeleton={<Skeleton h={120} />} />
      {runs.data && items.length === 0 && <Text size="sm">No runs yet</Text>}
      {items.length > 0 && (
        <ItemTable
          caption="Runs"
          items={items}
          itemKey={(run) => run.id}
          columns={columns}
          paged={pagedItems(runs, (page) => page.items)}
          moreLabel="Show more runs"
          action={{
            label: 'View',
            cell: (run) => run.state === 'ready' && <ViewRun {...{ run, onLook }} isShown={run.id === shownId} />,
          }}
        />
      )}
    </SectionCard>
  )
}

function useRunColumns(grain: ForecastGrain): ItemColumn<ForecastRun>[] {
  const format = useFormat()
  const finishedAt = (run: ForecastRun): string => run.finishedAt ?? run.startedAt
  const status = ({ state, grade }: ForecastRun): string =>
    [RUN_STATE_LABELS[state].word, ...(grade === null ? [] : [`Grade ${grade}`])].join(' ')
  return [
    { label: 'Run', kind: 'number', value: ({ number }) => number },
    { label: 'Finished', kind: 'date', value: finishedAt, text: (run) => format.dateTime(finishedAt(run)) },
    {
      ...{ label: 'Data as of', kind: 'date', value: ({ dataAsOf }) => dataAsOf },
      text: ({ dataAsOf }) => (dataAsOf === null ? MISSING_VALUE : format.dateTime(dataAsOf)),
    },
    { label: 'Started by', value: ({ byName }) => byName ?? 'New data', filter: true },
    { label: 'Status', value: status, filter: true, draw: (run) => <RunStatus run={run} grain={grain} /> },
  ]
}

function RunStatus({ run, grain }: { run: ForecastRun; grain: ForecastGrain }) {
  const { word, colour } = RUN_STATE_LABELS[run.state]
  return (
    <>
      <Badge color={colour}>{word}</Badge> {run.grade !== null && `Grade ${run.grade}`}
      {run.trouble && (
        <Text size="xs" c="dimmed" maw="32ch">
          {describeRunFailure(run.trouble, grain).title}
        </Text>
      )}
    </>
  )
}

interface ViewRunProps extends Pick<RunsCardProps, 'onLook'> {
  run: ForecastRun
  isShown: boolean
}

const ViewRun = ({ run, isShown, onLook }: ViewRunProps) => (
  <Button
    size="compact-sm"
    variant="default"
    disabled={isShown}
    aria-label={`${isShown ? 'Shown' : 'View'}: run ${run.number}`}
    onClick={() => onLook(run)}
  >
    {isShown ? 'Shown' : 'View'}
  </Button>
)
