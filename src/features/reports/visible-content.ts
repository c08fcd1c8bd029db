import { reportStore } from './store'
import type { ReadContext } from '../../deps'
import { hiddenThings } from '../../identity/access/hidden-things-store'
import { hasFullAccess } from '../../scope'
import type { Field } from '../../shared/query/field'
import { filterFieldsOf } from '../../shared/query/plan-fields'
import { blockItems, blocksOf, contentFields, contentItems, tokenMetrics } from '../../shared/reports/report-items'
import type { ReportBlock } from '../../shared/reports/blocks'
import type { ReportContent, ReportFilter } from '../../shared/reports/reports'
import { replaceTokens, tokensOf } from '../../shared/reports/text-tokens'

/** Stands for a figure whose name the reader may not know. It names no metric, and so it is never found. */
const HIDDEN_TOKEN = '{{metric.—}}'

type IsHidden = (field: Field) => boolean

/** Columns and datasets that do not exist for who asks. */
async function hiddenFields(context: ReadContext): Promise<IsHidden> {
  const gone = await hiddenIds(context)
  const { hidden } = context.scope.wire()
  return ({ dataset, column }) =>
    gone.has(dataset) || hidden.some((field) => field.dataset === dataset && field.column === column)
}

/** Filters whose values are of columns that are masked from who asks, or of a grouping that does not exist for them. */
async function tellingFilters(context: ReadContext): Promise<(filter: ReportFilter) => boolean> {
  const gone = await hiddenIds(context)
  const { masked } = context.scope.wire()
  const isMasked: IsHidden = ({ dataset, column }) =>
    masked.some(({ field }) => field.dataset === dataset && field.column === column)
  return ({ filter }) =>
    filter !== null &&
    (filterFieldsOf([filter]).some(isMasked) || (filter.grouping && gone.has(filter.grouping.id)) === true)
}

const hiddenIds = async (context: ReadContext): Promise<Set<string>> => {
  const ids: string[] = JSON.parse(await hiddenThings(context.deps.db, context.scope))
  return new Set(ids)
}

const metricsHidden = (context: ReadContext, content: ReportContent): Promise<string[]> =>
  reportStore(context.deps.db, context.scope).hiddenMetricNames(tokenMetrics(blocksOf(content)))

/** Whether a content shows or names something that does not exist for who asks: then they cannot edit it as a whole. */
export async function hasHiddenParts(context: ReadContext, content: ReportContent): Promise<boolean> {
  if (hasFullAccess(context.scope)) return false
  const gone = await hiddenIds(context)
  if (contentItems(content).some((id) => gone.has(id))) return true
  const isHidden = await hiddenFields(context)
  if (content.filters.some(await tellingFilters(context))) return true
  return contentFields(content).some(isHidden) || (await metricsHidden(context, content)).length > 0
}

/**
 * A content without the names of what does not exist for who reads it: filters by such columns, and figures in texts. Filters
 * by masked columns are not set.
 */
export async function visibleContent(context: ReadContext, content: ReportContent): Promise<ReportContent> {
  if (hasFullAccess(context.scope)) return content
  const isHidden = await hiddenFields(context)
  const tells = await tellingFilters(context)
  const names = new Set(await metricsHidden(context, content))
  return {
    ...content,
    filters: content.filters.flatMap((one) =>
      [one.field, ...filterFieldsOf(one.filter ? [one.filter] : [])].some(isHidden)
        ? []
        : [tells(one) ? { ...one, filter: null } : one],
    ),
    pages: names.size === 0 ? content.pages : content.pages.map((page) => withoutNames(page, names)),
  }
}

function withoutNames(
  page: ReportContent['pages'][number],
  names: ReadonlySet<string>,
): ReportContent['pages'][number] {
  const readable = (text: string): string => {
    const hidden = new Set(
      tokensOf(text).flatMap((token) => (token.kind === 'figure' && names.has(token.metric) ? [token.raw] : [])),
    )
    return hidden.size === 0 ? text : replaceTokens(text, (raw) => (hidden.has(raw) ? HIDDEN_TOKEN : raw))
  }
  return {
    ...page,
    blocks: page.blocks.map((block) => {
      if (block.kind === 'text') return { ...block, text: readable(block.text) }
      if (block.kind === 'observation')
        return { ...block, then: readable(block.then), otherwise: readable(block.otherwise) }
      return block
    }),
  }
}

/**
 * Ids of the blocks of a content of which everything is there for who asks. Of others nothing is told, and of deleted
 * things no more than of hidden ones.
 */
export async function blocksInSight(context: ReadContext, content: ReportContent): Promise<Set<string>> {
  const blocks = blocksOf(content)
  const store = reportStore(context.deps.db, context.scope)
  const [known, gone, isHidden] = await Promise.all([
    store.known({ ids: [...new Set(blocks.flatMap(blockItems))], names: tokenMetrics(blocks) }),
    hiddenIds(context),
    hiddenFields(context),
  ])
  const isSeen = (block: ReportBlock): boolean => {
    const by = block.kind === 'metric' ? block.by : null
    return (
      blockItems(block).every((id) => known.ids.has(id)) &&
      tokenMetrics([block]).every((name) => known.names.has(name)) &&
      (!by || !(isHidden(by.field) || gone.has(by.grouping?.id ?? '')))
    )
  }
  return new Set(blocks.filter(isSeen).map(({ id }) => id))
}
