import { pathToField, type RelationGraph } from './relation-graph'
import { filtersOfRules } from '../../../identity/access/visible-dataset'
import type { RowRule } from '../../../scope'
import { ProductError } from '../../../shared/errors'
import { filterFieldsOf } from '../../../shared/query/plan-fields'

/** Datasets whose rows a rule asks about, those that only lie on the way included. */
export const datasetsOfRule = (rule: RowRule, graph: RelationGraph): string[] =>
  filterFieldsOf(filtersOfRules({ rowFilters: [rule] })).flatMap((field) => {
    const { dataset } = rule
    if (field.dataset === dataset && field.via === undefined) return []
    try {
      return pathToField(graph, dataset, { field, at: 'filters' }).map(({ to }) => to.dataset)
    } catch (error) {
      // No row passes a rule that leads nowhere.
      if (error instanceof ProductError) return [field.dataset]
      throw error
    }
  })
