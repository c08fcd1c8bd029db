/**
 * Statements for a foreign database, put together from pieces. Text comes only from this room's templates and from names of
 * the catalogue, quoted by the dialect; every value of a plan travels beside the text, as a parameter.
 */

/** What a parameter is taken as. It travels as text. */
export type ParameterType = 'text' | 'decimal' | 'real'
export interface Parameter {
  value: string
  as: ParameterType
}
export type Sql = readonly (string | Parameter)[]

/** A template of pieces. Whole numbers are written out: they are the product's own (days, months, places), never a plan's values. */
export function sql(strings: TemplateStringsArray, ...values: (Sql | number)[]): Sql {
  const parts: (string | Parameter)[] = []
  const push = (part: string | Parameter): void => {
    const last = parts.length - 1
    const before = parts[last]
    if (typeof part === 'string' && typeof before === 'string') parts[last] = before + part
    else parts.push(part)
  }
  for (const [i, text] of strings.entries()) {
    push(text)
    const value = values[i]
    if (value === undefined) continue
    if (typeof value === 'number') push(literal(value))
    else value.forEach(push)
  }
  return parts
}

function literal(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError('Only whole numbers are written out.')
  return value < 0 ? `(${value})` : String(value)
}

export const parameter = (value: string, as: ParameterType): Sql => [{ value, as }]

/** Text that this room or a dialect made. */
export const written = (text: string): Sql => [text]

export function joined(items: readonly Sql[], by: string): Sql {
  return items.flatMap((item, i) => (i === 0 ? [...item] : [by, ...item]))
}
export const listed = (items: readonly Sql[]): Sql => joined(items, ', ')

export const NULL: Sql = ['NULL']
export const TRUE: Sql = ['TRUE']
export const FALSE: Sql = ['FALSE']

/*
 * Conditions: what is neither true nor false counts as false. AND, OR, WHERE and CASE take it so by themselves; NOT does not.
 */
export const not = (condition: Sql): Sql => sql`NOT COALESCE(${condition}, FALSE)`
export const allOf = (conditions: readonly Sql[]): Sql => combined(conditions, ' AND ', TRUE)
export const anyOf = (conditions: readonly Sql[]): Sql => combined(conditions, ' OR ', FALSE)

function combined(conditions: readonly Sql[], by: string, none: Sql): Sql {
  const [only, second] = conditions
  if (!only) return none
  return second ? sql`(${joined(conditions, by)})` : only
}

/** A statement as a driver takes it. */
export interface Statement {
  text: string
  /** By place; the same value stands once where the dialect names its places. */
  values: string[]
}
