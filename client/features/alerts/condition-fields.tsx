import { Select, Collapse, NumberInput, SimpleGrid, UnstyledButton } from '@mantine/core'
import { MultiSelect } from '../../ui/forms/multi-select'
import type { UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { ALERT_FINDING_KINDS, ALERT_GRAIN_LABELS, FINDING_KIND_LABELS, HOLD_MAX } from '../../../src/shared/alerts'
import { FORECAST_LEVELS } from '../../../src/shared/forecasts/result'
import { INTERVAL_LEVEL_VALUES, TRIGGER_OPTIONS, type AlertFormValues, type ForecastOption } from './alert-form-values'
import { NumberField } from '../../ui/forms/number-field'
import { TERMS } from '../../../src/shared/terms'
import { capitalize } from '../../../src/shared/text'
import { useCellFormatter } from '../../lib/cell-formatter'

/** Whose prediction interval, which one, and on which side of it. The alert then watches what the forecast is of. */
function PredictionIntervalFields({
  form,
  forecasts,
}: {
  form: UseFormReturnType<AlertFormValues>
  forecasts: readonly ForecastOption[]
}) {
  const figures = useCellFormatter()
  const chosen = forecasts.find(({ id }) => id === form.values.forecastId)
  return (
    <>
      <Select
        label="Forecast"
        placeholder="Choose a forecast"
        searchable
        nothingFoundMessage="No forecasts found"
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
          chosen ? `${chosen.subjectName ?? 'Deleted subject'} by ${ALERT_GRAIN_LABELS[chosen.grain]}` : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label={TERMS.predictionInterval}
        data={FORECAST_LEVELS.map((level) => ({ value: String(level), label: figures.percent(level / 100) }))}
        description={EXCEEDANCE_HINTS[form.values.forecastLevel]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('forecastLevel')}
      />
      <Select
        label="Direction"
        data={[
          { value: 'either', label: 'Above or below' },
          { value: 'above', label: 'Above' },
          { value: 'below', label: 'Below' },
        ]}
        {...form.getInputProps('side')}
      />
    </>
  )
}

/** How often a figure leaves each interval when the forecast is as good as it says. */
const EXCEEDANCE_HINTS: Record<AlertFormValues['forecastLevel'], string> = {
  50: 'Triggers in about 1 in 2 periods.',
  80: 'Triggers in about 1 in 5 periods.',
  95: 'Triggers in about 1 in 20 periods.',
}

interface ConditionFieldsProps {
  form: UseFormReturnType<AlertFormValues>
  percent: boolean
  /** Those whose interval it may watch. */
  forecasts: readonly ForecastOption[]
}

/** When it triggers, and what keeps it from triggering and resolving all the time. */
export function ConditionFields({ form, percent, forecasts }: ConditionFieldsProps) {
  const { trigger, unit } = form.values
  const isValue = trigger === 'above' || trigger === 'below'
  const isChange = trigger === 'rises' || trigger === 'falls'
  // A change of a percentage by an amount is one in points.
  const unitText = isChange ? (unit === 'percent' ? '%' : percent ? 'pp' : null) : percent ? '%' : null
  const suffix = unitText === null ? {} : { suffix: `\u00a0${unitText}` }
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Condition"
          data={TRIGGER_OPTIONS.filter(({ value }) => value !== 'band' || value === trigger || forecasts.length > 0)}
          {...form.getInputProps('trigger')}
        />
        {isValue && <NumberField label="Threshold" {...suffix} {...form.getInputProps('limit')} />}
        {isChange && <NumberField label="Change" min={0} {...suffix} {...form.getInputProps('by')} />}
        {isChange && (
          <Select
            label="Unit"
            data={[
              { value: 'percent', label: '%' },
              { value: 'amount', label: percent ? 'Percentage points' : 'Amount' },
            ]}
            {...form.getInputProps('unit')}
          />
        )}
        {isChange && (
          <Select
            label="Compared with"
            data={[
              { value: 'previous', label: `Previous ${ALERT_GRAIN_LABELS[form.values.grain]}` },
              { value: 'year', label: TERMS.previousYear },
            ]}
            {...form.getInputProps('against')}
          />
        )}
        {trigger === 'band' && <PredictionIntervalFields form={form} forecasts={forecasts} />}
        {trigger === 'finding' && (
          <MultiSelect
            label="Finding types"
            data={ALERT_FINDING_KINDS.map((kind) => ({ value: kind, label: capitalize(FINDING_KIND_LABELS[kind]) }))}
            value={form.values.kinds}
            error={form.errors['kinds']}
            onChange={(kinds) =>
              form.setFieldValue(
                'kinds',
                ALERT_FINDING_KINDS.filter((kind) => kinds.includes(kind)),
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
        Sensitivity
      </UnstyledButton>
      <Collapse expanded={opened}>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <NumberInput label="Hold for" min={1} max={HOLD_MAX} allowDecimal={false} {...form.getInputProps('holdN')} />
          <Select
            label="Count"
            disabled={running}
            data={[
              { value: 'periods', label: 'Periods in a row' },
              { value: 'evaluations', label: 'Updates in a row' },
            ]}
            {...form.getInputProps('holdOf')}
            value={running ? 'evaluations' : values.holdOf}
          />
          <NumberField
            label="Resolve margin"
            description="How far back past the threshold"
            placeholder="0"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            {...suffix}

            {...form.getInputProps('band')}
          />
        </SimpleGrid>
      </Collapse>
    </div>
  )
}
