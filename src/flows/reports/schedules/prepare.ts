import { sharedOutside, type SharedOutside } from './shared-outside'
import { readReader, type ReportReader } from './reader'
import { namedFilterText } from '../filter-text'
import { readDocument } from '../report-document'
import { reportDownload } from '../report-download'
import { documentProblems } from '../report-document'
import { outsideDocument } from '../shared/shared-answers'
import { openEdition } from '../../../features/reports/editions/service'
import { editionStore } from '../../../features/reports/editions/store'
import { fitsReport } from '../../../features/reports/schedules/check-recipients'
import {
  deliveryFileKey,
  keepBytes,
  keepMadeFile,
  readMadeFile,
  type MadeFile,
} from '../../../features/reports/schedules/delivery-files'
import type { ClaimedDelivery } from '../../../features/reports/schedules/delivery-store'
import { factsOf, withinFilters, type DocumentFacts } from '../../../features/reports/schedules/document-facts'
import type { StoredSchedule } from '../../../features/reports/schedules/store'
import type { StoredReport } from '../../../features/reports/store'
import { visibleContent } from '../../../features/reports/visible-content'
import type { Deps } from '../../../deps'
import { refusalOf } from '../../../http/errors'
import { readMemberContext } from '../../../identity/member-context-store'
import { accessFingerprint } from '../../../scope'
import { canonicalJson, sha256Hex } from '../../../lib/hash'
import { calendarOf } from '../../../semantic/calendar'
import { isTransient, ProductError } from '../../../shared/errors'
import { formatDate } from '../../../shared/figures/formatter'
import type { FieldFilter } from '../../../shared/query/plan'
import type { Edition, ReportDocument } from '../../../shared/reports/editions'
import type { ReportContent, ReportPeriod } from '../../../shared/reports/reports'
import { slotBefore, type ScheduleSlot } from '../../../shared/reports/schedule-dates'
import type { DeliveryReason } from '../../../shared/reports/schedules'
import { spanName } from '../../../shared/statements/words'

/** A delivery while it is worked on. */
export interface DeliveryWork {
  deps: Deps
  schedule: StoredSchedule
  report: StoredReport
  delivery: ClaimedDelivery
  reader: ReportReader
  slot: ScheduleSlot
  isTest: boolean
}
export interface PreparedReport extends MadeFile {
  /** Number of the edition; 0: the report as it is now. */
  edition: number
  /** The search part of the report's address: period and filters as they were sent. */
  search: string
  /** What the report asks now, where blocks that changed since the owner shared it are left out. */
  changed: string | null
}
/** Why nothing can be sent, or not yet. */
export interface NotSent {
  state: 'held' | 'skipped' | 'failed'
  reason: DeliveryReason
  /** Datasets whose new rows may change that. */
  datasets?: string[]
}
/** Says whether what a document shows is of the period: held against what its data are. */
export type HoldCheck = (facts: DocumentFacts) => Promise<NotSent | null>

export async function prepareReport(work: DeliveryWork, check: HoldCheck): Promise<PreparedReport | NotSent> {
  return work.report.kind === 'legacy' ? prepareEdition(work) : preparePages(work, check)
}

const contextOf = ({ deps, reader, slot, schedule, delivery }: DeliveryWork) => ({
  ...{ deps, scope: reader.scope, membership: reader, actor: { name: schedule.ownerName } },
  // Whenever it is sent: relative periods count from the date that it is for.
  calendar: { ...calendarOf(reader, deps.clock), today: slot.date },
  refusal: (thrown: unknown) =>
    refusalOf(thrown, { requestId: '', path: 'scheduled reports', reporter: deps.reporter }),
  signal: new AbortController().signal,
  // With other rights it is made again, at the next try.
  stillAllowed: async () => {
    const now = await readReader(deps, schedule, delivery)
    if (typeof now === 'string' || accessFingerprint(now.scope) !== accessFingerprint(reader.scope))
      throw new ProductError('busy', { retryAfter: 1 })
  },
})

