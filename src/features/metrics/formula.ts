import type { StoredMetric } from './store'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { parseFormula } from '../../shared/formula/formula'
import type { ParsedFormula } from '../../shared/formula/formula'
import type { FormulaNames } from '../../shared/formula/names'
import { printFormula } from '../../shared/formula/print'
import type { Measure } from '../../shared/query'

/**
 * What the names in a formula over a dataset's rows mean: its columns, those of the other datasets, and the metrics.
 * @throws ProductError `not_found` for a dataset that is not the scope's
 */
export async function formulaNamesFor(
  { warehouse }: Pick<Deps, 'warehouse'>,
  scope: Scope,
  of: { dataset: string; metrics: readonly Pick<StoredMetric, 'id' | 'name' | 'synonyms'>[] },
): Promise<FormulaNames> {
  const all = await warehouse(scope).datasets()
  const named = all.map(({ id, name, columns }) => ({
    id,
    name,
    columns: columns.filter(({ hidden }) => !hidden).map(({ key, label }) => ({ key, label })),
  }))
  const dataset = named.find(({ id }) => id === of.dataset)
  if (!dataset) throw new ProductError('not_found')
  const metrics = of.metrics.map(({ id, name, synonyms }) => ({ id, name, synonyms }))
  return { dataset, related: named.filter(({ id }) => id !== of.dataset), metrics }
}

/** The formula of a measure as names stand today; as it was written where it has no words for something. */
export const formulaText = (measure: Measure, names: FormulaNames, written: string): string =>
  printFormula(measure, names) ?? written

/** @throws ProductError `invalid_input` with the mistakes, the first one beside the field */
export function measureOrThrow(parsed: ParsedFormula): Measure {
  if (parsed.ok) return parsed.measure
  const message = parsed.errors[0]?.message ?? 'This formula cannot be read.'
  throw new ProductError('invalid_input', { fields: { formula: message }, errors: parsed.errors }, message)
}

export const readFormulaText = (formula: string, names: FormulaNames): ParsedFormula => parseFormula(formula, names)
