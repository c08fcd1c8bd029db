import { unknownField } from './plan-errors'
import { pathToField } from './relation-graph'
import type { PlanContext, FieldColumn } from '../query-context'
import { isStored, type LiveDataset } from '../../physical-layout'
import type { ColumnKey } from '../../../shared/data-sources/files'
import type { Field } from '../../../shared/query/field'

/** @throws ProductError `unknown_field` for a dataset that does not exist for the asker: the check names it before */
export function datasetOf({ find }: Pick<PlanContext, 'find'>, datasetId: string): LiveDataset {
  const dataset = find(datasetId)
  if (!dataset) throw unknownField({ dataset: datasetId, column: 'c0' })
  return dataset
}

/**
 * The column of a field that rows of a dataset lead to.
 * @throws ProductError `unknown_field` for a column that does not exist or is hidden for the asker
 */
export function columnOf(context: Pick<PlanContext, 'find' | 'graph'>, from: string, field: Field): FieldColumn {
  pathToField(context.graph, from, { field, at: 'dataset' })
  const dataset = context.find(field.dataset)
  if (!dataset) throw unknownField(field)
  return { ...columnAt(dataset, field.column), dataset }
}

/** @throws ProductError `unknown_field` */
export function columnAt(dataset: LiveDataset, key: ColumnKey): LiveDataset['columns'][number] {
  const column = dataset.columns.find((each) => each.key === key)
  if (!column || (!column.computed && !isStored(dataset, key))) throw unknownField({ dataset: dataset.id, column: key })
  return column
}
