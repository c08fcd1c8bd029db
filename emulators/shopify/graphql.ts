/** A field of a query: what is asked of it, and what of its object. */
export interface QueryField {
  name: string
  alias: string
  args: Readonly<Record<string, unknown>>
  /** Null: a value of its own. */
  fields: QueryField[] | null
}

const TOKEN = /[A-Za-z_]\w*|\$\w+|-?\d+|"(?:[^"\\]|\\.)*"|[{}()[\]:!,]/g

/** Reads one query of GraphQL, without fragments and directives. @throws Error where it is none */
export function parseQuery(text: string, variables: Readonly<Record<string, unknown>>): QueryField[] {
  const tokens = text.match(TOKEN) ?? []
  let at = 0
  const peek = (): string => tokens[at] ?? ''
  const next = (): string => tokens[at++] ?? ''
  const expect = (token: string): void => {
    if (next() !== token) throw new Error(`Parse error: expected ${token}`)
  }
  const value = (): unknown => {
    const token = next()
    if (token.startsWith('$')) return variables[token.slice(1)]
    if (token.startsWith('"')) return JSON.parse(token)
    if (/^-?\d+$/.test(token)) return Number(token)
    if (token === 'null') return null
    if (token === 'true' || token === 'false') return token === 'true'
    return token
  }
  const args = (): Record<string, unknown> => {
    const found: Record<string, unknown> = {}
    if (peek() !== '(') return found
    expect('(')
    while (peek() !== ')') {
      const name = next()
      expect(':')
      found[name] = value()
      if (peek() === ',') next()
    }
    expect(')')
    return found
  }
  const selection = (): QueryField[] => {
    expect('{')
    const fields: QueryField[] = []
    while (peek() !== '}') {
      if (peek() === '') throw new Error('Parse error: the query has no end')
      const alias = next()
      let name = alias
      if (peek() === ':') {
        next()
        name = next()
      }
      const given = args()
      fields.push({ name, alias, args: given, fields: peek() === '{' ? selection() : null })
    }
    expect('}')
    return fields
  }
  while (peek() !== '{' && peek() !== '') {
    // The operation's name and its declared variables, of which values are known.
    if (next() === '(') while (next() !== ')') if (peek() === '') throw new Error('Parse error: variables')
  }
  return selection()
}

const isConnection = ({ fields }: QueryField): boolean =>
  fields?.some(({ name }) => name === 'nodes' || name === 'edges' || name === 'pageInfo') ?? false

const CONNECTION_COST = 2
/** Points of a query before it is run: one an object, two and so many objects a connection; values cost nothing. */
export function requestedCost(fields: readonly QueryField[]): number {
  return fields.reduce((sum, field) => sum + costOf(field), 0)
}

function costOf(field: QueryField): number {
  const { fields, args } = field
  if (fields === null) return 0
  const first = typeof args['first'] === 'number' ? args['first'] : 1
  if (!isConnection(field)) return first * (1 + requestedCost(fields))
  const node = (within: readonly QueryField[]): number =>
    within.reduce((sum, each) => {
      if (each.name === 'edges') return sum + node(each.fields ?? [])
      return each.name === 'node' || each.name === 'nodes' ? sum + requestedCost(each.fields ?? []) : sum
    }, 0)
  return CONNECTION_COST + first * (1 + node(fields))
}
