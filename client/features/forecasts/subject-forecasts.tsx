import { MutedText } from '../../ui/muted-text'
import { Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconChartLine } from '@tabler/icons-react'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeFieldOf } from '../../../src/shared/monitored-metric'
import { useMayWrite } from '../../lib/gate'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'
import { SectionCard } from '../../ui/section-card'
import { ForecastStateBadge, GradeBadge } from './forecast-badges'
import classes from './forecasts.module.css'
import { horizonLabel } from './view/forecast-labels'
import { forecastsQuery } from './queries'

/** Forecasts of an insight, and the way to a new one. */
export const InsightForecasts = ({ insight }: { insight: Insight }) =>
  timeFieldOf(insight.plan) === null || insight.plan.measures.length === 0 ? null : (
    <SubjectForecasts of={{ insight: insight.id }} />
  )
/** Forecasts of a metric, and the way to a new one. */
export const MetricForecasts = ({ metric }: { metric: Metric }) =>
  metric.time === null ? null : <SubjectForecasts of={{ metric: metric.id }} />

function SubjectForecasts({ of }: { of: { insight: string } | { metric: string } }) {
  const list = useInfiniteQuery(forecastsQuery(of))
  const may = useMayWrite('edit:forecast')
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  if (!list.data || (items.length === 0 && !may)) return null
  return (
    <SectionCard title="Forecasts" description="What is likely to come, and how sure that is.">
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map((forecast) => (
            <li key={forecast.id}>
              <Group gap="xs">
                <LinkAnchor to="/forecasts/$id" params={{ id: forecast.id }} fw={550}>
                  {forecast.name}
                </LinkAnchor>
                <MutedText>{horizonLabel(forecast)}</MutedText>
                <GradeBadge grade={forecast.lastRun?.grade ?? null} />
                <ForecastStateBadge forecast={forecast} />
              </Group>
            </li>
          ))}
        </ul>
      )}
      {may && (
        <LinkButton
          to="/forecasts/new"
          search={of}
          variant="default"
          mt={items.length > 0 ? 'sm' : 0}
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconChartLine size={16} aria-hidden />}
        >
          Forecast this
        </LinkButton>
      )}
    </SectionCard>
  )
}
