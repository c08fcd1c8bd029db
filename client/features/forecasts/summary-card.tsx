import { Text } from '@mantine/core'
import type { ForecastResult } from '../../../src/shared/forecast-result'
import { summariseForecast } from '../../../src/shared/forecast-words'
import type { Forecast } from '../../../src/shared/forecasts'
import { SectionCard } from '../../ui/section-card'
import classes from './forecast-page.module.css'
import type { ChartViewOptions } from './chart-card'
import type { ChartOverlays } from './forecast-slots'
import { useForecastFormatter } from './use-forecast-words'

interface SummaryCardProps {
  forecast: Forecast
  result: ForecastResult
  look: ChartViewOptions
  drawn: ChartOverlays
}

/** The forecast in plain sentences. What was left out stands with how it was made. */
export function SummaryCard({ forecast, result, look, drawn }: SummaryCardProps) {
  const words = useForecastFormatter(result)
  const lines = summariseForecast(
    {
      ...{ name: forecast.subjectName ?? forecast.name, result, level: look.level },
      ...{ thresholds: drawn.thresholds, events: forecast.events, scenarios: drawn.summaryScenarios },
    },
    words,
  ).filter(({ kind }) => kind !== 'leftOut')
  return (
    <SectionCard
      title="In words"
      {...(look.part === undefined ? {} : { description: 'About the whole, not the part that is drawn.' })}
    >
      <ul className={classes.summary}>
        {lines.map(({ kind, text }) => (
          <Text key={text} component="li" size={kind === 'expected' ? 'md' : 'sm'} fw={kind === 'breach' ? 550 : 400}>
            {text}
          </Text>
        ))}
      </ul>
    </SectionCard>
  )
}
