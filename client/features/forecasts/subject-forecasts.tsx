import { MutedText } from '../../ui/muted-text'
import { Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconChartLine } from '@tabler/icons-react'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeFieldOf } from '../../../src/shared/monitored-metric'
import { useMayWrite } from '../../lib/gate'
import { LinkAnchor } from '../../ui/buttons/links'
import { SideLink, SideSection } from '../../ui/page-rail'
import { ForecastStateBadge, GradeBadge } from './forecast-badges'
import classes from './forecasts.module.css'
import { computedHorizonLabel } from './view/forecast-labels'
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
  if (!list.data) return null
  return (
    <SideSection
      title="Forecasts"
      isEmpty={items.length === 0}
      action={
        may && (
          <SideLink icon={IconChartLine} to="/forecasts/new" search={of}>
            Add forecast
          </SideLink>
        )
      }
    >
      <ul className={classes.list}>
        {items.map((forecast) => (
          <li key={forecast.id}>
            <Group gap="xs">
              <LinkAnchor to="/forecasts/$id" params={{ id: forecast.id }} fw={550}>
                {forecast.name}
              </LinkAnchor>
              <MutedText>{computedHorizonLabel(forecast, forecast.picture?.mean.length)}</MutedText>
              <GradeBadge grade={forecast.lastRun?.grade ?? null} />
              <ForecastStateBadge forecast={forecast} />
            </Group>
          </li>
        ))}
      </ul>
    </SideSection>
  )
}
