import { Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ForecastListItem as Card } from '../../../src/shared/forecasts'
import { LinkAnchor } from '../../ui/links'
import { ForecastStateBadge } from './forecast-state'
import classes from './forecasts.module.css'
import { GradeBadge } from './grade-badge'
import { horizonLabel } from './look-words'
import { ForecastSparkline } from './small-picture'
import { whenText } from './use-forecast-words'

/** One forecast among others: its shape, how good it is, and what breaks first. */
export function ForecastCard({ forecast }: { forecast: Card }) {
  const { id, name, subjectName, picture, lastRun } = forecast
  return (
    <article className={`surface ${classes.card}`} aria-label={name}>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
        <LinkAnchor to="/forecasts/$id" params={{ id }} fw={600} lineClamp={2}>
          {name}
        </LinkAnchor>
        <GradeBadge grade={lastRun?.grade ?? null} />
      </Group>
      {picture ? (
        <ForecastSparkline picture={picture} />
      ) : (
        <Text size="sm" c="dimmed" className={classes.nothing}>
          No figures yet
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {[subjectName, horizonLabel(forecast)].filter(Boolean).join(' · ')}
      </Text>
      <BreachLine forecast={forecast} />
      <ForecastStateBadge forecast={forecast} />
    </article>
  )
}

function BreachLine({ forecast: { breach, thresholds, grain } }: { forecast: Card }) {
  if (!breach) return null
  const rises = thresholds.find(({ name }) => name === breach.threshold)?.side === 'above'
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconAlertTriangle size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm" fw={550}>
        {rises ? 'Rises over' : 'Falls under'} {breach.threshold} {whenText(breach.period, grain)}
      </Text>
    </Group>
  )
}
