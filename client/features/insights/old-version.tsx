import { Text, Title } from '@mantine/core'
import type { InsightVersion } from '../../../src/shared/insight-care'
import { useFigureFormat } from '../../ui/chart/figure-format'
import { ErrorState } from '../../ui/error-state'
import { ChartSkeleton } from '../../ui/skeletons'
import { AnswerView } from './answer-view'
import { hasFigures } from './empty-answer'
import { useFigures } from './use-figures'

/** What an earlier version says of the data as it is now. */
export function OldVersion({ version }: { version: InsightVersion }) {
  const format = useFigureFormat()
  const { result, error, refetch } = useFigures(version.plan)
  return (
    <section aria-label={`Version ${version.version}`}>
      <Title order={2} size="h3">
        {version.name}
      </Title>
      {version.description !== '' && (
        <Text size="sm" c="dimmed">
          {version.description}
        </Text>
      )}
      {error && !result && <ErrorState error={error} onRetry={refetch} />}
      {!result && !error && <ChartSkeleton height={240} />}
      {result && (
        <>
          <Text size="sm" mb="sm">
            {result.words}
          </Text>
          {hasFigures(result) ? (
            <AnswerView
              {...{ plan: version.plan, result, viz: version.viz, format, title: version.name, height: 240 }}
            />
          ) : (
            <Text size="sm" c="dimmed">
              No rows answer this question now.
            </Text>
          )}
        </>
      )}
    </section>
  )
}
