import { MutedText } from '../../ui/muted-text'
import { Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ForecastListItem, ForecastListItem as Card } from '../../../src/shared/forecasts/forecasts'
import classes from './forecasts.module.css'
import { LinkAnchor } from '../../ui/buttons/links'
import { ForecastStateBadge, GradeBadge } from './forecast-badges'
import { computedHorizonLabel } from './view/forecast-labels'
import { whenText } from '../../../src/shared/forecasts/forecast-formatter'

const WIDTH = 240
const HEIGHT = 64
const EDGE = 3

type Point = readonly [x: number, y: number]
const svgPath = (points: readonly Point[]): string =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** The shape of a forecast: what was, the middle ahead, and the band around it. Its words stand beside it. */
function ForecastSparkline({ picture }: { picture: NonNullable<ForecastListItem['picture']> }) {
  const { past, mean, lower, upper } = picture
  const all = [...past.filter((value) => value !== null), ...mean, ...lower, ...upper]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const count = past.length + mean.length
  const x = (at: number): number => (count > 1 ? (at / (count - 1)) * WIDTH : WIDTH / 2)
  const y = (value: number): number =>
    high > low ? HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE) : HEIGHT / 2
  const before = past.flatMap((value, at): Point[] => (value === null ? [] : [[x(at), y(value)]]))
  const ahead = (values: readonly number[]): Point[] => values.map((value, at) => [x(past.length + at), y(value)])
  const last = before.slice(-1)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={classes.picture} aria-hidden>
      <path className={classes.band} d={`${svgPath([...last, ...ahead(upper), ...ahead(lower).toReversed()])}Z`} />
      <path className={classes.past} d={svgPath(before)} />
      <path className={classes.ahead} d={svgPath([...last, ...ahead(mean)])} />
    </svg>
  )
}

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
          No results yet
        </Text>
      )}
      <MutedText>
        {[subjectName, computedHorizonLabel(forecast, picture?.mean.length)].filter(Boolean).join(' · ')}
      </MutedText>
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
        {breach.threshold}: first {rises ? 'above' : 'below'} {whenText(breach.period, grain)}
      </Text>
    </Group>
  )
}
