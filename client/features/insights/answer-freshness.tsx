import type { QueryResult } from '../../../src/shared/query-result'
import { useSourceStatus } from '../../lib/sources-freshness'
import { FreshnessStrip } from '../../ui/freshness-strip'
import type { LiveQueryResult } from './use-figures'

interface ResultFreshnessProps {
  result: QueryResult
  figures: Pick<LiveQueryResult, 'outdated' | 'updatedAt'>
  /** Newer figures could not be asked for. */
  failed?: boolean
}

/** How current an answer is: its own rows, and the sources they came from. */
export function ResultFreshness({ result, figures, failed = false }: ResultFreshnessProps) {
  const sources = useSourceStatus(result.datasets.map(({ id }) => id))
  const { outdated, updatedAt } = figures
  return <FreshnessStrip asOf={result.dataAsOf} {...{ updatedAt, failed, sources }} loading={outdated} />
}
