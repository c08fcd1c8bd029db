import { z } from 'zod'

/** The parts of a JSON schema that samples are made from. */
interface JsonSchema {
  type?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
}
export type Path = (string | number)[]

/** A value of a schema's shape (not of its refinements), and the paths of every scalar and object in it. */
export interface Sample {
  value: unknown
  scalars: Path[]
  objects: Path[]
}

/** Deep enough for every field of a plan, shallow enough for recursive expressions to end. */
const DEPTH_MAX = 8

export function sampleOf(schema: z.ZodType): Sample {
  const root: JsonSchema = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })))
  const scalars: Path[] = []
  const objects: Path[] = []
  const build = (node: JsonSchema, path: Path): unknown => {
    const target = node.$ref === undefined ? node : (resolve(root, node.$ref) ?? {})
    const [option] = target.anyOf ?? target.oneOf ?? []
    if (option) return build(option, path)
    if (target.properties) {
      objects.push(path)
      if (path.length >= DEPTH_MAX) return {}
      return Object.fromEntries(
        Object.entries(target.properties).map(([key, one]) => [key, build(one, [...path, key])]),
      )
    }
    if (target.type === 'array')
      return target.items && path.length < DEPTH_MAX ? [build(target.items, [...path, 0])] : []
    scalars.push(path)
    return scalar(target)
  }
  return { value: build(root, []), scalars, objects }
}

function resolve(root: JsonSchema, ref: string): JsonSchema | undefined {
  return ref === '#' ? root : root.$defs?.[ref.replace('#/$defs/', '')]
}

function scalar(node: JsonSchema): unknown {
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  if (node.type === 'boolean') return true
  if (node.type === 'integer' || node.type === 'number') return Math.max(1, node.minimum ?? 1)
  return 'text'
}

/** A copy of a value with one place replaced. */
export function replaceAt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((one: unknown, i) => (i === key ? replaceAt(one, rest, by) : one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => [
      name,
      name === key ? replaceAt(one, rest, by) : one,
    ]),
  )
}

/** The value at a path. */
export function valueAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return value
  const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return valueAt(inner, rest)
}
