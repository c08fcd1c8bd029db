import { Alert, Box, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { Viz } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { useFigureFormat } from '../../ui/chart/figure-format'
import { fieldErrors, FormError } from '../../ui/form-error'
import { ChartSkeleton } from '../../ui/skeletons'
import { AnswerFreshness } from './answer-freshness'
import { AnswerView } from './answer-view'
import type { Built } from './draft-plan'
import { EmptyPeriod } from './empty-period'
import { hasFigures } from './empty-answer'
import classes from './insights.module.css'
import { MixedLines } from './mixed-lines'
import { mixedLines } from '../../lib/mixed-lines'
import type { Figures } from './use-figures'

interface BuilderPreviewProps {
  built: Built
  preview: Figures
  title: string
  /** Brings amounts to one currency, where they are in several. */
  onConvert: (currency: NonNullable<QueryPlan['currency']>) => void
}

interface Good {
  result: QueryResult
  plan: QueryPlan
  viz: Viz
}

/** The newest answer together with the question and the chart it belongs to. */
function useLastGood(built: Built, { result, stale }: Figures): Good | null {
  const [good, setGood] = useState<Good | null>(null)
  if (built.ok && result && !stale) {
    const { plan, viz } = built
    const same = good?.result === result && JSON.stringify(good.viz) === JSON.stringify(viz)
    if (!same) setGood({ result, plan, viz })
  }
  return good
}

/** What the draft answers so far; the last good answer stays while the next is on its way. */
export function BuilderPreview({ built, preview, title, onConvert }: BuilderPreviewProps) {
  const format = useFigureFormat()
  const { stale, error } = preview
  const good = useLastGood(built, preview)
  const mixed = mixedLines(error)
  return (
    <Box p="md" aria-busy={preview.loading}>
      {!built.ok && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="status">
          {built.missing}
        </Alert>
      )}
      {built.ok && mixed && <MixedLines plan={built.plan} lines={mixed} onConvert={onConvert} />}
      {built.ok && !mixed && <Refusal error={error} />}
      {good && (
        <div className={`${classes.answer} ${stale || !built.ok ? classes.stale : ''}`}>
          <Text size="sm" c="dimmed" mb="sm">
            {good.result.words}
          </Text>
          <Box mb="sm">
            <AnswerFreshness result={good.result} figures={preview} />
          </Box>
          {hasFigures(good.result) ? (
            <AnswerView
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
function Refusal({ error }: { error: Error | null }) {
  const sentences = Object.values(fieldErrors(error) ?? {})
  if (sentences.length === 0) return <FormError error={error} />
  return (
    <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="alert" color="yellow">
      {[...new Set(sentences)].join(' ')}
    </Alert>
  )
}
