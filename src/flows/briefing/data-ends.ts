import { lastDayOf } from '../../semantic/newest-periods'
import type { CalendarContext } from '../../semantic/calendar'
import { ProductError } from '../../shared/errors'
import type { Finding } from '../../shared/findings'

/** Datasets whose end is asked: each is a question to the warehouse, kept until its rows change. */
const DATASETS_MAX = 10

/** The last day with rows of each dataset that findings are of (ISO day). What cannot be asked now is left out. */
export async function dataEndsOf(
  at: CalendarContext,
  findings: readonly Pick<Finding, 'about'>[],
): Promise<Map<string, string>> {
  const times = new Map(findings.map(({ about }) => [about.dataset, about.time]))
  const ends = new Map<string, string>()
  for (const [dataset, time] of [...times].slice(0, DATASETS_MAX)) {
    const end = await lastDayOf(at, { dataset, time }).catch(orNull)
    if (end !== null) ends.set(dataset, end)
  }
  return ends
}

function orNull(error: unknown): null {
  if (error instanceof ProductError) return null
  throw error
}
