import type { ColumnHint, FileWarning } from '../../shared/files'
import { DATASET_MAX_COLUMNS, HEADER_MAX_CHARS, NAME_MAX_CHARS, SOURCE_MAX_DATASETS } from '../../shared/limits'
import { tooManyKeys } from './shape'
import type { PathShape, TableShape } from './shape'

/** Key columns of one table at most: its own, and its parent's. */
const KEY_COLUMNS = 3
const BARE_ID = /^_?(id|uuid|guid)$/i
const NAMED_LABELS = 5

/** How the rows of a table name their parent: by its number among the parents, or by the parent's own id. */
export interface ParentKey {
  column: number
  by: 'row' | 'id'
}

/** One table as it will be written. Positions are of the cells in a row. */
export interface TablePlan {
  name: string
  shape: TableShape
  labels: string[]
  hints: ColumnHint[]
  /** Where the row's own number goes; null when nothing refers to it. */
  ownKey: number | null
  parentKey: ParentKey | null
  /** Where the member's name goes, for members read as rows. */
  nameColumn: number | null
  optional: boolean
  children: Map<PathShape, TablePlan>
  warnings: FileWarning[]
}

/**
 * Turns what was seen into tables: paths become columns, lists become tables of their own. Too many tables or columns
 * stay text in the cell of their parent.
 * @throws ProductError `too_large` when the records alone have more keys than a dataset has columns.
 */
export function planTables(root: TableShape, name: string, hintOf: HintOf = () => undefined): TablePlan {
  narrow(root)
  keepFirstTables(root)
  const plan = planTable(root, { name, parent: null, root: name, hintOf })
  if (root.single && [...plan.children.values()].some(({ shape }) => shape.rowCount > 1)) plan.optional = true
  return plan
}

function* pathsOf(at: PathShape): Generator<PathShape> {
  yield at
  for (const member of at.members.values()) yield* pathsOf(member)
}
const cellsOf = (at: PathShape): PathShape[] => [...pathsOf(at)].filter(({ hasCell }) => hasCell)

/** Makes the widest objects text until the columns are few enough. */
function narrow(table: TableShape): void {
  const { record } = table
  const max = DATASET_MAX_COLUMNS - KEY_COLUMNS
  while (cellsOf(record).length > max) {
    let widest: PathShape | null = null
    let width = 1
    for (const at of pathsOf(record)) {
      const cells = at.depth > 0 && at.members.size > 0 ? cellsOf(at).length : 0
      if (cells > width || (cells === width && widest && at.depth > widest.depth)) [widest, width] = [at, cells]
    }
    if (!widest) throw tooManyKeys(table.rowCount)
    widest.collapse()
  }
  for (const { rows } of pathsOf(record)) if (rows) narrow(rows)
}

/** The first tables in the order of the file; lists beyond them stay text. */
function keepFirstTables(root: TableShape): void {
  let waiting = [root]
  let left = SOURCE_MAX_DATASETS - 1
  while (waiting.length > 0) {
    const next: TableShape[] = []
    for (const at of waiting.flatMap(({ record }) => [...pathsOf(record)])) {
      if (!at.rows) continue
      if (left-- > 0) next.push(at.rows)
      else {
        at.rows = null
        if (!at.joined) at.texts = true
      }
    }
    waiting = next
  }
}

/** What is known of a path of keys beforehand. */
type HintOf = (path: readonly string[]) => Pick<ColumnHint, 'type' | 'scale' | 'zoned'> | undefined

interface Place {
  hintOf: HintOf
  name: string
  root: string
  parent: { plan: TablePlan; at: PathShape } | null
}

