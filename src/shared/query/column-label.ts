import type { QueryResult, ResultColumn } from './result'

/** The heading of a column; the figures of before are called by their period. */
export const columnLabel = (
  { kind, label }: Pick<ResultColumn, 'kind' | 'label'>,
  { period }: Pick<QueryResult, 'period'>,
): string => (kind === 'previous' && period?.compare ? label.replace(/, before$/, `, ${period.compare.label}`) : label)
