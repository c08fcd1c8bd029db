import { parseFormula } from '../../../../src/shared/formula/formula'
import { formulaNameOf, inBrackets } from '../../../../src/shared/formula/names'
import { printFormula } from '../../../../src/shared/formula/print'
import { isLeafMeasure, leafMeasuresOf, mapOperands, operandsOf } from '../../../../src/shared/query/plan-fields'
import type { Filter, Measure } from '../../../../src/shared/query/plan'
import { toField, type BuilderDataset, type FieldKey } from '../../../lib/query-builder/catalogue'
import { builderFormulaNames } from '../../../lib/query-builder/formula-names'

/** What a formula measures, or what is wrong with it. */
export function toFormulaMeasure(formula: string, dataset: BuilderDataset): Measure | string {
  const read = parseFormula(formula, builderFormulaNames(dataset))
  return read.ok ? read.measure : (read.errors[0]?.message ?? 'Enter a formula.')
}

/** A column as a formula names it: `[Amount]`; null where it has no name there. */
export function columnInFormula(dataset: BuilderDataset, key: FieldKey | null): string | null {
  const field = toField(dataset, key)
  const name = field && formulaNameOf(builderFormulaNames(dataset), field)
  return name === null ? null : inBrackets(name)
}

const hasMetric = (measure: Measure): boolean => measure.kind === 'metric' || operandsOf(measure).some(hasMetric)
/** A figure of fewer rows: every part of it that is made of rows is filtered. Metrics have filters of their own. */
export const withRowFilters = (measure: Measure, filter: Filter[]): Measure | string =>
  hasMetric(measure)
    ? 'Filters can’t be used with metrics in a formula. Filter the insight instead.'
    : filterRows(measure, filter)
const filterRows = (measure: Measure, filter: Filter[]): Measure =>
  isLeafMeasure(measure) ? { ...measure, filter } : mapOperands(measure, (operand) => filterRows(operand, filter))

/** The same whatever order its parts were written in. */
const fingerprint = (measure: Measure): string =>
  JSON.stringify(measure, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

/**
 * A stored figure as a formula, and the filters that all of its rows share. Null when the formula would not measure the
 * same: parts with names, formats, filters or rates of their own have no words in it.
 */
export function toFormulaText(
  { label: _label, format: _format, ...measure }: Measure,
  dataset: BuilderDataset,
): { formula: string; filters: Filter[] } | null {
  const [first] = leafMeasuresOf(measure)
  const filters = first?.filter ?? []
  const bare = withoutRowFilters(measure)
  const formula = printFormula(bare, builderFormulaNames(dataset))
  if (formula === null) return null
  const read = toFormulaMeasure(formula, dataset)
  const again = typeof read === 'string' || filters.length === 0 ? read : withRowFilters(read, filters)
  return typeof again !== 'string' && fingerprint(again) === fingerprint(measure) ? { formula, filters } : null
}

function withoutRowFilters(measure: Measure): Measure {
  if (!isLeafMeasure(measure)) return mapOperands(measure, withoutRowFilters)
  const { filter: _filter, ...rest } = measure
  return rest
}
