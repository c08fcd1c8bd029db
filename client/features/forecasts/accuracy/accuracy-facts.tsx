import { Text } from '@mantine/core'
import type { ForecastLevel, ForecastResult } from '../../../../src/shared/forecasts/result'
import { TERMS } from '../../../../src/shared/terms'
import { SideSection } from '../../../ui/page-rail'
import { useForecastFormatter } from '../forecast-format'
import { describeBias } from './model-card'
import classes from './accuracy-facts.module.css'

interface AccuracyFactsProps {
  result: ForecastResult
  /** Place among the parts; absent: the whole. */
  part?: number | undefined
  level: ForecastLevel
}

/** How far the backtest was off, at a glance; the whole of it is beside the model. */
export function AccuracyFacts({ result, part, level }: AccuracyFactsProps) {
  const words = useForecastFormatter(result)
  const { backtest } = (part === undefined ? undefined : result.parts[part]) ?? result.total
  if (!backtest)
    return (
      <SideSection title="Accuracy">
        <Text size="sm">Not enough history for a backtest</Text>
      </SideSection>
    )
  const { mae, mape, coverage, checks } = backtest.used
  const facts = [
    { term: TERMS.error, value: words.rounded(mae) },
    ...(mape === null ? [] : [{ term: 'MAPE', value: words.share(mape) }]),
    { term: TERMS.bias, value: describeBias(backtest.used, words) },
    {
      term: `In ${words.percent(level / 100)} interval`,
      value: `${words.count(Math.round(coverage[level] * checks))} of ${words.count(checks)}`,
    },
  ]
  return (
    <SideSection title="Accuracy">
      <dl className={classes.facts}>
        {facts.map(({ term, value }) => (
          <div key={term} className={classes.fact}>
            <Text component="dt" size="sm" c="dimmed">
              {term}
            </Text>
            <Text component="dd" size="sm" fw={550}>
              {value}
            </Text>
          </div>
        ))}
      </dl>
    </SideSection>
  )
}
