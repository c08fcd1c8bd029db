import type { PageView } from './page-plan'
import type { PageQuestions } from './page-questions'
import type { PageSubjects } from './page-subjects'
import type { Membership } from '../../scope'
import type { CalendarContext } from '../../semantic/calendar'
import type { MetricSubject } from '../../semantic/monitored-metric-store'
import type { ErrorBody } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'

/** By whose rights, calendar and notation a page is answered. */
export interface PageContext extends CalendarContext {
  membership: Pick<Membership, 'entitlements' | 'settings'>
}

/** A page while its blocks are answered for somebody. */
export interface ReportPage {
  context: PageContext
  /** What a block follows; filters that it made itself are not among these. */
  view: PageView
  subjects: PageSubjects
  questions: PageQuestions
  /** The currency that a metric is brought to, decided over all of its rows. */
  currencyOf: (metric: MetricSubject) => Promise<QueryPlan['currency']>
  /** Which days its period turned out to be, by its figures; empty where nothing says so. */
  periodLabels: () => Promise<readonly string[]>
  refusal: (thrown: unknown) => ErrorBody
  /** So many rows of each table are asked for; absent: as many as an answer holds. */
  tableRows?: number | undefined
}
