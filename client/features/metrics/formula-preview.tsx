import { Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { previewPlan } from './metric-values'
import type { Around, MetricValues } from './metric-values'
import { planQuery } from './queries'
import { currenciesQuery } from '../../lib/currency-calls'
import { describeError } from '../../lib/describe-error'
import { useFormat } from '../../lib/format'
import { mixedLines } from '../../lib/mixed-lines'
import { useSession } from '../../lib/session'
import { Chart } from '../../ui/chart/chart'
import { drawingOf } from '../../ui/chart/drawing-of'
import { useFigureFormat } from '../../ui/chart/figure-format'
import type { MixedLine } from '../../../src/shared/currencies'
import type { Measure } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'

const HEIGHT = 180
/** The chart, a line above it and one below. */
const WHOLE = HEIGHT + 64
const PAUSE_MS = 400

interface FormulaPreviewProps {
  measure: Measure
  values: MetricValues
  around: Around
}

/** The figure as the formula stands: in all over the last year, and by month. */
export function FormulaPreview({ measure, values, around }: FormulaPreviewProps) {
  // While somebody types a filter, its figures follow once they rest.
  const shown = useQuery(currenciesQuery()).data?.settings.code
  const [plan] = useDebouncedValue(previewPlan(measure, values, { ...around, shown }), PAUSE_MS)
  const figures = useQuery({ ...planQuery(plan), placeholderData: keepPreviousData, retry: false })
  if (figures.isPending) return <PreviewSkeleton />
  const mixed = mixedLines(figures.error)
  if (mixed) return <ByCurrency lines={mixed} />
  if (figures.error)
    return (
      <Text size="sm" c="red" role="status">
        {describeError(figures.error).advice}
      </Text>
    )
  return <Figures result={figures.data} name={values.name.trim() || 'The figure'} />
}

/** As tall as what comes in its place. */
export const PreviewSkeleton = () => <Skeleton h={WHOLE} aria-hidden />

/** Amounts that are not added because they are in several currencies: what they come to in each. */
function ByCurrency({ lines }: { lines: readonly MixedLine[] }) {
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

function Figures({ result, name }: { result: QueryResult; name: string }) {
  const format = useFigureFormat()
  const timed = result.columns[0]?.kind === 'dimension'
  const column = result.columns[timed ? 1 : 0]
  const total = timed ? (result.totals?.[1] ?? null) : (result.rows[0]?.[0] ?? null)
  const drawing = useMemo(() => (timed ? drawingOf(result, 'line', { format }) : null), [result, timed, format])
  if (!column) return null
  return (
    <Stack gap="xs">
      <Text size="sm">
        {result.period?.label ?? 'In all'}: <strong>{format.round(total, column)}</strong>
      </Text>
      {drawing && <Chart drawing={drawing} format={format} label={`${name} by month`} height={HEIGHT} small />}
      <Text size="sm" c="dimmed">
        {result.words}
      </Text>
    </Stack>
  )
}
