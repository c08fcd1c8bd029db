import { Checkbox, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ALERT_GRAIN_LABELS } from '../../../src/shared/alert-words'
import { FORECAST_GRAINS, FORECAST_LEVELS } from '../../../src/shared/forecast-result'
import type { ForecastGrain } from '../../../src/shared/forecast-result'
import { HORIZON_MAX } from '../../../src/shared/forecasts'
import type { ForecastableMetric } from './followable'
import { subjectKey } from './followable'
import { useToday } from './use-line'
import { withGrain } from './forecast-values'
import type { ForecastFormValues } from './forecast-values'

export interface ForecastFieldsProps {
  form: UseFormReturnType<ForecastFormValues>
  /** What can be forecast. */
  forecastables: readonly ForecastableMetric[]
}
const capitalise = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const grainOf = (value: string | null): ForecastGrain => FORECAST_GRAINS.find((grain) => grain === value) ?? 'month'

/** Which figure: metrics first, then what insights show over time. */
export function SubjectField({ form, forecastables }: ForecastFieldsProps) {
  const { subject } = form.values
  const isGone = subject !== null && !forecastables.some(({ key }) => key === subjectKey(subject))
  const choices = (kind: 'metric' | 'insight') =>
    forecastables.filter((one) => one.subject.kind === kind).map(({ key, label }) => ({ value: key, label }))
  return (
    <Select
      label="What to forecast"
      placeholder="Choose a metric or an insight"
      searchable
      allowDeselect={false}
      nothingFoundMessage="No figure over time has this name."
      data={[
        { group: 'Metrics', items: choices('metric') },
        { group: 'Insights', items: choices('insight') },
      ].filter(({ items }) => items.length > 0)}
      value={subject ? subjectKey(subject) : null}
      error={
        form.errors['subject'] ?? (isGone ? 'What this was a forecast of is gone: choose another figure.' : undefined)
      }
      onChange={(key) => {
        const chosen = forecastables.find((one) => one.key === key)
        if (!chosen) return
        const current = forecastables.find((one) => subject && one.key === subjectKey(subject))
        const { name } = form.values
        const isOwn = name.trim() !== '' && !(current && name === defaultName(current))
        form.setValues({
          ...{ subject: chosen.subject, by: null, filters: [] },
          ...(form.isDirty('grain') || chosen.grain === null ? {} : withGrain(chosen.grain)),
          ...(isOwn ? {} : { name: defaultName(chosen) }),
        })
      }}
    />
  )
}
const NAME_MAX = 80
/** What a forecast of a figure is called until somebody says otherwise. */
export const defaultName = ({ label }: Pick<ForecastableMetric, 'label'>): string =>
  `${label.endsWith('?') ? 'Forecast:' : 'Forecast of'} ${label}`.slice(0, NAME_MAX).trim()

/** How far ahead and in which periods. `most`: periods that the history carries, once that is known. */
export function HorizonFields({ form, most }: Pick<ForecastFieldsProps, 'form'> & { most: number | null }) {
  const { values } = form
  const unit = `${ALERT_GRAIN_LABELS[values.grain]}${most === 1 ? '' : 's'}`
  const isBeyond = most !== null && Number(values.horizon) > most
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="By"
        allowDeselect={false}
        data={FORECAST_GRAINS.map((grain) => ({ value: grain, label: capitalise(ALERT_GRAIN_LABELS[grain]) }))}
        value={values.grain}
        onChange={(grain) => form.setValues(withGrain(grainOf(grain)))}
      />
      <NumberInput
        label="How far ahead"
        description={
          most === null
            ? 'As far as the history carries.'
            : `The history carries ${isBeyond ? 'only' : 'up to'} ${most} ${unit}.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={1}
        max={HORIZON_MAX}
        clampBehavior="blur"
        suffix={` ${ALERT_GRAIN_LABELS[values.grain]}${Number(values.horizon) === 1 ? '' : 's'}`}
        {...form.getInputProps('horizon')}
      />
    </SimpleGrid>
  )
}

/** What is seldom changed: where the history begins, the season, bounds, and how the running period counts. */
export function AdvancedFields({ form }: { form: ForecastFieldsProps['form'] }) {
  const { values } = form
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          type="date"
          label="History from"
          description="Empty: as far back as there is anything."
          value={values.historyFrom ?? ''}
          error={form.errors['historyFrom']}
          onChange={({ currentTarget }) => form.setFieldValue('historyFrom', currentTarget.value || null)}
        />
        <Select
          label="Band that is drawn"
          description="How much of what comes it should hold."
          allowDeselect={false}
          data={FORECAST_LEVELS.map((level) => ({ value: String(level), label: `${level} %` }))}
          value={String(values.level)}
          onChange={(level) => form.setFieldValue('level', FORECAST_LEVELS.find((one) => String(one) === level) ?? 80)}
        />
        <Select
          label="Season"
          allowDeselect={false}
          data={[
            { value: 'auto', label: 'If one is found' },
            { value: 'none', label: 'None' },
            { value: 'own', label: 'Of so many periods' },
          ]}
          {...form.getInputProps('season')}
        />
        {values.season === 'own' && (
          <NumberInput
            label="Periods in a season"
            min={2}
            max={366}
            clampBehavior="blur"
            {...form.getInputProps('seasonLength')}
          />
        )}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberInput
          label="Never below"
          placeholder="No limit"
          thousandSeparator=" "
          {...form.getInputProps('floor')}
        />
        <NumberInput
          label="Never above"
          placeholder="No limit"
          thousandSeparator=" "
          {...form.getInputProps('ceiling')}
        />
      </SimpleGrid>
      <Checkbox
        label="Leave the running period out"
        description="It is not over yet, so it would look like a fall."
        {...form.getInputProps('ignoreIncomplete', { type: 'checkbox' })}
      />
      <Checkbox
        label="Draw unusual values in"
        description="One-off peaks then steer the forecast less."
        {...form.getInputProps('dampOutliers', { type: 'checkbox' })}
      />
      {values.grain === 'day' && (
        <Checkbox
          label="Try public holidays"
          description="Kept only if forecasts of the past become better by them."
          {...form.getInputProps('holidays', { type: 'checkbox' })}
        />
      )}
    </>
  )
}

/** Shown as what it adds up to: cash from its movements. */
export function BalanceFields({
  form,
  chosen,
}: {
  form: ForecastFieldsProps['form']
  chosen: ForecastableMetric | undefined
}) {
  const { accumulate, opening, openingOn } = form.values
  const today = useToday()
  if (chosen && !chosen.additive) return null
  return (
    <>
      <Checkbox
        label="Show what it adds up to"
        description="For cash: from the balance on, movement by movement."
        {...form.getInputProps('accumulate', { type: 'checkbox' })}
      />
      {accumulate && (
        <NumberInput
          label="Balance that is known"
          description="Empty: what the books say, or else the sum of all that came before."
          thousandSeparator=" "
          {...form.getInputProps('opening')}
          onChange={(typed) => form.setValues({ opening: typed, openingOn: openingOn ?? today })}
        />
      )}
      {accumulate && opening !== '' && (
        <TextInput
          type="date"
          label="On the morning of"
          description="What moved between that day and the start of the forecast is added or taken off."
          value={openingOn ?? ''}
          onChange={({ currentTarget }) => form.setFieldValue('openingOn', currentTarget.value || null)}
        />
      )}
    </>
  )
}
