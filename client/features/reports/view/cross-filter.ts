import { z } from 'zod'
import { TILE_FILTERS_MAX, type TilesRequestInput } from '../../../../src/shared/reports/tiles'
import { localIdSchema } from '../../../../src/shared/reports/blocks'
import { fieldFilterSchema, type Condition, type FieldFilter } from '../../../../src/shared/query/plan'

/** A mark that was clicked: what it is called, and what it means to other blocks. */
const markSchema = z.strictObject({ label: z.string().max(200), filters: z.array(fieldFilterSchema).min(1).max(6) })
export type Mark = z.output<typeof markSchema>
/** The marks that were chosen in one block. */
const selectionSchema = z.strictObject({
  block: localIdSchema,
  /** What the marks are values of: "Country". */
  name: z.string().max(200),
  marks: z.array(markSchema).min(1).max(20),
})
export type Selection = z.output<typeof selectionSchema>
export const selectionsSchema = z.array(selectionSchema).max(TILE_FILTERS_MAX)

export const isSameMark = (a: Pick<Mark, 'filters'>, b: Pick<Mark, 'filters'>): boolean =>
  JSON.stringify(a.filters) === JSON.stringify(b.filters)

const fieldKey = ({ field, part, grouping }: FieldFilter): string => JSON.stringify([field, part, grouping])
/** Bins say two things of one column: several of them cannot be chosen side by side. */
const isPlain = ({ filters }: Mark): boolean => new Set(filters.map(fieldKey)).size === filters.length

export type CrossFilterAction =
  /** `add`: beside those that are chosen in the same block. */
  | { kind: 'toggle'; block: string; name: string; mark: Mark; add: boolean }
  | { kind: 'remove'; block: string }
  | { kind: 'clear' }

/** What is chosen after a click: a second click on the same mark takes it back. */
export function crossFilter(selections: readonly Selection[], action: CrossFilterAction): Selection[] {
  if (action.kind === 'clear') return []
  const others = selections.filter(({ block }) => block !== action.block)
  if (action.kind === 'remove') return others
  const before = selections.find(({ block }) => block === action.block)?.marks ?? []
  const isChosen = before.some((mark) => isSameMark(mark, action.mark))
  const isOnly = isChosen && before.length === 1
  const add = action.add && isPlain(action.mark) && before.every(isPlain)
  const kept = add ? before.filter((mark) => !isSameMark(mark, action.mark)) : []
  const marks = isOnly || (add && isChosen) ? kept : [...kept, action.mark]
  if (marks.length === 0) return others
  const next = [...others, { block: action.block, name: action.name, marks }]
  // More than a question may ask: what was chosen first gives way.
  while (next.length > 1 && next.flatMap(selectionFilters).length > TILE_FILTERS_MAX) next.shift()
  return next
}

const CONDITIONS_MAX = 20
/** Values that are equal to one of several are one condition. */
function unite(conditions: readonly Condition[]): Condition[] {
  const values = conditions.flatMap((one) => (one.op === 'eq' ? [one.value] : one.op === 'in' ? one.values : []))
  const rest = conditions.filter(({ op }) => op !== 'eq' && op !== 'in')
  const equal: Condition[] =
    values.length === 0 ? [] : values.length === 1 ? [{ op: 'eq', value: values[0] ?? null }] : [{ op: 'in', values }]
  return [...equal, ...rest].slice(0, CONDITIONS_MAX)
}

/** What the marks of a block leave of rows: any of their values, column by column. */
export function selectionFilters({ marks }: Pick<Selection, 'marks'>): FieldFilter[] {
  const [first] = marks
  if (marks.length === 1 && first) return first.filters
  const byField = new Map<string, FieldFilter>()
  for (const filter of marks.flatMap(({ filters }) => filters)) {
    const key = fieldKey(filter)
    const found = byField.get(key)
    byField.set(key, found ? { ...found, any: unite([...found.any, ...filter.any]) } : filter)
  }
  return [...byField.values()]
}

/** The part of a question that marks make: filters after those of the page, and which block made each. */
export function selectionQuestion(
  pageFilters: readonly FieldFilter[],
  selections: readonly Selection[],
): Pick<TilesRequestInput, 'filters' | 'sources'> {
  const filters = [...pageFilters]
  const sources: { block: string; filter: number }[] = []
  for (const selection of selections)
    for (const filter of selectionFilters(selection)) {
      if (filters.length >= TILE_FILTERS_MAX) break
      sources.push({ block: selection.block, filter: filters.length })
      filters.push(filter)
    }
  return { filters, sources }
}

/** "Country: Sweden, Norway", "Country: 5 values". */
export function selectionLabel({ name, marks }: Selection): string {
  const labels = marks.map(({ label }) => label)
  return `${name}: ${labels.length > 3 ? `${labels.length} values` : labels.join(', ')}`
}
