import { Alert, Box, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useFigureFormat } from '../../ui/chart/figure-format'
import { FormError } from '../../ui/form-error'
import { ChartSkeleton } from '../../ui/skeletons'
import { AnswerView } from './answer-view'
import type { Built } from './draft-plan'
import { EmptyPeriod } from './empty-period'
import { hasFigures } from './empty-answer'
import classes from './insights.module.css'
import type { Figures } from './use-figures'

interface BuilderPreviewProps {
  built: Built
  preview: Figures
  title: string
}

/** What the draft answers so far; the last good answer stays while the next is on its way. */
export function BuilderPreview({ built, preview, title }: BuilderPreviewProps) {
  const format = useFigureFormat()
  const { result, stale, error } = preview
  return (
    <Box p="md" aria-busy={preview.loading}>
      {!built.ok && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="status">
          {built.missing}
        </Alert>
      )}
      {built.ok && <FormError error={error} />}
      {result && (
        <div className={`${classes.answer} ${stale ? classes.stale : ''}`}>
          <Text size="sm" c="dimmed" mb="sm">
            {result.words}
          </Text>
          {built.ok && hasFigures(result) && (
            <AnswerView result={result} viz={built.viz} format={format} title={title} height={300} />
          )}
          {built.ok && !hasFigures(result) && !stale && <EmptyPeriod plan={built.plan} />}
        </div>
      )}
      {!result && built.ok && error === null && <ChartSkeleton />}
    </Box>
  )
}
