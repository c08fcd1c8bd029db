import { Select, Collapse, MultiSelect, NumberInput, SimpleGrid, UnstyledButton } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { ALERT_GRAIN_LABELS, FINDING_KIND_LABELS, HOLD_MAX } from '../../../src/shared/alerts'
import { FORECAST_LEVELS } from '../../../src/shared/forecasts/result'
import { INTERVAL_LEVEL_VALUES, TRIGGER_OPTIONS, type AlertFormValues, type ForecastOption } from './alert-form-values'
import { FINDING_KINDS } from '../../../src/shared/findings'

/** Whose band, which one, and which way out of it. The alert then watches what the forecast is of. */
function PredictionIntervalFields({
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
        data={FORECAST_LEVELS.map((level) => ({ value: String(level), label: `The ${level} % band` }))}
        description={EXCEEDANCE_HINTS[form.values.forecastLevel]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('forecastLevel')}
      />
      <Select
        label="Which way"
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

interface ConditionFieldsProps {
  form: UseFormReturnType<AlertFormValues>
  percent: boolean
  /** Those whose band it may watch. */
  forecasts: readonly ForecastOption[]
}

/** When it goes off, and what keeps it from going off and on all the time. */
export function ConditionFields({ form, percent, forecasts }: ConditionFieldsProps) {
  const { trigger, unit } = form.values
  const isValue = trigger === 'above' || trigger === 'below'
  const isChange = trigger === 'rises' || trigger === 'falls'
  const suffix = (isChange ? unit === 'percent' : percent) ? { suffix: ' %' } : {}
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Tell me when it"
          data={TRIGGER_OPTIONS.filter(({ value }) => value !== 'band' || value === trigger || forecasts.length > 0)}
          {...form.getInputProps('trigger')}
        />
        {isValue && (
          <NumberInput
            label="Limit"
            placeholder="0"
            {...suffix}
            thousandSeparator=" "
            {...form.getInputProps('limit')}
          />
        )}
        {isChange && (
          <NumberInput label="How much" min={0} {...suffix} thousandSeparator=" " {...form.getInputProps('by')} />
        )}
        {isChange && (
          <Select
            label="Measured in"
            data={[
              { value: 'percent', label: 'Per cent' },
              { value: 'amount', label: 'Amount' },
            ]}
            {...form.getInputProps('unit')}
          />
        )}
        {isChange && (
          <Select
            label="Against"
            data={[
              { value: 'previous', label: `The ${ALERT_GRAIN_LABELS[form.values.grain]} before` },
              { value: 'year', label: 'The year before' },
            ]}
            {...form.getInputProps('against')}
          />
        )}
        {trigger === 'band' && <PredictionIntervalFields form={form} forecasts={forecasts} />}
        {trigger === 'finding' && (
          <MultiSelect
            label="Kinds of finding"
            data={FINDING_KINDS.map((kind) => ({ value: kind, label: FINDING_KIND_LABELS[kind] }))}
            value={form.values.kinds}
            error={form.errors['kinds']}
            onChange={(kinds) =>
              form.setFieldValue(
                'kinds',
                FINDING_KINDS.filter((kind) => kinds.includes(kind)),
              )
            }
          />
        )}
      </SimpleGrid>
      {trigger !== 'finding' && trigger !== 'band' && <SensitivityFields form={form} suffix={suffix} />}
    </>
  )
}

function SensitivityFields({
  form,
  suffix,
}: {
  form: UseFormReturnType<AlertFormValues>
  suffix: { suffix?: string }
}) {
  const { values } = form
  const changed = values.band !== '' || Number(values.holdN) > 1
  const [opened, disclosure] = useDisclosure(changed)
  const running = values.on === 'running'
  return (
    <div>
      <UnstyledButton
        fz="sm"
        c="var(--mantine-color-anchor)"
        aria-expanded={opened}
        onClick={disclosure.toggle}
        mb={opened ? 'xs' : 0}
      >
        {opened ? 'Fewer settings' : 'Keep it calm: duration and band'}
      </UnstyledButton>
      <Collapse expanded={opened}>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <NumberInput
            label="Must hold for"
            min={1}
            max={HOLD_MAX}
            allowDecimal={false}
            {...form.getInputProps('holdN')}
          />
          <Select
            label="Counted in"
            disabled={running}
            data={[
              { value: 'periods', label: 'Periods in a row' },
              { value: 'evaluations', label: 'Updates in a row' },
            ]}
            {...form.getInputProps('holdOf')}
            value={running ? 'evaluations' : values.holdOf}
          />
          <NumberInput
            label="Is over when back by"
            description="Past the limit; empty = at once"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            {...suffix}
            thousandSeparator=" "
            {...form.getInputProps('band')}
          />
        </SimpleGrid>
      </Collapse>
    </div>
  )
}
