import { Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { previewPlan } from './metric-values'
import type { MetricFormContext, MetricFormValues } from './metric-values'
import { planQuery } from './queries'
import { currenciesQuery } from '../../lib/currency-calls'
import { describeError } from '../../lib/describe-error'
import { useFormat } from '../../lib/format'
import { mixedCurrencyLines } from '../../lib/mixed-lines'
import { useSession } from '../../lib/session'
import { Chart } from '../../ui/chart/chart'
import { buildChartSpec } from '../../ui/chart/drawing-of'
import { useCellFormatter } from '../../ui/chart/figure-format'
import type { MixedCurrencyLine } from '../../../src/shared/currencies'
import type { Measure } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'

const CHART_HEIGHT_PX = 180
/** The chart, a line above it and one below. */
const PREVIEW_HEIGHT_PX = CHART_HEIGHT_PX + 64
const PREVIEW_DEBOUNCE_MS = 400

interface FormulaPreviewProps {
  measure: Measure
  values: MetricFormValues
  around: MetricFormContext
}

/** The figure as the formula stands: in all over the last year, and by month. */
export function FormulaPreview({ measure, values, around }: FormulaPreviewProps) {
  // While somebody types a filter, its figures follow once they rest.
  const displayCurrency = useQuery(currenciesQuery()).data?.settings.code
  const [plan] = useDebouncedValue(previewPlan(measure, values, { ...around, displayCurrency }), PREVIEW_DEBOUNCE_MS)
  const figures = useQuery({ ...planQuery(plan), placeholderData: keepPreviousData, retry: false })
  if (figures.isPending) return <PreviewSkeleton />
  const mixed = mixedCurrencyLines(figures.error)
  if (mixed) return <AmountsByCurrency lines={mixed} />
  if (figures.error)
    return (
      <Text size="sm" c="red" role="status">
        {describeError(figures.error).advice}
      </Text>
    )
  return <PreviewResult result={figures.data} name={values.name.trim() || 'The figure'} />
}

/** As tall as what comes in its place. */
export const PreviewSkeleton = () => <Skeleton h={PREVIEW_HEIGHT_PX} aria-hidden />

/** Amounts that are not added because they are in several currencies: what they come to in each. */
function AmountsByCurrency({ lines }: { lines: readonly MixedCurrencyLine[] }) {
  const format = useFormat()
  const converts = useSession().workspace?.entitlements.features.multiCurrency ?? false
  const own = lines.filter(({ measure }) => measure === lines[0]?.measure)
  const amounts = own.map(({ amount, currency }) => `${format.decimal(amount)} ${currency ?? 'without a currency'}`)
  return (
    <Text size="sm" role="status">
      In several currencies, which are not added as they stand: {amounts.join(', ')}.
      {converts && ' Say below how other currencies are converted to see it as one figure.'}
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
        {result.period?.label ?? 'In all'}: <strong>{format.round(total, column)}</strong>
      </Text>
      {drawing && <Chart drawing={drawing} format={format} label={`${name} by month`} height={CHART_HEIGHT_PX} small />}
      <Text size="sm" c="dimmed">
        {result.words}
      </Text>
    </Stack>
  )
}
