import type { ColumnSources } from './column-table'
import type { RowSource } from './column-vectors'
import { KeptMask, passingRows, type MaskSource, type PassingRows } from './kept-mask'
import { ExceedsBounds } from './memory'
import { filtersMask } from './predicates'
import { allOf, anyOf, maskOf, noneOf, type Mask, type MaybeMask } from './vectors'
import type { LiveDataset } from '../physical-layout'
import { filterIdentity, rulesIdentity, type RowsIdentity } from '../query/plan/rows-identity'
import type { PlanContext } from '../query/query-context'
import type { RowRule } from '../../scope'
import type { Filter } from '../../shared/query/plan'

/** Rows of a dataset that rules of access let through. */
export interface RuleRows {
  /** Null: all. */
  mask: MaybeMask
  /** What is kept of them between questions; null: nothing is. */
  passing: PassingRows | null
}
const EVERY_ROW: RuleRows = { mask: null, passing: null }

/** Where rows are read that conditions are asked of. */
interface AskedRows {
  dataset: LiveDataset
  sources: Pick<ColumnSources, 'rowMasks'>
  /** The rows of the dataset within a question. @param meet told of each dataset that is looked into */
  rowsOf: (planContext: PlanContext, meet: (dataset: string) => void) => RowSource
}

/**
 * What a rule names and nothing has lets no row through, nor does a rule without conditions.
 * @param whole with nothing left out; null: rules are asked of nothing, so that no row passes
 */
export function ruleRows(at: AskedRows, rules: readonly RowRule[], whole: PlanContext | null): RuleRows {
  if (rules.every(({ anyOf: open, noneOf: closed }) => open === 'all' && closed.length === 0)) return EVERY_ROW
  if (!whole) return { mask: NOTHING, passing: null }
  const passing = keptRows(at, whole, { identity: rulesIdentity(whole, rules), ask: (rows) => rulesMask(rows, rules) })
  return {
    mask:
      passing?.mask ??
      rulesMask(
        at.rowsOf(whole, () => undefined),
        rules,
      ),
    passing,
  }
}

/** Rows that a condition of a question lets through, where they are kept between questions. */
export const filterRows = (at: AskedRows, planContext: PlanContext, filter: Filter): PassingRows | null =>
  keptRows(at, planContext, {
    identity: filterIdentity(planContext, at.dataset.id, filter),
    ask: (rows) => filtersMask(rows, [filter], 'filters') ?? NOTHING,
  })

function keptRows(
  { dataset, sources: { rowMasks }, rowsOf }: AskedRows,
  planContext: PlanContext,
  { identity, ask }: { identity: RowsIdentity | null; ask: (rows: RowSource) => Mask },
): PassingRows | null {
  if (!identity || !rowMasks) return null
  const { name, datasets } = identity
  const kept = rowMasks.read(name, () => new KeptMask(dataset.rowCount, name))
  const make = (): MaskSource => {
    const met = new Set<string>()
    const mask = ask(rowsOf(planContext, (id) => void met.add(id)))
    return { mask, isNamed: () => [...met].every((id) => datasets.has(id)) }
  }
  return passingRows(kept, make)
}

/** Asked of all rows, and of all rows that they point at: a rule says what it says whatever else is hidden. */
const rulesMask = (source: RowSource, rules: readonly RowRule[]): Mask =>
  allOf(rules.map((rule) => oneRule(source, rule))) ?? NOTHING

function oneRule(source: RowSource, { anyOf: open, noneOf: closed }: RowRule): MaybeMask {
  try {
    const passing = (filters: readonly Filter[]): Mask => filtersMask(source, filters, 'filters') ?? NOTHING
    const shut = closed.length === 0 ? null : noneOf(anyOf(closed.map(passing)))
    return allOf([open === 'all' ? null : open.length === 1 ? passing(open[0] ?? []) : anyOf(open.map(passing)), shut])
  } catch (error) {
    if (error instanceof ExceedsBounds) throw error
    return NOTHING
  }
}

const NOTHING: Mask = maskOf(({ rows }, to) => void to.fill(0, 0, rows))
