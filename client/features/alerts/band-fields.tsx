import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ALERT_GRAIN_LABELS } from '../../../src/shared/alert-words'
import { FORECAST_LEVELS } from '../../../src/shared/forecast-result'
import type { ForecastListItem } from '../../../src/shared/forecasts'
import { INTERVAL_LEVEL_VALUES } from './alert-values'
import type { AlertFormValues } from './alert-values'

/** Forecasts as they are chosen from. */
export type ForecastOption = Pick<ForecastListItem, 'id' | 'name' | 'subject' | 'subjectName' | 'grain' | 'level'>

/** Whose band, which one, and which way out of it. The alert then watches what the forecast is of. */
export function PredictionIntervalFields({
  form,
  forecasts,
}: {
  form: UseFormReturnType<AlertFormValues>
  forecasts: readonly ForecastOption[]
}) {
  const chosen = forecasts.find(({ id }) => id === form.values.forecastId)
  return (
    <>
      <Select
        label="Forecast"
        placeholder="Choose a forecast"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No forecast has this name."
        data={forecasts.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('forecastId')}
        onChange={(id) => {
          const level = forecasts.find((one) => one.id === id)?.level
          form.setValues({
            forecastId: id,
            ...(level === undefined ? {} : { forecastLevel: INTERVAL_LEVEL_VALUES[level] }),
          })
        }}
        description={
          chosen
            ? `Watches ${chosen.subjectName === null ? 'what it is of' : `“${chosen.subjectName}”`} by ${ALERT_GRAIN_LABELS[chosen.grain]}.`
            : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label="Which band"
        allowDeselect={false}
        data={FORECAST_LEVELS.map((level) => ({ value: String(level), label: `The ${level} % band` }))}
        description={EXCEEDANCE_HINTS[form.values.forecastLevel]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('forecastLevel')}
      />
      <Select
        label="Which way"
        allowDeselect={false}
        data={[
          { value: 'either', label: 'Above or below' },
          { value: 'above', label: 'Above it' },
          { value: 'below', label: 'Below it' },
        ]}
        {...form.getInputProps('side')}
      />
    </>
  )
}

/** How often a figure leaves each band when the forecast is as good as it says. */
const EXCEEDANCE_HINTS: Record<AlertFormValues['forecastLevel'], string> = {
  50: 'Goes off about every second time.',
  80: 'Goes off about 2 times in 10.',
  95: 'Goes off about once in 20 times.',
}
