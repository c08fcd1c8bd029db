import { QueryError } from '../../ui/query-view'
import { Alert, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { describeRunFailure } from '../../../src/shared/forecasts/run-failure-text'
import { pickSettings } from '../../../src/shared/forecasts/forecasts'
import type { Forecast, ForecastRun, ForecastRunWithResult } from '../../../src/shared/forecasts/forecasts'
import { OverLimitScope, useMay } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { EmptyState } from '../../ui/empty-state'
import { LinkAnchor } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { ChartSkeleton, ScreenSkeleton } from '../../ui/skeletons'
import { availableViewOptions, type ChartViewOptions } from './view/forecast-chart'
import { ForecastActions } from './view/forecast-actions'
import { ForecastNotices, isRestricted, OldRunNotice } from './view/forecast-notices'
import type { ScenariosPanelProps, ChartOverlays } from './view/forecast-chart-model'
import { ForecastView, TABS, type DisplayedForecast } from './view/forecast-view'
import { computedHorizonLabel } from './view/forecast-labels'
import { forecastQuery, forecastRunQuery } from './queries'
import { RunsCard } from './view/runs-card'
import { useReferenceLine } from './forecast-format'
import { useChartImage } from './view/export-image'
import { usePreview, type ForecastPreview } from './form/use-preview'

export interface ForecastScreenProps {
  id: string
  /** Scenarios and thresholds. */
  ahead?: (props: ScenariosPanelProps) => ReactNode
  renderAlerts?: (forecast: Forecast) => ReactNode
  /** The form that changes its settings. */
  edit?: (forecast: Forecast, onDone: () => void) => ReactNode
}

/** One forecast: what its newest run found, an old one, or its settings. The address holds which. */
export function ForecastScreen({ id, ahead, renderAlerts, edit }: ForecastScreenProps) {
  const { tab } = useSearch({ strict: false })
  const go = useForecastNavigation(id)
  const forecast = useQuery(forecastQuery(id))
  const may = useMay('edit:forecast')
  if (forecast.isPending) return <ScreenSkeleton />
  if (!forecast.data) return <QueryError query={forecast} isPage />
  // Whoever kept the address of the form and may not change the forecast any more sees it instead.
  if (tab === 'edit' && may && !forecast.data.frozen && edit) return edit(forecast.data, () => go({}))
  return (
    <OverLimitScope frozen={forecast.data.frozen}>
      <ForecastPage forecast={forecast.data} {...{ ahead, renderAlerts }} failed={forecast.isError} />
    </OverLimitScope>
  )
}

/** Goes to another part of the same page. */
function useForecastNavigation(id: string): (search: { tab?: string; run?: string }) => void {
  const navigate = useNavigate()
  return (search) => void navigate({ to: '/forecasts/$id', params: { id }, search, resetScroll: false })
}

interface ForecastPageProps {
  forecast: Forecast
  ahead: ForecastScreenProps['ahead']
  renderAlerts: ForecastScreenProps['renderAlerts']
  /** It could not be asked again. */
  failed: boolean
}

function ForecastPage({ forecast, ahead, renderAlerts, failed }: ForecastPageProps) {
  const { run: runId } = useSearch({ strict: false })
  const go = useForecastNavigation(forecast.id)
  const [isPreviewed, setPreviewed] = useState(false)
  const old = useQuery({ ...forecastRunQuery(forecast.id, runId ?? ''), enabled: runId !== undefined })
  const preview = useAccessPreview(forecast, isPreviewed)
  const seen = useChartView(forecast)
  const shown = selectDisplayedForecast(forecast, {
    old: runId === undefined ? undefined : (old.data ?? null),
    preview,
  })
  const png = usePngExport(forecast, shown, seen)
  const onEdit = (): void => go({ tab: 'edit' })
  return (
    <>
      <PageHeader
        title={forecast.name}
        breadcrumb={<LinkAnchor to="/forecasts">Forecasts</LinkAnchor>}
        description={<SubjectDescription forecast={forecast} />}
        actions={<ForecastActions {...{ forecast, onEdit, png }} />}
      />
      <Stack gap="md">
        <ForecastNotices {...{ forecast, isPreviewed, onEdit }} onPreview={() => setPreviewed(true)} />
        {runId !== undefined && old.data && <OldRunNotice run={old.data} onLeave={() => go({ tab: 'runs' })} />}
        {runId !== undefined && old.error && <QueryError query={old} />}
        {isPreviewed && !shown && <PreviewFailure preview={preview} grain={forecast.grain} />}
        <ForecastBody
          {...{ forecast, shown, ahead, renderAlerts, seen, failed }}
          waits={(runId !== undefined && old.isPending) || (isPreviewed && preview.busy)}
          found={old.data ? old.data.result !== null : true}
        />
      </Stack>
    </>
  )
}

/** Why a preview shows nothing. */
function PreviewFailure({
  preview: { error, computed },
  grain,
}: {
  preview: ForecastPreview
  grain: Forecast['grain']
}) {
  if (error !== null) return <ErrorState error={error} />
  if (!computed || computed.ok) return null
  const { title, advice } = describeRunFailure(computed.trouble, grain)
  return (
    <Alert color="yellow" role="alert" title={title}>
      {advice}
    </Alert>
  )
}

interface ForecastBodyProps extends ForecastPageProps {
  shown: DisplayedForecast | null
  seen: ReturnType<typeof useChartView>
  /** What is asked for is on its way. */
  waits: boolean
  /** The run that is asked for has a result. */
  found: boolean
}

function ForecastBody({ forecast, shown, ahead, renderAlerts, seen, waits, found, failed }: ForecastBodyProps) {
  const { run: runId, tab } = useSearch({ strict: false })
  const go = useForecastNavigation(forecast.id)
  const onRun = (run: ForecastRun): void =>
    go({ tab: 'runs', ...(run.id === forecast.ready?.id ? {} : { run: run.id }) })
  if (!shown) return <ForecastPlaceholder {...{ forecast, waits, found, onRun }} />
  return (
    <ForecastView
      {...{ forecast, shown, ahead, renderAlerts, onRun, failed }}
      {...seen}
      tab={TABS.find((one) => one === tab) ?? 'how'}
      onTab={(next) => go({ tab: next, ...(runId === undefined ? {} : { run: runId }) })}
      loading={forecast.state === 'queued' || forecast.state === 'running'}
    />
  )
}

/** The picture of what is on screen; undefined while there is nothing. */
function usePngExport(
  forecast: Forecast,
  shown: DisplayedForecast | null,
  { look, drawn }: ReturnType<typeof useChartView>,
) {
  const line = useReferenceLine(shown?.isOld ? (shown.run?.startedAt ?? null) : null)
  const picture = useChartImage()
  if (!shown) return undefined
  const { result, run, dataAsOf } = shown
  const madeOf = { forecast, look: availableViewOptions(look, result), drawn, line, result, dataAsOf }
  return () => picture({ ...madeOf, madeAt: run?.finishedAt ?? null })
}

const RESULT_PRUNED_TEXT =
  'Of this run only what it said is kept, to be held against what came. Newer ones are kept in whole.'

type ForecastPlaceholderProps = Pick<ForecastBodyProps, 'forecast' | 'waits' | 'found'> & {
  onRun: (run: ForecastRun) => void
}
/** In place of the chart: a picture of it while it is on its way, else what it takes. */
function ForecastPlaceholder({ forecast, waits, found, onRun }: ForecastPlaceholderProps) {
  if (!found)
    return <EmptyState picture="trouble" title="This run is not kept in whole" sentence={RESULT_PRUNED_TEXT} />
  const underWay = forecast.state === 'queued' || forecast.state === 'running'
  if (waits || underWay)
    return (
      <div role="status" aria-label="Loading">
        <ChartSkeleton height={420} />
        <Skeleton h={80} mt="md" aria-hidden="true" />
      </div>
    )
  if (isRestricted(forecast) || forecast.state === 'draft') return null
  return <RunsCard id={forecast.id} grain={forecast.grain} shownId={null} onLook={onRun} />
}

function SubjectDescription({ forecast }: { forecast: Forecast }) {
  const { subject, subjectName } = forecast
  // A short history carries fewer periods than were asked for.
  const ahead = computedHorizonLabel(forecast, forecast.ready?.result?.future.length)
  if (subjectName === null)
    return (
      <>
        Deleted {subject.kind}, {ahead}
      </>
    )
  return (
    <>
      {subject.kind === 'insight' ? (
        <LinkAnchor to="/insights/$id" params={{ id: subject.id }} underline="always">
          {subjectName}
        </LinkAnchor>
      ) : (
        <LinkAnchor to="/metrics/$id" params={{ id: subject.id }} underline="always">
          {subjectName}
        </LinkAnchor>
      )}
      , {ahead}
    </>
  )
}

/** A preview of the same forecast by the rights of whoever looks, once it is asked for. */
function useAccessPreview(forecast: Forecast, isAsked: boolean) {
  const settings = useMemo(() => (isAsked ? pickSettings(forecast) : null), [forecast, isAsked])
  return usePreview(settings)
}

/** What is chosen of the picture; levels that matter are those that are saved until others are drawn. */
function useChartView({ level, thresholds, accumulate }: Forecast) {
  const [look, setLook] = useState<ChartViewOptions>({
    ...{ level, part: undefined, asBalance: accumulate !== null, fold: undefined, whole: false },
  })
  const [own, setOwn] = useState<ChartOverlays | null>(null)
  const saved = useMemo<ChartOverlays>(() => ({ scenarios: [], summaryScenarios: [], thresholds }), [thresholds])
  return {
    look,
    onLook: (change: Partial<ChartViewOptions>) => setLook((before) => ({ ...before, ...change })),
    drawn: own ?? saved,
    onDraw: setOwn,
  }
}

interface DisplaySources {
  /** The old run that is asked for; undefined: the newest is. */
  old: ForecastRunWithResult | null | undefined
  preview: ForecastPreview
}
function selectDisplayedForecast(forecast: Forecast, { old, preview }: DisplaySources): DisplayedForecast | null {
  if (old === null) return null
  if (old && !old.result) return null
  if (old?.result) return { result: old.result, run: old, dataAsOf: old.dataAsOf, isOld: old.id !== forecast.ready?.id }
  if (forecast.ready?.result) {
    const { result, ...run } = forecast.ready
    return { result, run, dataAsOf: run.dataAsOf, isOld: false }
  }
  if (preview.computed?.ok)
    return { result: preview.computed.result, run: null, dataAsOf: preview.prepared?.dataAsOf ?? null, isOld: false }
  return null
}