/** The period that has closed, where the schedule says so; undefined: the report's own. */
function periodOf({ schedule, slot }: DeliveryWork, { period }: ReportContent): ReportPeriod | undefined {
  if (!slot.period || !schedule.content.closedPeriod) return undefined
  return { range: { kind: 'absolute', ...slot.period }, compare: period.compare }
}

async function preparePages(work: DeliveryWork, check: HoldCheck): Promise<PreparedReport | NotSent> {
  const { deps, schedule, report, delivery, reader } = work
  const { published } = report
  if (!published) return { state: 'skipped', reason: 'reportGone' }
  const own = delivery.filters
  if (Object.entries(own).some(([id, filter]) => !fitsReport(published, id, filter)))
    return { state: 'failed', reason: 'filterGone' }
  const shared = await sharedOutside(work, published)
  if (shared?.none) return { state: 'held', reason: 'changed' }
  const given = shared?.content ?? published
  const set = given.filters.map((one) => ({
    ...one,
    filter: Object.hasOwn(own, one.id) ? (own[one.id] ?? null) : one.filter,
  }))
  const content = await visibleContent({ deps, scope: reader.scope }, { ...given, filters: set })
  // Without it they would get more than what is meant for them.
  const kept = new Set(content.filters.flatMap(({ id, filter }) => (filter ? [id] : [])))
  if (Object.entries(own).some(([id, filter]) => filter !== null && !kept.has(id)))
    return { state: 'failed', reason: 'filterHidden' }
  const asked = content.filters.flatMap(({ id, label, filter }) => (filter ? [{ id, label, filter }] : []))
  const filters = asked.map(({ filter }) => filter)
  const places = asked.flatMap(({ id }, at) => (reader.isOutside && Object.hasOwn(own, id) ? [at] : []))
  const period = periodOf(work, content)
  const { format } = schedule.content
  const { isOutside } = reader
  const rights = accessFingerprint(reader.scope)
  const inIt = {
    rights,
    filters,
    period,
    places,
    isOutside,
    n: report.publication,
    format,
    shared: shared?.print ?? null,
  }
  const key = deliveryFileKey(delivery, await sha256Hex(canonicalJson(inIt)))
  const search = searchOf(delivery, period)
  const before = work.isTest ? null : await readMadeFile(deps, key)
  const changed = shared?.changed ?? null
  if (before) return { ...before, edition: 0, search, changed }
  const read = await readDocument(contextOf(work), { report, content, period, filters, note: '' })
  await requireUnchanged(work, published, shared)
  const document = withinFilters({ ...read, filters: isOutside ? namesOf(work, asked) : read.filters }, new Set(places))
  const facts = factsOf(document)
  const stop = await stopOf(work, { facts, document, check })
  if (stop) return stop
  const file = await fileOf(work, { ...document, n: 0 }, key)
  if (file === 'tooLarge') return { state: 'failed', reason: 'tooLarge' }
  await keepMadeFile(deps, key, { facts, file })
  return { facts, file, edition: 0, search, changed }
}

/** What was changed while its figures were asked is made again, at the next try. @throws ProductError `busy` */
async function requireUnchanged(
  work: DeliveryWork,
  published: ReportContent,
  before: SharedOutside | null,
): Promise<void> {
  if (before === null) return
  if ((await sharedOutside(work, published))?.print !== before.print) throw new ProductError('busy', { retryAfter: 1 })
}

/** Filters by the names that the report has for them: nobody outside knows of columns. */
const namesOf = ({ reader }: DeliveryWork, asked: readonly { label: string; filter: FieldFilter }[]): string[] => {
  const words = { locale: reader.settings.numberLocale, day: formatDate }
  return asked.map(({ label, filter }) => namedFilterText(label, filter, words))
}

