import type { ReportBlock } from './blocks'
import type { ReportContent, ReportPage } from './reports'
import { tokensOf, type FigureToken, type TextToken } from './text-tokens'
import { filterFieldsOf } from '../query/plan-fields'
import type { Field } from '../query/field'

/** The texts of a block in which figures may stand. */
export function textsOf(block: ReportBlock): string[] {
  if (block.kind === 'text') return [block.text]
  return block.kind === 'observation' ? [block.then, block.otherwise] : []
}

export const blocksOf = ({ pages }: { pages: readonly ReportPage[] }): ReportBlock[] =>
  pages.flatMap((page): ReportBlock[] => page.blocks)

export const blockTokens = (block: ReportBlock): TextToken[] => textsOf(block).flatMap(tokensOf)
const isFigure = (token: TextToken): token is FigureToken => token.kind === 'figure'
/** The metrics that texts name, in the form under which names are unique. */
export const tokenMetrics = (blocks: readonly ReportBlock[]): string[] => [
  ...new Set(
    blocks
      .flatMap(blockTokens)
      .filter(isFigure)
      .map(({ metric }) => metric),
  ),
]

/** Ids of the insights, metrics, forecasts and sources that a block shows. */
export function blockItems(block: ReportBlock): string[] {
  switch (block.kind) {
    case 'kpis':
      return block.figures.map(({ subject }) => subject.id)
    case 'insight':
      return [block.insight]
    case 'metric':
      return [block.metric]
    case 'forecast':
      return [block.forecast]
    case 'statement':
      return [block.source]
    case 'observation':
      return [block.subject.id]
    case 'text':
    case 'image':
    case 'divider':
    case 'pageBreak':
      return []
  }
}

/** Columns that a content names itself: those of its filters, and what metrics are split by. */
export const contentFields = (content: ReportContent): Field[] => [
  ...content.filters.flatMap(({ field, filter }) => [field, ...filterFieldsOf(filter ? [filter] : [])]),
  ...blocksOf(content).flatMap((block) => (block.kind === 'metric' && block.by ? [block.by.field] : [])),
]

/** Everything that a content shows, by id: what its blocks show, groupings, and the datasets of columns that it names. */
export const contentItems = (content: ReportContent): string[] => [
  ...new Set([
    ...blocksOf(content).flatMap(blockItems),
    ...contentFields(content).map(({ dataset }) => dataset),
    ...content.filters.flatMap(({ filter }) => (filter?.grouping ? [filter.grouping.id] : [])),
    ...blocksOf(content).flatMap((block) =>
      block.kind === 'metric' && block.by?.grouping ? [block.by.grouping.id] : [],
    ),
  ]),
]
