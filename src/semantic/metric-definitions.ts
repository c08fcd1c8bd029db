import { ProductError } from '../shared/errors'
import type { ColumnFormat } from '../shared/data-sources/files'
import { AGGREGATES_MAX } from '../shared/limits'
import { METRIC_DEPTH_MAX } from '../shared/metrics'
import { isLeafMeasure, mapOperands, metricIdsOf } from '../shared/query/plan-fields'
import type { Filter, AggregateMeasure, Measure } from '../shared/query/plan'
import type { CurrencyMode } from '../shared/query/currency-modes'
import { canonicalJson, sha256HexSync } from '../lib/hash'

/** What a metric stands for. */
export interface MetricDefinition {
  id: string
  name: string
  measure: Measure
  filters: Filter[]
  format: ColumnFormat | null
  /** How its amounts are brought to one currency; null: in the usual way. */
  currencyMode: CurrencyMode | null
}
export type MetricDefinitions = ReadonlyMap<string, MetricDefinition>

/**
 * A measure with every metric replaced by what it stands for: called by the metric's name unless it has one of its own,
 * shown in the metric's format, the metric's filters added to all that is added up in it, converted as the metric says:
 * a metric means the same wherever it is named, so what it names itself keeps its own way.
 * @throws ProductError `not_found` for an unknown metric, `invalid_input` for a circle, `query_too_complex` for a long
 *   chain and for more than can be added up at once
 */
export function expandMetrics(measure: Measure, metricDefinitions: MetricDefinitions): Measure {
  return expandMeasure(measure, { definitions: metricDefinitions, path: [], budget: { left: AGGREGATES_MAX } })
}

/** The same; null where a metric that it names cannot be read any more. */
export function tryExpandMetrics(measure: Measure, definitions: MetricDefinitions): Measure | null {
  try {
    return expandMetrics(measure, definitions)
  } catch (error) {
    if (error instanceof ProductError) return null
    throw error
  }
}

interface ExpansionContext {
  definitions: MetricDefinitions
  /** Metrics that this stands within. */
  path: readonly string[]
  /**
   * What may still be added up. It is counted down on the way: metrics that each name another twenty times would stand for
   * millions.
   */
  budget: { left: number }
}

function expandMeasure(measure: Measure, at: ExpansionContext): Measure {
  switch (measure.kind) {
    case 'column':
    case 'expression':
      at.budget.left -= 1
      if (at.budget.left < 0) throw new ProductError('query_too_complex', { what: 'measures', max: AGGREGATES_MAX })
      return measure
    case 'ratio':
    case 'calc':
    case 'function':
    case 'grouped':
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'whole':
      return mapOperands(measure, (operand) => expandMeasure(operand, at))
    case 'metric': {
      const { definition, path } = lookUpMetric(measure.id, at)
      const { filters, currencyMode } = definition
      const own = mapLeafMeasures(expandMeasure(definition.measure, { ...at, path }), (leaf) => ({
        ...leaf,
        ...(filters.length === 0 ? {} : { filter: [...filters, ...(leaf.filter ?? [])] }),
        ...(leaf.mode === undefined && currencyMode !== null ? { mode: currencyMode } : {}),
      }))
      const format = measure.format ?? definition.format ?? own.format
      return { ...own, label: measure.label ?? definition.name, ...(format ? { format } : {}) }
    }
  }
}

function lookUpMetric(
  id: string,
  { definitions, path }: ExpansionContext,
): { definition: MetricDefinition; path: string[] } {
  if (path.includes(id)) throw circularMetricError(definitions, [...path.slice(path.indexOf(id)), id])
  if (path.length >= METRIC_DEPTH_MAX)
    throw new ProductError('query_too_complex', { what: 'metrics in metrics', max: METRIC_DEPTH_MAX })
  const definition = definitions.get(id)
  if (!definition) throw new ProductError('not_found', {}, 'Metric not found: it was deleted.')
  return { definition, path: [...path, id] }
}

function circularMetricError(definitions: MetricDefinitions, ids: readonly string[]): ProductError {
  const names = ids.map((id) => definitions.get(id)?.name ?? 'a metric')
  const message = `Circular metrics: ${names.join(' → ')}`
  return new ProductError('invalid_input', { fields: { formula: message } }, message)
}

/** The measure with another in place of each that is added up in it. */
export const mapLeafMeasures = (measure: Measure, change: (leaf: AggregateMeasure) => AggregateMeasure): Measure =>
  isLeafMeasure(measure) ? change(measure) : mapOperands(measure, (operand) => mapLeafMeasures(operand, change))

/** Identity of what measures mean: of themselves, and of every metric that they name. Names and formats change nothing. */
export function definitionFingerprint(
  content: Pick<MetricDefinition, 'measure' | 'filters'> & Readonly<Record<string, unknown>>,
  definitions: MetricDefinitions,
): string {
  const named = referencedMetrics([content.measure], definitions)
  const parts = named.map(({ id, measure, filters, currencyMode }) => ({
    ...{ id, measure, filters },
    ...(currencyMode === null ? {} : { currencyMode }),
  }))
  return sha256HexSync(canonicalJson({ content, parts }))
}

/** The metrics that measures name, and those that these name, each once. */
export function referencedMetrics(measures: readonly Measure[], definitions: MetricDefinitions): MetricDefinition[] {
  const found = new Map<string, MetricDefinition>()
  const visit = (ids: readonly string[]): void => {
    for (const id of ids) {
      const definition = definitions.get(id)
      if (!definition || found.has(id)) continue
      found.set(id, definition)
      visit(metricIdsOf([definition.measure]))
    }
  }
  visit(metricIdsOf(measures))
  return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
