import { MutedText } from '../../ui/muted-text'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import { previewPlan, previewTime, type MetricFormContext, type MetricFormValues } from './metric-form-values'
import { formulaQuery } from './queries'
import { planResultQuery } from '../../lib/plan-result'
import { retryWhenBusy } from '../../lib/queries/query-client'
import { useFieldRange } from '../../lib/query-builder/time-column'
import { metricsQuery } from '../../lib/query-builder/catalogue'
import { currenciesQuery } from '../../lib/queries/currency-queries'
import { describeError } from '../../lib/describe-error'
import { useFormat } from '../../lib/format'
import { mixedCurrencyLines } from '../../lib/error-details'
import { useSession } from '../../lib/session'
import { Chart } from '../../ui/chart/chart'
import { describeResultPeriod } from '../../../src/shared/charts/headline'
import { buildChartSpec } from '../../ui/chart/build-chart-spec'
import { useCellFormatter } from '../../lib/cell-formatter'
import type { MixedCurrencyLine } from '../../../src/shared/currencies'
import { TERMS } from '../../../src/shared/terms'
import type { Measure } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import { FORMULA_MAX_CHARS } from '../../../src/shared/formula/parse'
import type { Completion } from '../../ui/formula/completion'
import { formulaCompletions } from '../../ui/formula/formula-completions'
import { FormulaInput } from '../../ui/formula/formula-input'
import { builderFormulaNames } from '../../lib/query-builder/formula-names'
import type { Metric } from '../../../src/shared/metrics'

const CHART_HEIGHT_PX = 180
/** The chart, a line above it and one below. */
const PREVIEW_HEIGHT_PX = CHART_HEIGHT_PX + 64
const PREVIEW_DEBOUNCE_MS = 400

interface FormulaPreviewProps {
  measure: Measure
  values: MetricFormValues
  around: MetricFormContext
}

function FormulaPreview({ measure, values, around }: FormulaPreviewProps) {
  // While somebody types a filter, its figures follow once they rest. What the page knows of the data holds at once:
  // the figures of all time must not come before those of the last year.
  const [settled] = useDebouncedValue(values, PREVIEW_DEBOUNCE_MS)
  const currencies = useQuery(currenciesQuery())
  const { dataRange, pending } = useFieldRange(settled.dataset, previewTime(settled, around))
  const displayCurrency = currencies.data?.settings.code
  const plan = previewPlan(measure, settled, { ...around, displayCurrency, dataRange })
  const figures = useQuery({
    ...planResultQuery(plan),
    enabled: !pending && !currencies.isPending,
    placeholderData: keepPreviousData,
    retry: retryWhenBusy,
  })
  if (figures.isPending) return <PreviewSkeleton />
  const mixed = mixedCurrencyLines(figures.error)
  if (mixed) return <AmountsByCurrency lines={mixed} />
  if (figures.error)
    return (
      <Text size="sm" c="red" role="status">
        {describeError(figures.error).advice}
      </Text>
    )
  return <PreviewResult result={figures.data} name={values.name.trim() || 'Preview'} />
}

/** As tall as what comes in its place. */
const PreviewSkeleton = () => <Skeleton h={PREVIEW_HEIGHT_PX} aria-hidden />

/** Amounts that are not added because they are in several currencies: what they come to in each. */
function AmountsByCurrency({ lines }: { lines: readonly MixedCurrencyLine[] }) {
  const format = useFormat()
  const converts = useSession().workspace?.entitlements.features.multiCurrency ?? false
  const own = lines.filter(({ measure }) => measure === lines[0]?.measure)
  const amounts = own.map(({ amount, currency }) => `${format.decimal(amount)} ${currency ?? 'no currency'}`)
  return (
    <Text size="sm" role="status">
      Mixed currencies: {amounts.join(', ')}.{converts && ' Choose a currency conversion below.'}
    </Text>
  )
}

function PreviewResult({ result, name }: { result: QueryResult; name: string }) {
  const format = useCellFormatter()
  const hasTimeDimension = result.columns[0]?.kind === 'dimension'
  const column = result.columns[hasTimeDimension ? 1 : 0]
  const total = hasTimeDimension ? (result.totals?.[1] ?? null) : (result.rows[0]?.[0] ?? null)
  const drawing = useMemo(
    () => (hasTimeDimension ? buildChartSpec(result, 'line', { format }) : null),
    [result, hasTimeDimension, format],
  )
  if (!column) return null
  return (
    <Stack gap="xs">
      <Text size="sm">
        {describeResultPeriod(result, format.day) ?? TERMS.total}: <strong>{format.round(total, column)}</strong>
      </Text>
      {drawing && <Chart drawing={drawing} format={format} label={`${name} by month`} height={CHART_HEIGHT_PX} />}
      <MutedText>{result.words}</MutedText>
    </Stack>
  )
}

const FORMULA_DEBOUNCE_MS = 400
interface FormulaFieldProps {
  form: UseFormReturnType<MetricFormValues>
  metric: Metric | null
  around: MetricFormContext
}

/** What a metric's formula may hold: functions, columns of its data, and other metrics. */
const completionsOf = ({ dataset }: MetricFormContext, metrics: readonly Metric[]): Completion[] =>
  dataset ? formulaCompletions('figures', { ...builderFormulaNames(dataset), metrics }) : []

export function FormulaField({ form, metric, around }: FormulaFieldProps) {
  const { dataset: id, formula } = form.values
  const [settled] = useDebouncedValue(
    { dataset: id, formula, ...(metric ? { id: metric.id } : {}) },
    FORMULA_DEBOUNCE_MS,
  )
  const read = useQuery({ ...formulaQuery(settled), placeholderData: keepPreviousData })
  const { data: metrics } = useQuery(metricsQuery())
  const completions = useMemo(
    () =>
      completionsOf(
        around,
        (metrics ?? []).filter((one) => one.id !== metric?.id),
      ),
    [around, metrics, metric],
  )
  const isCurrent = settled.formula === formula && settled.dataset === id
  const error = form.errors['formula']
  return (
    <Stack gap="sm">
      <FormulaInput
        of="figures"
        value={formula}
        onChange={(text) => form.setFieldValue('formula', text)}
        errors={isCurrent && read.data && !read.data.ok ? read.data.errors : []}
        completions={completions}
        label="Formula"
        description="Type to see functions, columns and metrics."
        placeholder="sum([Amount]) / [Orders]"
        error={typeof error === 'string' ? error : undefined}
        maxLength={FORMULA_MAX_CHARS}
      />
      {metric && read.isLoading && <PreviewSkeleton />}
      {read.data?.ok && formula.trim() !== '' && (
        <FormulaPreview measure={read.data.measure} values={form.values} around={around} />
      )}
    </Stack>
  )
}
