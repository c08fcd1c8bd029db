import type { QueryResult } from '../../../src/shared/query-result'
import { useSourceStates } from '../../lib/sources-freshness'
import { FreshnessStrip } from '../../ui/freshness-strip'
import type { Figures } from './use-figures'

interface AnswerFreshnessProps {
  result: QueryResult
  figures: Pick<Figures, 'outdated' | 'updatedAt'>
  /** Newer figures could not be asked for. */
  failed?: boolean
}

/** How current an answer is: its own rows, and the sources they came from. */
export function AnswerFreshness({ result, figures, failed = false }: AnswerFreshnessProps) {
  const sources = useSourceStates(result.datasets.map(({ id }) => id))
  const { outdated, updatedAt } = figures
  return <FreshnessStrip asOf={result.dataAsOf} {...{ updatedAt, failed, sources }} loading={outdated} />
}
