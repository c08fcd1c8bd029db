import type { z } from 'zod'
import { columnField, requireGroupedColumn, type GroupedColumn } from './values'
import { getGrouping, validateDefinition } from './service'
import type { RequestContext } from '../../http/request-context'
import { withCalendar } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { toDraftGrouping } from '../../semantic/groupings'
import { orderedGroups } from '../../shared/groupings/groupings'
import type {
  GroupingContent,
  GroupingPreview,
  GroupingPreviewLine,
  previewGroupingSchema,
} from '../../shared/groupings/groupings'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import type { Cell, QueryResult } from '../../shared/query/result'

type PreviewInput = z.output<typeof previewGroupingSchema>

function defaultMeasure({ dataset, amount }: GroupedColumn): Measure {
  if (!amount) return { kind: 'column', agg: 'count', dataset: dataset.id }
  return { kind: 'column', agg: 'sum', field: { dataset: dataset.id, column: amount.key } }
}

/** Values without a group in one line, whatever becomes of them. */
const withUngrouped = (content: GroupingContent): GroupingContent => ({
  ...content,
  fallback: { kind: 'ungrouped', name: '\u2060' },
})

/**
 * What a changed definition would do to a figure, group by group. Nothing is kept.
 * @throws ProductError `not_found`, `invalid_input` as when it is saved
 */
export async function previewGrouping(
  context: RequestContext,
  at: { id: string; input: PreviewInput },
): Promise<GroupingPreview> {
  const { input } = at
  const stored = await getGrouping(context, at.id)
  validateDefinition(input)
  const { deps, scope, calendar } = withCalendar(context)
  const place = await requireGroupedColumn({ deps, scope }, stored, input)
  const figures = async (content: GroupingContent): Promise<GroupFigures> => {
    const answer = (each: GroupingContent, limit: number): Promise<QueryResult> => {
      const draft = toDraftGrouping({ name: stored.name, fallback: each.fallback, eras: each.eras })
      const plan: QueryPlan = {
        ...{ v: 2, kind: 'aggregate', dataset: place.dataset.id, filters: [], totals: true, limit },
        measures: [input.measure ?? defaultMeasure(place)],
        dimensions: [{ field: columnField(place), grouping: { id: draft.id, level: input.level } }],
      }
      return queryService(deps, { scope, calendar, drafts: [draft] }).answer(plan)
    }
    const all = await answer(withUngrouped(content), QUERY_ROWS_MAX)
    const total = content.fallback.kind === 'exclude' ? await answer(content, 1) : all
    return { byGroup: valueByGroup(all), total: total.totals?.[1] ?? null, result: all }
  }
  const [before, after] = [await figures(stored), await figures(input)]
  return previewAnswer({ stored, input }, before, after)
}

interface GroupFigures {
  /** '' = none. */
  byGroup: Map<string, Cell>
  total: Cell
  result: QueryResult
}

function valueByGroup({ columns, rows }: QueryResult): Map<string, Cell> {
  const ids = new Map(columns[0]?.groups?.map(({ id, name }) => [name, id ?? '']))
  return new Map(rows.map(([name, value = null]) => [ids.get(String(name)) ?? '', value]))
}

function previewAnswer(
  of: { stored: GroupingContent; input: GroupingContent },
  before: GroupFigures,
  after: GroupFigures,
): GroupingPreview {
  const known = [of.input, of.stored].flatMap(({ eras }) =>
    eras.toReversed().flatMap(({ groups }) => orderedGroups(groups)),
  )
  const names = new Map(known.toReversed().map(({ id, name }) => [id, name]))
  const rest = of.input.fallback.kind === 'ungrouped' ? of.input.fallback.name : 'No group'
  const ids = [...new Set(known.map(({ id }) => id)), '']
  const lines = ids.flatMap((id): GroupingPreviewLine[] => {
    const [earlier, later] = [before.byGroup.get(id), after.byGroup.get(id)]
    if (earlier === undefined && later === undefined) return []
    const name = id === '' ? rest : (names.get(id) ?? rest)
    return [{ groupId: id === '' ? null : id, name, before: earlier ?? null, after: later ?? null }]
  })
  const column = after.result.columns[1]
  return {
    lines,
    label: column?.label ?? '',
    format: column?.format ?? { style: 'plain' },
    total: { before: before.total, after: after.total },
  }
}
