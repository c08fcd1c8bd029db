import { outsideAnswer, outsideBlock, outsideDocument, outsideDocumentBlock } from './shared-answers'
import { appliedFilters, sharedContent, sharedQuestion, type SharedContext } from './shared-view'
import { answerPage, readSchema } from '../answer-page'
import { namedFilterText } from '../filter-text'
import { planOnPage } from '../page-plan'
import { readDocument } from '../report-document'
import { openEdition } from '../../../features/reports/editions/service'
import type { OpenLink } from '../../../features/reports/links/open-link'
import { queryService } from '../../../semantic/query-service'
import { ProductError, type ErrorBody } from '../../../shared/errors'
import { createCellFormatter } from '../../../shared/figures/cell-formatter'
import { createFormatter, formatDate } from '../../../shared/figures/formatter'
import type { QueryPlan } from '../../../shared/query/plan'
import type { ReportDocument } from '../../../shared/reports/editions'
import { valuesOf } from '../../../shared/reports/filter-values'
import type { SharedReport, sharedTilesSchema, SharedValues, SharedView } from '../../../shared/reports/links'
import type { TileAnswer, TilesEnd } from '../../../shared/reports/tiles'
import type { z } from 'zod'

type OpenReport = Extract<SharedReport, { state: 'open' }>

/** What a link shows, before its figures; an edition comes with them. */
export async function describeShared(context: SharedContext, link: OpenLink): Promise<OpenReport> {
  const { report, terms, sharer } = link
  const { numberLocale, currency, timeZone } = sharer.settings
  const common = {
    ...{ state: 'open' as const, kind: report.kind, name: report.name, description: report.description },
    ...{ workspace: sharer.workspaceName, notation: { numberLocale, currency, timeZone }, download: terms.download },
  }
  if (terms.edition !== null) return { ...common, ...frozenReport(await sharedEdition(context, link)) }
  const content = await sharedContent(context, link)
  const words = { locale: numberLocale, day: formatDate }
  const applied = appliedFilters(content, terms)
  return {
    ...common,
    fixed: applied.flatMap(({ set, begins, filter }) =>
      set?.open || !begins ? [] : [namedFilterText(filter.label, begins, words)],
    ),
    period: terms.period ?? content.period,
    periodOpen: terms.periodOpen,
    filters: applied.flatMap(({ filter: { id, label }, set, begins }) =>
      set?.open ? [{ id, label, values: valuesOf(begins) }] : [],
    ),
    pages: content.pages.map((page) => ({ ...page, blocks: page.blocks.map(outsideBlock) })),
    edition: null,
  }
}

/** @throws ProductError `not_found` for one that is not for the rights of the link, or not any more */
async function sharedEdition(context: SharedContext, { report, terms }: OpenLink): Promise<ReportDocument> {
  const { document } = await openEdition(context, { report: report.id, n: terms.edition ?? 0 })
  return document
}

function frozenReport({
  report,
  notation,
  pages,
  n,
  period,
  note,
  filters,
  dataAsOf,
}: ReportDocument): Pick<
  OpenReport,
  'name' | 'notation' | 'period' | 'periodOpen' | 'filters' | 'fixed' | 'pages' | 'edition'
> {
  const shown = pages.map((page) => ({ ...page, blocks: page.blocks.map(outsideDocumentBlock) }))
  const answers = shown.flatMap(({ blocks }) => blocks.flatMap(({ answer }) => answer ?? []))
  return {
    ...{
      name: report.name,
      notation,
      period: { range: null, compare: 'none' },
      periodOpen: false,
      filters: [],
      fixed: [],
    },
    pages: shown.map((page) => ({ ...page, blocks: page.blocks.map(({ block }) => block) })),
    edition: { n, period, note, filters, dataAsOf, answers },
  }
}
interface AskContext {
  refusal: (thrown: unknown) => ErrorBody
  signal: AbortSignal
  /** Throws once the link opens nothing, or something else. */
  stillAllowed: () => Promise<void>
}

/** The figures of a page, as the link lets its viewer ask for them. */
export async function* sharedTiles(
  context: SharedContext & AskContext,
  link: OpenLink,
  { page, blocks, ...view }: z.output<typeof sharedTilesSchema>,
): AsyncGenerator<TileAnswer | TilesEnd> {
  if (link.terms.edition !== null) throw new ProductError('not_found')
  const content = await sharedContent(context, link)
  const { period, filters, required } = sharedQuestion(content, link.terms, view)
  const request = { of: 'published' as const, page, period, filters, sources: [], ...(blocks ? { blocks } : {}) }
  for await (const line of answerPage({ ...context, required }, content, request))
    yield 'block' in line ? outsideAnswer(line) : line
}

/** The whole report as it is put on paper. */
export async function sharedDocument(
  context: SharedContext & AskContext,
  link: OpenLink,
  view: SharedView,
): Promise<ReportDocument> {
  const { terms, report, sharer } = link
  if (!terms.download) throw new ProductError('not_found')
  const madeBy = sharer.workspaceName
  if (terms.edition !== null) {
    const edition = await sharedEdition(context, link)
    return outsideDocument({ ...edition, madeBy })
  }
  const content = await sharedContent(context, link)
  const { period, filters, labels, required } = sharedQuestion(content, terms, view)
  const asked = { report, content, period, filters, note: '' }
  const document = await readDocument({ ...context, required, actor: { name: madeBy } }, asked)
  const words = { locale: sharer.settings.numberLocale, day: formatDate }
  const named = filters.map((filter, at) => namedFilterText(labels[at] ?? '', filter, words))
  return outsideDocument({ ...document, filters: named, n: 0 })
}

const VALUES_MAX = 200
/** The values that an open filter has to choose from, of rows that the sharer's own filters let through. */
export async function sharedValues(context: SharedContext, link: OpenLink, id: string): Promise<SharedValues> {
  const content = await sharedContent(context, link)
  const applied = appliedFilters(content, link.terms)
  const open = applied.find(({ filter, set }) => filter.id === id && set?.open === true)
  if (!open || link.terms.edition !== null) throw new ProductError('not_found')
  // Those of the report itself, too: its viewers read no values that it leaves out.
  const fixed = applied.flatMap(({ set, begins }) =>
    set?.open === true || !begins ? [] : [{ filter: begins, isRequired: set?.filter != null }],
  )
  const { field } = open.filter
  const plan: QueryPlan = {
    ...{ v: 1, kind: 'aggregate', dataset: field.dataset, filters: [] },
    measures: [{ kind: 'column', agg: 'count' }],
    dimensions: [{ field }],
    sort: [{ by: { measure: 0 }, dir: 'desc' }],
    limit: VALUES_MAX,
  }
  const asked = planOnPage(plan, plan, {
    period: { range: null, compare: 'none' },
    filters: fixed.map(({ filter }, index) => ({ filter, index })),
    required: new Set(fixed.flatMap(({ isRequired }, index) => (isRequired ? [index] : []))),
    schema: fixed.length === 0 ? null : await readSchema(context),
  })
  const result = await queryService(context.deps, context).answer(asked.plan)
  const format = createCellFormatter(createFormatter(context.membership.settings))
  const column = result.columns[0]
  return {
    values: result.rows.map(([value = null]) => ({
      value,
      label: value === null ? '' : column ? format.label(value, column) : String(value),
    })),
  }
}
