import { Text, Title } from '@mantine/core'
import type { InsightVersion } from '../../../src/shared/insight-care'
import { useCellFormatter } from '../../ui/chart/figure-format'
import { ErrorState } from '../../ui/error-state'
import { ChartSkeleton } from '../../ui/skeletons'
import { ResultView } from './answer-view'
import { hasValues } from './empty-answer'
import { useQueryResult } from './use-figures'

/** What an earlier version says of the data as it is now. */
export function VersionPreview({ version }: { version: InsightVersion }) {
  const format = useCellFormatter()
  const { result, error, refetch } = useQueryResult(version.plan)
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
          {hasValues(result) ? (
            <ResultView
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
