import { Tabs, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'
import type { Forecast, ForecastRun } from '../../../../src/shared/forecasts/forecasts'
import { useSourceStatus } from '../../../lib/queries/data-source-queries'
import { FreshnessStrip } from '../../../ui/freshness'
import { PageWithRail } from '../../../ui/page-rail'
import { AccuracyCard } from '../accuracy/accuracy-card'
import { AccuracyFacts } from '../accuracy/accuracy-facts'
import { ChartCard, availableViewOptions, type ChartViewOptions } from './forecast-chart'
import { ComponentsCard } from './components-card'
import type { ScenariosPanelProps, ChartOverlays } from './forecast-chart-model'
import { ForecastTable } from './forecast-table'
import { GradeBadge } from '../forecast-badges'
import { chartLabel } from './forecast-labels'
import { ModelCard } from '../accuracy/model-card'
import { RunsCard } from './runs-card'
import { useReferenceLine, useForecastFormatter } from '../forecast-format'
import { summariseForecast } from '../../../../src/shared/forecasts/summary'
import { TERMS } from '../../../../src/shared/terms'
import { SectionCard } from '../../../ui/section-card'
import classes from './forecast-page.module.css'

export const TABS = ['how', 'season', 'figures', 'accuracy', 'runs'] as const
type Tab = (typeof TABS)[number]
const TAB_LABELS: Record<Tab, string> = {
  how: TERMS.model,
  season: 'Trend and seasonality',
  figures: 'Data',
  accuracy: TERMS.forecastVsActual,
  runs: 'Runs',
}

/** What is on screen: a run that is kept, or a preview by the rights of whoever looks. */
export interface DisplayedForecast {
  result: ForecastResult
  run: ForecastRun | null
  dataAsOf: string | null
  /** It is not the newest. */
  isOld: boolean
}

export interface ForecastViewProps {
  forecast: Forecast
  shown: DisplayedForecast
  look: ChartViewOptions
  onLook: (change: Partial<ChartViewOptions>) => void
  drawn: ChartOverlays
  onDraw: (overlays: ChartOverlays) => void
  tab: Tab
  onTab: (tab: Tab) => void
  onRun: (run: ForecastRun) => void
  /** Something newer is on its way. */
  loading: boolean
  /** It could not be asked again. */
  failed: boolean
  ahead?: ((props: ScenariosPanelProps) => ReactNode) | undefined
  renderAlerts?: ((forecast: Forecast) => ReactNode) | undefined
}

/** What a run found: chart, words, what could be done, and everything behind it. */
export function ForecastView(props: ForecastViewProps) {
  const { forecast, shown, onLook, drawn, onDraw, loading, failed, ahead, renderAlerts } = props
  const { result, run, isOld } = shown
  const look = availableViewOptions(props.look, result)
  const line = useReferenceLine(isOld ? (run?.startedAt ?? null) : null)
  const { part, asBalance } = look
  return (
    <PageWithRail
      rail={
        <>
          <AccuracyFacts {...{ result, part }} level={look.level} />
          {!isOld && renderAlerts?.(forecast)}
        </>
      }
    >
      <ChartCard
        {...{ result, look, onLook, drawn, line }}
        events={forecast.events}
        label={chartLabel(forecast, result, look)}
        head={<ChartHeader shown={shown} {...{ loading, failed, part }} />}
      />
      <SummaryCard {...{ forecast, result, drawn, look }} />
      {!isOld && ahead?.({ forecast, result, part, asBalance, onDraw })}
      <DetailTabs {...props} look={look} />
    </PageWithRail>
  )
}

type ChartHeaderProps = Pick<ForecastViewProps, 'shown' | 'loading' | 'failed'> & { part: number | undefined }
function ChartHeader({ shown: { result, dataAsOf, isOld }, loading, failed, part }: ChartHeaderProps) {
  const series = (part === undefined ? undefined : result.parts[part]) ?? result.total
  const sources = useSourceStatus()
  return (
    <>
      <FreshnessStrip asOf={dataAsOf} loading={loading} failed={failed} sources={isOld ? NO_SOURCES : sources} />
      <GradeBadge grade={series.backtest?.grade ?? null} />
    </>
  )
}
const NO_SOURCES = { failed: [], loading: false }

function DetailTabs({ forecast, shown, look, tab, onTab, onRun }: ForecastViewProps) {
  const { result, run } = shown
  const { part, asBalance } = look
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab(TABS.find((one) => one === value) ?? 'how')}
      keepMounted={false}
      variant="outline"
    >
      <Tabs.List mb="md" style={{ flexWrap: 'wrap' }}>
        {TABS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {TAB_LABELS[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="how">
        <ModelCard {...{ result, part }} events={forecast.events} />
      </Tabs.Panel>
      <Tabs.Panel value="season">
        <ComponentsCard {...{ result, part }} />
      </Tabs.Panel>
      <Tabs.Panel value="figures">
        <ForecastTable {...{ result, part, asBalance }} />
      </Tabs.Panel>
      <Tabs.Panel value="accuracy">
        <AccuracyCard id={forecast.id} result={result} level={look.level} />
      </Tabs.Panel>
      <Tabs.Panel value="runs">
        <RunsCard id={forecast.id} grain={forecast.grain} shownId={run?.id ?? null} onLook={onRun} />
      </Tabs.Panel>
    </Tabs>
  )
}

interface SummaryCardProps {
  forecast: Forecast
  result: ForecastResult
  look: ChartViewOptions
  drawn: ChartOverlays
}

/** The backtest is told by the grade and its table, what was left out beside the model. */
const KINDS_ELSEWHERE: ReadonlySet<string> = new Set(['backtest', 'leftOut'])

/** The forecast in plain sentences. */
function SummaryCard({ forecast, result, look, drawn }: SummaryCardProps) {
  const words = useForecastFormatter(result)
  const lines = summariseForecast(
    {
      ...{ name: forecast.subjectName ?? forecast.name, result, level: look.level },
      ...{ thresholds: drawn.thresholds, events: forecast.events, scenarios: drawn.summaryScenarios },
    },
    words,
  ).filter(({ kind }) => !KINDS_ELSEWHERE.has(kind))
  return (
    <SectionCard
      title={TERMS.summary}
      {...(look.part === undefined ? {} : { description: 'Total, not the selected part' })}
    >
      <ul className={classes.summary}>
        {lines.map(({ kind, text }) => (
          <Text
            key={text}
            component="li"
            size={kind === 'expected' ? 'lg' : 'sm'}
            fw={kind === 'expected' || kind === 'breach' ? 550 : 400}
          >
            {text}
          </Text>
        ))}
      </ul>
    </SectionCard>
  )
}
