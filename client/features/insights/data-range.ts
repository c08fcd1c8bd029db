import type { BuilderDataset } from '../../lib/query-builder/catalogue'
import { timeChoiceOf, useFieldRange, type DataRange } from '../../lib/query-builder/time-column'

/** Today on the wall clock of a time zone, as ISO text. */
export const todayIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

/** The days that rows of a dataset are dated by; null without a date or when they cannot be read. */
export const useDataRange = (dataset: BuilderDataset): { dataRange: DataRange | null; pending: boolean } =>
  useFieldRange(dataset.id, timeChoiceOf(dataset)?.field ?? null)
