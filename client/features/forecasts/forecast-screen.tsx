import { Alert, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { troubleWords } from '../../../src/shared/forecast-trouble-words'
import type { Forecast, ForecastRun, ForecastRunWithResult } from '../../../src/shared/forecasts'
import { FrozenScope, useMay } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { EmptyState } from '../../ui/empty-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { ChartSkeleton, ScreenSkeleton } from '../../ui/skeletons'
import { lookAt } from './chart-card'
import type { Look } from './chart-card'
import { ForecastActions } from './forecast-actions'
import { ForecastNotices, isOfOtherRights, OldRun } from './forecast-notices'
import type { AheadProps, Drawn } from './forecast-slots'
import { ForecastView, TABS } from './forecast-view'
import type { Shown } from './forecast-view'
import { horizonWords } from './look-words'
import { forecastQuery, forecastRunQuery } from './queries'
import { RunsCard } from './runs-card'
import { settingsOf } from './settings-of'
import { useLine } from './use-line'
import { usePicture } from './use-picture'
import { usePreview } from './use-preview'
import type { Preview } from './use-preview'

export interface ForecastScreenProps {
  id: string
  /** What could be done: scenarios, levels that matter, events. */
  ahead?: (props: AheadProps) => ReactNode
  /** The form that changes its settings. */
  edit?: (forecast: Forecast, onDone: () => void) => ReactNode
}

/** One forecast: what its newest run found, an old one, or its settings. The address holds which. */
export function ForecastScreen({ id, ahead, edit }: ForecastScreenProps) {
  const { tab } = useSearch({ strict: false })
  const go = useGo(id)
  const forecast = useQuery(forecastQuery(id))
  const may = useMay('edit:forecast')
  if (forecast.isPending) return <ScreenSkeleton />
  if (!forecast.data) return <ErrorState error={forecast.error} onRetry={() => void forecast.refetch()} />
  // Whoever kept the address of the form and may not change the forecast any more sees it instead.
  if (tab === 'edit' && may && !forecast.data.frozen && edit) return edit(forecast.data, () => go({}))
  return (
    <FrozenScope frozen={forecast.data.frozen}>
      <Page forecast={forecast.data} {...{ ahead }} failed={forecast.isError} />
    </FrozenScope>
  )
}

/** Goes to another part of the same page. */
function useGo(id: string): (search: { tab?: string; run?: string }) => void {
  const navigate = useNavigate()
  return (search) => void navigate({ to: '/forecasts/$id', params: { id }, search, resetScroll: false })
}

interface PageProps {
  forecast: Forecast
  ahead: ForecastScreenProps['ahead']
  /** It could not be asked again. */
  failed: boolean
}

function Page({ forecast, ahead, failed }: PageProps) {
  const { run: runId } = useSearch({ strict: false })
  const go = useGo(forecast.id)
  const [isPreviewed, setPreviewed] = useState(false)
  const old = useQuery({ ...forecastRunQuery(forecast.id, runId ?? ''), enabled: runId !== undefined })
  const preview = usePreviewOf(forecast, isPreviewed)
  const seen = useLook(forecast)
  const shown = shownOf(forecast, { old: runId === undefined ? undefined : (old.data ?? null), preview })
  const png = usePng(forecast, shown, seen)
  const onEdit = (): void => go({ tab: 'edit' })
  return (
    <>
      <PageHeader
        title={forecast.name}
        above={<LinkAnchor to="/forecasts">Forecasts</LinkAnchor>}
        description={<Description forecast={forecast} />}
        actions={<ForecastActions {...{ forecast, onEdit, png }} />}
      />
      <Stack gap="md">
        <ForecastNotices {...{ forecast, isPreviewed, onEdit }} onPreview={() => setPreviewed(true)} />
        {runId !== undefined && old.data && <OldRun run={old.data} onLeave={() => go({ tab: 'runs' })} />}
        {runId !== undefined && old.error && <ErrorState error={old.error} onRetry={() => void old.refetch()} />}
        {isPreviewed && !shown && <NoPreview preview={preview} grain={forecast.grain} />}
        <Body
          {...{ forecast, shown, ahead, seen, failed }}
          waits={(runId !== undefined && old.isPending) || (isPreviewed && preview.busy)}
          found={old.data ? old.data.result !== null : true}
        />
      </Stack>
    </>
  )
}

/** Why a preview shows nothing. */
function NoPreview({ preview: { error, computed }, grain }: { preview: Preview; grain: Forecast['grain'] }) {
  if (error !== null) return <ErrorState error={error} />
  if (!computed || computed.ok) return null
  const { title, advice } = troubleWords(computed.trouble, grain)
  return (
    <Alert color="yellow" role="alert" title={title}>
      {advice}
    </Alert>
  )
}

interface BodyProps extends PageProps {
  shown: Shown | null
  seen: ReturnType<typeof useLook>
  /** What is asked for is on its way. */
  waits: boolean
  /** The run that is asked for has a result. */
  found: boolean
}

function Body({ forecast, shown, ahead, seen, waits, found, failed }: BodyProps) {
  const { run: runId, tab } = useSearch({ strict: false })
  const go = useGo(forecast.id)
  const onRun = (run: ForecastRun): void =>
    go({ tab: 'runs', ...(run.id === forecast.ready?.id ? {} : { run: run.id }) })
  if (!shown) return <NothingYet {...{ forecast, waits, found, onRun }} />
  return (
    <ForecastView
      {...{ forecast, shown, ahead, onRun, failed }}
      {...seen}
      tab={TABS.find((one) => one === tab) ?? 'how'}
      onTab={(next) => go({ tab: next, ...(runId === undefined ? {} : { run: runId }) })}
      loading={forecast.state === 'queued' || forecast.state === 'running'}
    />
  )
}

/** The picture of what is on screen; undefined while there is nothing. */
function usePng(forecast: Forecast, shown: Shown | null, { look, drawn }: ReturnType<typeof useLook>) {
  const line = useLine(shown?.isOld ? (shown.run?.startedAt ?? null) : null)
  const picture = usePicture()
  if (!shown) return undefined
  const { result, run, dataAsOf } = shown
  const madeOf = { forecast, look: lookAt(look, result), drawn, line, result, dataAsOf }
  return () => picture({ ...madeOf, madeAt: run?.finishedAt ?? null })
}

const NOT_KEPT = 'Of this run only what it said is kept, to be held against what came. Newer ones are kept in whole.'

type NothingYetProps = Pick<BodyProps, 'forecast' | 'waits' | 'found'> & { onRun: (run: ForecastRun) => void }
/** In place of the chart: a picture of it while it is on its way, else what it takes. */
function NothingYet({ forecast, waits, found, onRun }: NothingYetProps) {
  if (!found) return <EmptyState picture="trouble" title="This run is not kept in whole" sentence={NOT_KEPT} />
  const underWay = forecast.state === 'queued' || forecast.state === 'running'
  if (waits || underWay)
    return (
      <div role="status" aria-label="Loading">
        <ChartSkeleton height={420} />
        <Skeleton h={80} mt="md" aria-hidden="true" />
      </div>
    )
  if (isOfOtherRights(forecast) || forecast.state === 'draft') return null
  return <RunsCard id={forecast.id} grain={forecast.grain} shownId={null} onLook={onRun} />
}

function Description({ forecast }: { forecast: Forecast }) {
  const { subject, subjectName } = forecast
  const ahead = horizonWords(forecast)
  if (subjectName === null)
    return (
      <>
        A deleted {subject.kind}, {ahead}
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
function usePreviewOf(forecast: Forecast, isAsked: boolean) {
  const settings = useMemo(() => (isAsked ? settingsOf(forecast) : null), [forecast, isAsked])
  return usePreview(settings)
}

/** What is chosen of the picture; levels that matter are those that are saved until others are drawn. */
function useLook({ level, thresholds, accumulate }: Forecast) {
  const [look, setLook] = useState<Look>({
    ...{ level, part: undefined, asBalance: accumulate !== null, fold: undefined, whole: false },
  })
  const [own, setOwn] = useState<Drawn | null>(null)
  const saved = useMemo<Drawn>(() => ({ scenarios: [], told: [], thresholds }), [thresholds])
  return {
    look,
    onLook: (change: Partial<Look>) => setLook((before) => ({ ...before, ...change })),
    drawn: own ?? saved,
    onDraw: setOwn,
  }
}

interface Sources {
  /** The old run that is asked for; undefined: the newest is. */
  old: ForecastRunWithResult | null | undefined
  preview: Preview
}
function shownOf(forecast: Forecast, { old, preview }: Sources): Shown | null {
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
