import type { SchemaElement } from 'hyparquet'
import { parquetDamagedError, parquetUnsupportedError } from './faults'

/** A field of the schema, with the levels that say in how far it is there. */
export interface SchemaNode {
  element: SchemaElement
  name: string
  /** Names from the top. */
  path: readonly string[]
  optional: boolean
  repeated: boolean
  /** Definition level of a value that is there. */
  maxDef: number
  /** Repetition level of a further item of the innermost list here. */
  maxRep: number
  children: SchemaNode[]
  /** Position among the columns of the file; -1 for groups. */
  leaf: number
  /** Whether lists stand in it. */
  nested: boolean
}

const DEPTH_MAX = 64
const ELEMENTS_MAX = 20_000
const LEVEL_MAX = 255

/** The schema as a tree. @throws ProductError when its parts do not fit together. */
export function buildSchemaTree(elements: SchemaElement[]): SchemaNode {
  if (elements.length > ELEMENTS_MAX) throw parquetUnsupportedError(`a schema of ${elements.length} fields`)
  let next = 0
  let leaves = 0
  const build = (parent: SchemaNode | null): SchemaNode => {
    const element = elements[next++]
    if (!element || (parent?.path.length ?? 0) > DEPTH_MAX) throw parquetDamagedError('its schema is not complete')
    const node = createNode(element, parent)
    const count = element.num_children ?? 0
    if (node.maxDef > LEVEL_MAX) throw parquetDamagedError('its schema is not complete')
    if (count > 0) for (let i = 0; i < count; i++) node.children.push(build(node))
    else if (parent && element.type !== undefined) node.leaf = leaves++
    node.nested = node.repeated || node.children.some((child) => child.nested)
    return node
  }
  const root = build(null)
  if (next !== elements.length || leaves === 0) throw parquetDamagedError('its schema is not complete')
  return root
}

function createNode(element: SchemaElement, parent: SchemaNode | null): SchemaNode {
  const optional = parent !== null && element.repetition_type === 'OPTIONAL'
  const repeated = parent !== null && element.repetition_type === 'REPEATED'
  // A damaged schema has fields without a name.
  const name = typeof element.name === 'string' ? element.name : ''
  return {
    element,
    name,
    path: parent ? [...parent.path, name] : [],
    optional,
    repeated,
    maxDef: (parent?.maxDef ?? 0) + Number(optional || repeated),
    maxRep: (parent?.maxRep ?? 0) + Number(repeated),
    children: [],
    leaf: -1,
    nested: false,
  }
}

/** The columns below a field, in the order of the file. */
export function leavesOf(node: SchemaNode): SchemaNode[] {
  return node.leaf >= 0 ? [node] : node.children.flatMap(leavesOf)
}

/** How a group is meant. A repeated field without a list around it is a list itself. */
export function groupKind({ element, children }: SchemaNode): 'list' | 'map' | 'struct' {
  const [only] = children
  if (children.length !== 1 || !only?.repeated) return 'struct'
  const type = element.logical_type?.type ?? element.converted_type
  if (type === 'LIST') return 'list'
  return (type === 'MAP' || type === 'MAP_KEY_VALUE') && only.children.length > 0 ? 'map' : 'struct'
}

/** What one item of a list is: the only field of its repeated group, unless older writers meant the group itself. */
export function listItemNode(repeated: SchemaNode): SchemaNode {
  const [only] = repeated.children
  const { name } = repeated
  if (!only || repeated.children.length > 1 || name === 'array' || name.endsWith('_tuple')) return repeated
  return only
}
