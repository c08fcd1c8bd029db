import type { ForecastListItem } from '../../../src/shared/forecasts'
import classes from './forecasts.module.css'

const WIDTH = 240
const HEIGHT = 64
const EDGE = 3

type Point = readonly [x: number, y: number]
const svgPath = (points: readonly Point[]): string =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** The shape of a forecast: what was, the middle ahead, and the band around it. Its words stand beside it. */
export function ForecastSparkline({ picture }: { picture: NonNullable<ForecastListItem['picture']> }) {
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