/** What stands in the way of sending a document. @throws ProductError for what may be there at the next try */
async function stopOf(
  { schedule, delivery, isTest }: DeliveryWork,
  { facts, document, check }: { facts: DocumentFacts; document: Omit<ReportDocument, 'n'>; check: HoldCheck },
): Promise<NotSent | null> {
  const answers = document.pages.flatMap(({ blocks }) => blocks.flatMap(({ answer }) => answer ?? []))
  const passing = answers.find((answer) => 'error' in answer && isTransient(answer.error))
  if (passing && 'error' in passing) throw new ProductError(passing.error.code, {}, passing.error.message)
  const held = delivery.forced || isTest || !schedule.content.hold ? null : await check(facts)
  if (held) return held
  if (answers.length > 0 && answers.every((answer) => 'error' in answer)) return { state: 'failed', reason: 'figures' }
  if (facts.isEmpty && documentProblems(document).length > 0) return { state: 'failed', reason: 'figures' }
  return facts.isEmpty && schedule.content.skipEmpty && !isTest ? { state: 'skipped', reason: 'empty' } : null
}

async function fileOf(
  { deps, schedule, reader }: DeliveryWork,
  document: ReportDocument,
  key: string,
): Promise<MadeFile['file'] | 'tooLarge'> {
  const { format } = schedule.content
  if (format === 'link') return null
  const told = reader.isOutside ? outsideDocument(document) : document
  const download = await reportDownload({ deps }, told, { format })
  const size = await keepBytes(deps, key, download)
  const { fileName, contentType } = download
  return size === null ? 'tooLarge' : { key, fileName, contentType, size }
}

/** As the report's page writes it. */
function searchOf({ filters }: ClaimedDelivery, period: ReportPeriod | undefined): string {
  const range = period?.range
  return [
    ...(range?.kind === 'absolute' ? [`&period=${range.from}..${range.to}`] : []),
    ...(Object.keys(filters).length > 0 ? [`&filters=${encodeURIComponent(JSON.stringify(filters))}`] : []),
  ].join('')
}

const MONTH_NAME = /^[A-Z][a-z]{2} \d{4}$/
/** Whether an edition is the one that a date is for. */
function isOfSlot({ schedule, reader, slot, isTest }: DeliveryWork, { period, publishedAt }: Edition): boolean {
  if (isTest) return true
  if (!slot.period) return Date.parse(publishedAt) >= slotBefore(schedule.content.timing, reader.settings, slot).at
  const month = slot.period.to.slice(0, 7)
  if (period !== null && MONTH_NAME.test(period)) return period === spanName({ from: month, to: month }, 'en')
  return publishedAt.slice(0, 10) > slot.period.to
}

/** The newest edition of the period: its figures are those that were published. */
async function prepareEdition(work: DeliveryWork): Promise<PreparedReport | NotSent> {
  const { deps, schedule, report, delivery, reader } = work
  const find = async (scope: ReportReader['scope']): Promise<Edition | undefined> =>
    (await editionStore(deps.db, scope).list(report.id)).find((edition) => isOfSlot(work, edition))
  const edition = await find(reader.scope)
  if (!edition) {
    const owner = await readMemberContext(deps, { workspaceId: schedule.workspaceId, userId: schedule.ownerId })
    if (owner && (await find(owner.scope))) return { state: 'failed', reason: 'noAccess' }
    return { state: work.isTest ? 'failed' : 'held', reason: 'notPublished' }
  }
  const key = deliveryFileKey(delivery, `${edition.id}-${schedule.content.format}${reader.isOutside ? '-outside' : ''}`)
  const before = await readMadeFile(deps, key)
  if (before) return { ...before, edition: edition.n, search: '', changed: null }
  const context = { deps, scope: reader.scope, membership: reader }
  const { document } = await openEdition(context, { report: report.id, n: edition.n })
  const facts = factsOf(document)
  const file = await fileOf(work, document, key)
  if (file === 'tooLarge') return { state: 'failed', reason: 'tooLarge' }
  await keepMadeFile(deps, key, { facts, file })
  return { facts, file, edition: edition.n, search: '', changed: null }
}
