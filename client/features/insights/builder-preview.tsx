import { Alert, Box, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { Viz } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { useCellFormatter } from '../../ui/chart/figure-format'
import { fieldErrors, FormError } from '../../ui/form-error'
import { ChartSkeleton } from '../../ui/skeletons'
import { ResultFreshness } from './answer-freshness'
import { ResultView } from './answer-view'
import type { BuiltPlan } from './draft-plan'
import { EmptyPeriod } from './empty-period'
import { hasValues } from './empty-answer'
import classes from './insights.module.css'
import { MixedCurrencyAlert } from './mixed-lines'
import { mixedCurrencyLines } from '../../lib/mixed-lines'
import type { LiveQueryResult } from './use-figures'

interface BuilderPreviewProps {
  built: BuiltPlan
  preview: LiveQueryResult
  title: string
  /** Brings amounts to one currency, where they are in several. */
  onConvert: (currency: NonNullable<QueryPlan['currency']>) => void
}

interface LastGoodResult {
  result: QueryResult
  plan: QueryPlan
  viz: Viz
}

/** The newest answer together with the question and the chart it belongs to. */
function useLastGoodResult(builtPlan: BuiltPlan, { result, stale }: LiveQueryResult): LastGoodResult | null {
  const [good, setGood] = useState<LastGoodResult | null>(null)
  if (builtPlan.ok && result && !stale) {
    const { plan, viz } = builtPlan
    const same = good?.result === result && JSON.stringify(good.viz) === JSON.stringify(viz)
    if (!same) setGood({ result, plan, viz })
  }
  return good
}

/** What the draft answers so far; the last good answer stays while the next is on its way. */
export function BuilderPreview({ built, preview, title, onConvert }: BuilderPreviewProps) {
  const format = useCellFormatter()
  const { stale, error } = preview
  const good = useLastGoodResult(built, preview)
  const mixed = mixedCurrencyLines(error)
  return (
    <Box p="md" aria-busy={preview.loading}>
      {!built.ok && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="status">
          {built.missing}
        </Alert>
      )}
      {built.ok && mixed && <MixedCurrencyAlert plan={built.plan} lines={mixed} onConvert={onConvert} />}
      {built.ok && !mixed && <PreviewError error={error} />}
      {good && (
        <div className={`${classes.answer} ${stale || !built.ok ? classes.stale : ''}`}>
          <Text size="sm" c="dimmed" mb="sm">
            {good.result.words}
          </Text>
          <Box mb="sm">
            <ResultFreshness result={good.result} figures={preview} />
          </Box>
          {hasValues(good.result) ? (
            <ResultView
              plan={good.plan}
              result={good.result}
              viz={good.viz}
              format={format}
              title={title}
              height={300}
            />
          ) : (
            <EmptyPeriod plan={good.plan} />
          )}
        </div>
      )}
      {!good && built.ok && error === null && <ChartSkeleton />}
    </Box>
  )
}

/** Why the question was not answered: in the server's own sentences where it says what to change. */
function PreviewError({ error }: { error: Error | null }) {
  const sentences = Object.values(fieldErrors(error) ?? {})
  if (sentences.length === 0) return <FormError error={error} />
  return (
    <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="alert" color="yellow">
      {[...new Set(sentences)].join(' ')}
    </Alert>
  )
}
