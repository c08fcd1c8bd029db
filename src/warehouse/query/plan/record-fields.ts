import { columnOf, datasetOf } from './field-columns'
import type { AppliedRates, PlanContext, MoneyConversion } from '../query-context'
import type { AbsolutePeriod } from '../time/resolve-period'
import type { LiveDataset } from '../../physical-layout'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { ColumnFormat } from '../../../shared/data-sources/files'
import type { QueryPlan } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { Cell } from '../../../shared/query/result'

const COLUMNS_SHOWN_MAX = 100

/** The columns of a drill: the plan's, else the first hundred that can be seen. */
export const fieldsShown = (dataset: Pick<LiveDataset, 'id' | 'columns'>, plan: Pick<QueryPlan, 'columns'>): Field[] =>
  plan.columns && plan.columns.length > 0
    ? plan.columns
    : dataset.columns
        .filter((column) => !column.hidden)
        .slice(0, COLUMNS_SHOWN_MAX)
        .map(({ key }) => ({ dataset: dataset.id, column: key }))

/** One column of the records: as it lies, or a column of amounts once more, brought to one currency. */
export interface RecordColumn {
  column: Column
  field: Field
  converted: ColumnFormat | null
}
interface RecordField extends RecordColumn {
  /** What brings it to one currency; null: as it lies. */
  applied: AppliedRates | null
}
export interface RecordsRequest {
  home: string
  plan: QueryPlan
  period: AbsolutePeriod | null
  money: MoneyConversion | undefined
}
export interface RecordPage {
  columns: RecordColumn[]
  rows: Cell[][]
  /** Of all pages. */
  count: number
}

/** Every amount that is in another currency stands beside what it comes to in the one that is asked for. */
export const recordFields = (context: PlanContext, { home, plan, money }: RecordsRequest): RecordField[] =>
  fieldsShown(datasetOf(context, home), plan).flatMap((field): RecordField[] => {
    const column = columnOf(context, home, field)
    const applied = money?.rates(column) ?? null
    const stored = { column, field, converted: null, applied: null }
    return applied ? [stored, { column, field, converted: money?.format(column) ?? null, applied }] : [stored]
  })
