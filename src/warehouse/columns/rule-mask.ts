import type { ColumnSources } from './column-table'
import type { RowSource } from './column-vectors'
import { KeptMask, type MaskSource } from './kept-mask'
import { ExceedsBounds } from './memory'
import { filtersMask } from './predicates'
import { allOf, anyOf, maskOf, noneOf, type Mask, type MaybeMask } from './vectors'
import type { LiveDataset } from '../physical-layout'
import { rulesIdentity } from '../query/plan/rows-identity'
import type { PlanContext } from '../query/query-context'
import type { RowRule } from '../../identity/scope'
import type { Filter } from '../../shared/query/plan'

/** Rows of a dataset that rules of access let through. */
export interface RuleRows {
  /** Null: all. */
  mask: MaybeMask
  /** What is kept of them between questions; null: nothing is. */
  kept: KeptMask | null
}
const EVERY_ROW: RuleRows = { mask: null, kept: null }

interface RuleSources {
  /** With nothing left out. Null: rules are asked of nothing, so that no row passes. */
  whole: PlanContext | null
  sources: Pick<ColumnSources, 'ruleMasks'>
  /** The rows of the dataset within a question. */
  rowsOf: (world: PlanContext) => RowSource
}

/** What a rule names and nothing has lets no row through, nor does a rule without conditions. */
export function ruleRows(dataset: LiveDataset, rules: readonly RowRule[], at: RuleSources): RuleRows {
  if (rules.every(({ anyOf: open, noneOf: closed }) => open === 'all' && closed.length === 0)) return EVERY_ROW
  const { whole } = at
  if (!whole) return { mask: NOTHING, kept: null }
  const identity = rulesIdentity(whole, dataset.id, rules)
  const { ruleMasks } = at.sources
  if (!identity || !ruleMasks) return { mask: rulesMask(at.rowsOf(whole), rules), kept: null }
  const { name, datasets } = identity
  const kept = ruleMasks.read(name, () => new KeptMask(dataset.rowCount, name))
  const make = (): MaskSource => {
    const met = new Set<string>()
    const find = (id: string): LiveDataset | null => {
      met.add(id)
      return whole.find(id)
    }
    const mask = rulesMask(at.rowsOf({ ...whole, find }), rules)
    return { mask, isNamed: () => [...met].every((id) => datasets.has(id)) }
  }
  return { mask: kept.mask(make), kept }
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
