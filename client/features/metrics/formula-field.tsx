import { MutedText } from '../../ui/muted-text'
import { Skeleton, Stack, Text, Alert, Button, Group, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
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
import { buildChartSpec } from '../../ui/chart/build-chart-spec'
import { useCellFormatter } from '../../lib/cell-formatter'
import type { MixedCurrencyLine } from '../../../src/shared/currencies'
import { TERMS } from '../../../src/shared/terms'
import type { Measure } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import classes from './metrics.module.css'
import type { FormulaError } from '../../../src/shared/formula/parse'
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
  // While somebody types a filter, its figures follow once they rest.
  const displayCurrency = useQuery(currenciesQuery()).data?.settings.code
  const { dataRange, pending } = useFieldRange(values.dataset, previewTime(values, around))
  const [plan] = useDebouncedValue(
    previewPlan(measure, values, { ...around, displayCurrency, dataRange }),
    PREVIEW_DEBOUNCE_MS,
  )
  const figures = useQuery({
    ...planResultQuery(plan),
    enabled: !pending,
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
        {result.period?.label ?? TERMS.total}: <strong>{format.round(total, column)}</strong>
      </Text>
      {drawing && <Chart drawing={drawing} format={format} label={`${name} by month`} height={CHART_HEIGHT_PX} small />}
      <MutedText>{result.words}</MutedText>
    </Stack>
  )
}

const FORMULA_DEBOUNCE_MS = 400
const NAMES_SHOWN = 12
const quoteName = (name: string): string => `[${name.replaceAll(']', ']]')}]`

interface FormulaFieldProps {
  form: UseFormReturnType<MetricFormValues>
  metric: Metric | null
  around: MetricFormContext
}

export function FormulaField({ form, metric, around }: FormulaFieldProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const { dataset: id, formula } = form.values
  const [settled] = useDebouncedValue(
    { dataset: id, formula, ...(metric ? { id: metric.id } : {}) },
    FORMULA_DEBOUNCE_MS,
  )
  const read = useQuery({ ...formulaQuery(settled), placeholderData: keepPreviousData })
  const others = useQuery(metricsQuery())
  const { dataset } = around
  const insertText = (text: string): void => {
    const at = input.current?.selectionStart ?? formula.length
    const to = input.current?.selectionEnd ?? at
    form.setFieldValue('formula', `${formula.slice(0, at)}${text}${formula.slice(to)}`)
    input.current?.focus()
  }
  const isCurrent = settled.formula === formula && settled.dataset === id
  return (
    <Stack gap="sm">
      <Textarea
        {...form.getInputProps('formula')}
        ref={input}
        label="Formula"
        placeholder="sum([Amount]) / [Orders]"
        classNames={{ input: classes.code }}
        rows={3}
        maxLength={2000}
        spellCheck={false}
        required
      />
      <Group gap={6}>
        {(dataset?.columns ?? [])
          .filter(({ hidden }) => !hidden)
          .slice(0, NAMES_SHOWN)
          .map(({ key, label }) => (
            <InsertNameButton key={key} onInsert={() => insertText(quoteName(label))}>
              {label}
            </InsertNameButton>
          ))}
        {(others.data ?? [])
          .filter((one) => one.id !== metric?.id)
          .slice(0, NAMES_SHOWN)
          .map(({ id: key, name }) => (
            <InsertNameButton key={key} onInsert={() => insertText(quoteName(name))} isMetric>
              {name}
            </InsertNameButton>
          ))}
      </Group>
      {isCurrent && read.data && !read.data.ok && <FormulaErrors errors={read.data.errors} formula={formula} />}
      {metric && read.isLoading && <PreviewSkeleton />}
      {read.data?.ok && formula.trim() !== '' && (
        <FormulaPreview measure={read.data.measure} values={form.values} around={around} />
      )}
    </Stack>
  )
}

interface InsertNameButtonProps {
  children: string
  isMetric?: boolean
  onInsert: () => void
}
const InsertNameButton = ({ children, isMetric = false, onInsert }: InsertNameButtonProps) => (
  <Button size="compact-xs" variant={isMetric ? 'light' : 'default'} onClick={onInsert} title="Insert">
    {children}
  </Button>
)

function FormulaErrors({ errors, formula }: { errors: readonly FormulaError[]; formula: string }) {
  return (
    <Alert color="yellow" role="status" aria-label="Formula errors">
      <Stack gap={4}>
        {errors.map(({ message, from, to }) => (
          <Text size="sm" key={`${from} ${message}`}>
            {message} {to > from && <code>{formula.slice(from, to)}</code>}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}