function planTable(shape: TableShape, place: Place): TablePlan {
  const { name, parent } = place
  const plan: TablePlan = {
    name,
    shape,
    labels: [],
    hints: [],
    ownKey: null,
    parentKey: null,
    nameColumn: null,
    optional: parent !== null && isSideTable(parent),
    children: new Map(),
    warnings: [],
  }
  addKeys(plan, place)
  const texts = addCells(plan, place.hintOf)
  if (texts.length > 0) plan.warnings.push(nestedWarning(texts))
  for (const at of pathsOf(shape.record)) {
    if (!at.rows) continue
    const childName = nameOf([place.root, ...(at.rows.path.length > 0 ? at.rows.path : ['records'])])
    plan.children.set(at, planTable(at.rows, { ...place, name: childName, parent: { plan, at } }))
  }
  return plan
}

/** A list of single values that its parent shows whole. */
function isSideTable({ plan, at }: NonNullable<Place['parent']>): boolean {
  return at.joined && !at.tooLong && at.rows?.record.members.size === 0 && !plan.shape.single
}

const nameOf = (path: string[]): string => path.join('.').slice(0, NAME_MAX_CHARS)

function addKeys(plan: TablePlan, { parent, root }: Place): void {
  const { shape } = plan
  if (parent && !parent.plan.shape.single) {
    const { id } = parent.plan.shape
    const label = id ? idLabel(parent.plan.shape, { root, id: id.key }) : keyLabel(parent.plan.shape, root)
    const column = addColumn(plan, label, id ? id.scalars.hint() : { type: 'integer', role: 'id' })
    plan.parentKey = { column, by: id ? 'id' : 'row' }
  }
  const referred = !shape.single && [...pathsOf(shape.record)].some(({ rows }) => rows !== null)
  if (referred && !shape.id) plan.ownKey = addColumn(plan, keyLabel(shape, root), { type: 'integer', role: 'id' })
  if (shape.named) plan.nameColumn = addColumn(plan, 'key', {})
}

/** What one row of a table is called: `order` for the table `orders`, or for a file `orders-2026-01`. */
function thingOf({ path }: TableShape, root: string): string {
  const words = (path.at(-1) ?? root).split(/[^\p{L}\p{N}]+/u).filter((word) => /\p{L}/u.test(word))
  return words.length > 0 ? words.join('_').replace(/(?<=\p{L}{2})s$/iu, '') : 'parent'
}

/** The same in a table and in those below it, so that the relation is found: `item_row_id`. */
const keyLabel = (shape: TableShape, root: string): string => `${thingOf(shape, root)}_row_id`

/** The parent's id as a child calls it: `order_id` for `id` of `orders`. */
function idLabel(shape: TableShape, { root, id }: { root: string; id: string }): string {
  return BARE_ID.test(id) ? `${thingOf(shape, root)}_${id.replace(/^_/, '')}` : id
}

/** @returns labels of the columns that hold text made of objects or lists. */
function addCells(plan: TablePlan, hintOf: HintOf): string[] {
  const texts: string[] = []
  const { record, rowCount, path } = plan.shape
  for (const at of cellsOf(record)) {
    if (rowCount === 0) continue
    const label = at.depth === 0 ? 'value' : at.keys.map((key) => key.trim() || '(empty)').join('.')
    const hint =
      at.texts || at.joined ? { type: 'text' as const } : (hintOf([...path, ...at.keys]) ?? at.scalars.hint())
    at.column = addColumn(plan, label, hint)
    if (at.texts) texts.push(plan.labels[at.column] ?? '')
  }
  return texts
}

function addColumn(
  plan: TablePlan,
  label: string,
  hint: Pick<ColumnHint, 'type' | 'scale' | 'zoned' | 'role'>,
): number {
  const short = label.slice(0, HEADER_MAX_CHARS - 8)
  let unique = short
  for (let n = 2; plan.labels.includes(unique); n++) unique = `${short} (${n})`
  const index = plan.labels.push(unique) - 1
  plan.hints.push({ index, label: unique, ...hint })
  return index
}

function nestedWarning(labels: string[]): FileWarning {
  const more = labels.length - NAMED_LABELS
  const named = labels.slice(0, NAMED_LABELS).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return {
    code: 'nested_values',
    message: `Values that hold further objects or lists are kept as text: ${named}.`,
  }
}
