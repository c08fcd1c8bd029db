import { fieldOf, placeOf } from './place'
import type { Place } from './place'
import { getGrouping, refuseUnusable } from './service'
import type { Ask } from './service'
import { lookingOf } from './values'
import type { z } from 'zod'
import { figuresFor } from '../../access/figures'
import { draftOf } from '../../access/groupings'
import { orderedGroups } from '../../shared/grouping-tree'
import type { Definition, PreviewAnswer, PreviewLine, previewGroupingSchema } from '../../shared/groupings'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import type { Measure, QueryPlan } from '../../shared/query'
import type { Cell, QueryResult } from '../../shared/query-result'

type Input = z.output<typeof previewGroupingSchema>

function measureOf({ dataset, amount }: Place): Measure {
  if (!amount) return { kind: 'column', agg: 'count', dataset: dataset.id }
  return { kind: 'column', agg: 'sum', field: { dataset: dataset.id, column: amount.key } }
}

/** Values without a group in one line, whatever becomes of them. */
const withRest = (definition: Definition): Definition => ({
  ...definition,
  fallback: { kind: 'ungrouped', name: '\u2060' },
})

/**
 * What a changed definition would do to a figure, group by group. Nothing is kept.
 * @throws ProductError `not_found`, `invalid_input` as when it is saved
 */
export async function previewGrouping(ask: Ask, at: { id: string; input: Input }): Promise<PreviewAnswer> {
  const { input } = at
  const stored = await getGrouping(ask, at.id)
  refuseUnusable(input)
  const { deps, scope, calendar } = lookingOf(ask)
  const place = await placeOf({ deps, scope }, stored, input)
  const figures = async (definition: Definition): Promise<Figures> => {
    const answer = (each: Definition, limit: number): Promise<QueryResult> => {
      const draft = draftOf({ name: stored.name, fallback: each.fallback, eras: each.eras })
      const plan: QueryPlan = {
        ...{ v: 2, kind: 'aggregate', dataset: place.dataset.id, filters: [], totals: true, limit },
        measures: [input.measure ?? measureOf(place)],
        dimensions: [{ field: fieldOf(place), grouping: { id: draft.id, level: input.level } }],
      }
      return figuresFor(deps, { scope, calendar, drafts: [draft] }).answer(plan)
    }
    const all = await answer(withRest(definition), QUERY_ROWS_MAX)
    const total = definition.fallback.kind === 'exclude' ? await answer(definition, 1) : all
    return { byGroup: byGroup(all), total: total.totals?.[1] ?? null, result: all }
  }
  const [before, after] = [await figures(stored), await figures(input)]
  return answerOf({ stored, input }, before, after)
}

interface Figures {
  /** '' = none. */
  byGroup: Map<string, Cell>
  total: Cell
  result: QueryResult
}

function byGroup({ columns, rows }: QueryResult): Map<string, Cell> {
  const ids = new Map(columns[0]?.groups?.map(({ id, name }) => [name, id ?? '']))
  return new Map(rows.map(([name, value = null]) => [ids.get(String(name)) ?? '', value]))
}

function answerOf(of: { stored: Definition; input: Definition }, before: Figures, after: Figures): PreviewAnswer {
  const known = [of.input, of.stored].flatMap(({ eras }) =>
    eras.toReversed().flatMap(({ groups }) => orderedGroups(groups)),
  )
  const names = new Map(known.toReversed().map(({ id, name }) => [id, name]))
  const rest = of.input.fallback.kind === 'ungrouped' ? of.input.fallback.name : 'No group'
  const ids = [...new Set(known.map(({ id }) => id)), '']
  const lines = ids.flatMap((id): PreviewLine[] => {
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
