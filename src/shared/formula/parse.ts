import type { ComparisonOperator } from '../query/functions'

/** A mistake in a formula: where it is (positions of characters, `to` exclusive) and what to do about it. */
export interface FormulaError {
  from: number
  to: number
  message: string
  /** What may have been meant: put in the place of `from`–`to`, it mends this mistake. */
  suggestion?: string
}

export const FORMULA_MAX_CHARS = 2_000

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

interface TextSpan {
  from: number
  to: number
}
type FormulaToken = TextSpan &
  (
    | { kind: 'number'; value: number }
    | { kind: 'text'; value: string }
    /** `[Name]`; `]` within a name is written twice. */
    | { kind: 'name'; value: string }
    | { kind: 'word'; value: string }
    | { kind: 'sign'; value: '+' | '-' | '*' | '/' | '(' | ')' | ',' | Comparison }
    | { kind: 'end' }
  )

const SIGN_CHARACTERS: Readonly<Record<string, Extract<FormulaToken, { kind: 'sign' }>['value']>> = {
  '+': '+',
  '-': '-',
  '−': '-',
  '–': '-',
  '*': '*',
  '×': '*',
  '·': '*',
  '/': '/',
  '÷': '/',
  '(': '(',
  ')': ')',
  ',': ',',
  ';': ',',
  '=': '=',
  '≠': '<>',
  '<': '<',
  '≤': '<=',
  '>': '>',
  '≥': '>=',
}
/** Signs of two characters. */
const COMPARISON = /<>|!=|<=|>=|==/uy
const COMPARISON_WRITTEN: Readonly<Record<string, Comparison>> = {
  ...{ '<>': '<>', '!=': '<>', '<=': '<=', '>=': '>=', '==': '=' },
}
const SPACE = /\s+/uy
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iuy
const NAME = /\[((?:[^\]]|\]\])*)\]/uy
const TEXT = /"((?:[^"]|"")*)"/uy
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy

/** The pieces of a formula in order, an `end` after them. Unreadable characters are mistakes and left out. */
function tokenize(text: string): { tokens: FormulaToken[]; errors: FormulaError[] } {
  const tokens: FormulaToken[] = []
  const errors: FormulaError[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const space = match(SPACE)
    if (space) {
      at += space[0].length
      continue
    }
    const made = readToken(text, at, match)
    if ('message' in made) errors.push(made)
    else tokens.push(made)
    at = made.to
  }
  return { tokens: [...tokens, { kind: 'end', from: text.length, to: text.length }], errors }
}

function readToken(
  text: string,
  from: number,
  match: (pattern: RegExp) => RegExpExecArray | null,
): FormulaToken | FormulaError {
  const number = match(NUMBER)
  if (number) return numberToken(number[0], from)
  const name = match(NAME)
  if (name) {
    const value = (name[1] ?? '').replaceAll(']]', ']').trim()
    const to = from + name[0].length
    return value === '' ? { from, to, message: 'Enter a name in the brackets.' } : { kind: 'name', value, from, to }
  }
  const quoted = match(TEXT)
  if (quoted) return { kind: 'text', value: (quoted[1] ?? '').replaceAll('""', '"'), from, to: from + quoted[0].length }
  const word = match(WORD)
  if (word) return { kind: 'word', value: word[0], from, to: from + word[0].length }
  const comparison = match(COMPARISON)
  const written = comparison && COMPARISON_WRITTEN[comparison[0]]
  if (comparison && written) return { kind: 'sign', value: written, from, to: from + comparison[0].length }
  const character = String.fromCodePoint(text.codePointAt(from) ?? 32)
  const sign = SIGN_CHARACTERS[character]
  const to = from + character.length
  if (sign) return { kind: 'sign', value: sign, from, to }
  if (character === '[') return { from, to: text.length, message: 'Close the name with ].' }
  if (character === '"') return { from, to: text.length, message: 'Close the text with a quotation mark.' }
  return { from, to, message: `“${character}” isn’t allowed in a formula. Remove it.` }
}

function numberToken(text: string, from: number): FormulaToken | FormulaError {
  const value = Number(text)
  const to = from + text.length
  return Number.isFinite(value) ? { kind: 'number', value, from, to } : { from, to, message: 'Number too large.' }
}

interface NodeSpan {
  from: number
  to: number
}
/** A formula before its names are looked up. */
export type FormulaNode = NodeSpan &
  (
    | { kind: 'number'; value: number }
    | { kind: 'text'; value: string }
    | { kind: 'name'; value: string }
    /** A bare word: `year` in `cumulative([Revenue], year)`. */
    | { kind: 'word'; value: string }
    /** `*` between parentheses: every row. */
    | { kind: 'star' }
    | { kind: 'call'; name: string; args: FormulaNode[]; nameTo: number }
    | { kind: 'negative'; of: FormulaNode }
    | { kind: 'binary'; op: 'add' | 'subtract' | 'multiply' | 'divide'; left: FormulaNode; right: FormulaNode }
    | { kind: 'compare'; op: ComparisonOperator; left: FormulaNode; right: FormulaNode }
  )

/** Parentheses within parentheses. */
const DEPTH_MAX = 40
const SIGNS = {
  '+': { kind: 'binary', op: 'add', power: 5 },
  '-': { kind: 'binary', op: 'subtract', power: 5 },
  '*': { kind: 'binary', op: 'multiply', power: 6 },
  '/': { kind: 'binary', op: 'divide', power: 6 },
  '=': { kind: 'compare', op: 'eq', power: 4 },
  '<>': { kind: 'compare', op: 'ne', power: 4 },
  '<': { kind: 'compare', op: 'lt', power: 4 },
  '<=': { kind: 'compare', op: 'le', power: 4 },
  '>': { kind: 'compare', op: 'gt', power: 4 },
  '>=': { kind: 'compare', op: 'ge', power: 4 },
} as const
const LOGIC = { or: { kind: 'call', name: 'or', power: 1 }, and: { kind: 'call', name: 'and', power: 2 } } as const
const NOT_POWER = 3
const NEGATIVE_POWER = 7
/** Values that one function takes. */
export const FUNCTION_VALUES_MAX = 10

/** Thrown within this file only: reading cannot go on. */
class FormulaSyntaxError extends Error {
  readonly at: FormulaError
  constructor(at: FormulaError) {
    super(at.message)
    this.at = at
  }
}

/** The tree of a formula, or what is wrong with its writing. Operators bind as in arithmetic, from the left. */
export function parseSyntax(text: string): { tree: FormulaNode } | { errors: FormulaError[] } {
  if (text.length > FORMULA_MAX_CHARS)
    return {
      errors: [
        {
          from: FORMULA_MAX_CHARS,
          to: text.length,
          message: `Max ${FORMULA_MAX_CHARS} characters. Save a part as a metric.`,
        },
      ],
    }
  const { tokens, errors } = tokenize(text)
  if (errors.length > 0) return { errors }
  try {
    return { tree: new FormulaParser(tokens).whole() }
  } catch (error) {
    if (error instanceof FormulaSyntaxError) return { errors: [error.at] }
    throw error
  }
}

/** Reads by binding power (Pratt): a sign takes what binds tighter than itself. */
class FormulaParser {
  readonly #tokens: readonly FormulaToken[]
  #at = 0
  #depth = 0
  readonly #chains = new WeakSet<FormulaNode>()
  constructor(tokens: readonly FormulaToken[]) {
    this.#tokens = tokens
  }

  whole(): FormulaNode {
    if (this.#next().kind === 'end') throw this.#refused('Enter a formula, e.g. sum([Amount]).')
    const tree = this.#expression(0)
    const rest = this.#next()
    if (rest.kind === 'end') return tree
    throw this.#refused(
      rest.kind === 'sign' && rest.value === ')'
        ? 'No matching parenthesis. Remove this one.'
        : 'Add an operator (+ − × ÷ = < >) before this, or remove it.',
    )
  }

  #next(): FormulaToken {
    return this.#tokens[this.#at] ?? { kind: 'end', from: 0, to: 0 }
  }
  #take(): FormulaToken {
    const token = this.#next()
    this.#at += 1
    return token
  }
  #refused(message: string): FormulaSyntaxError {
    const { from, to } = this.#next()
    return new FormulaSyntaxError({ from, to, message })
  }
  #isSign(value: string): boolean {
    const token = this.#next()
    return token.kind === 'sign' && token.value === value
  }

  #expression(power: number): FormulaNode {
    let left = this.#operand()
    for (;;) {
      const operator = operatorOf(this.#next())
      if (!operator || operator.power <= power) return left
      this.#take()
      left = this.#joined(operator, left, this.#expression(operator.power))
    }
  }

  /** Conditions in a row without parentheses are the values of one function. */
  #joined(operator: Operator, left: FormulaNode, right: FormulaNode): FormulaNode {
    const span = { from: left.from, to: right.to }
    if (operator.kind === 'binary') return { kind: 'binary', op: operator.op, left, right, ...span }
    if (operator.kind === 'compare') return { kind: 'compare', op: operator.op, left, right, ...span }
    const { name } = operator
    const isChain = left.kind === 'call' && left.name === name && this.#chains.has(left)
    const before = isChain && left.args.length < FUNCTION_VALUES_MAX ? left.args : [left]
    const call: FormulaNode = { kind: 'call', name, args: [...before, right], nameTo: right.to, ...span }
    this.#chains.add(call)
    return call
  }

  #operand(): FormulaNode {
    const token = this.#next()
    switch (token.kind) {
      case 'number':
      case 'text':
      case 'name':
        this.#take()
        return token
      case 'word':
        return this.#word(token)
      case 'sign':
        return this.#signed(token)
      case 'end':
        throw this.#refused('The formula is incomplete.')
    }
  }

  #word(word: Extract<FormulaToken, { kind: 'word' }>): FormulaNode {
    this.#take()
    const isNot = word.value.toLowerCase() === 'not'
    if (!this.#isSign('(')) return isNot ? this.#negated(word) : word
    return this.#nested(() => {
      this.#take()
      const args: FormulaNode[] = []
      while (!this.#isSign(')')) {
        args.push(this.#argument())
        if (this.#isSign(',')) this.#take()
        else if (!this.#isSign(')')) throw this.#refused('Add a comma or closing parenthesis.')
      }
      const { to } = this.#take()
      return { kind: 'call', name: word.value, args, nameTo: word.to, from: word.from, to }
    })
  }

  #negated({ value, from, to }: Extract<FormulaToken, { kind: 'word' }>): FormulaNode {
    return this.#nested(() => {
      const of = this.#expression(NOT_POWER)
      return { kind: 'call', name: value, args: [of], nameTo: to, from, to: of.to }
    })
  }

  #argument(): FormulaNode {
    const token = this.#next()
    const after = this.#tokens[this.#at + 1]
    if (this.#isSign('*') && after?.kind === 'sign' && after.value === ')') {
      this.#take()
      return { kind: 'star', from: token.from, to: token.to }
    }
    return this.#expression(0)
  }

  #signed(token: Extract<FormulaToken, { kind: 'sign' }>): FormulaNode {
    if (token.value === '(')
      return this.#nested(() => {
        this.#take()
        const inner = this.#expression(0)
        if (!this.#isSign(')')) throw this.#refused('Add a closing parenthesis.')
        const { to } = this.#take()
        return { ...inner, from: token.from, to }
      })
    if (token.value !== '-') throw this.#refused('Enter a number, a [name] or a function.')
    return this.#nested(() => {
      this.#take()
      const of = this.#expression(NEGATIVE_POWER)
      if (of.kind === 'number') return { kind: 'number', value: -of.value, from: token.from, to: of.to }
      return { kind: 'negative', of, from: token.from, to: of.to }
    })
  }

  #nested(read: () => FormulaNode): FormulaNode {
    this.#depth += 1
    if (this.#depth > DEPTH_MAX) throw this.#refused('Too many nested parts. Save one as a metric.')
    const tree = read()
    this.#depth -= 1
    return tree
  }
}

type Operator = (typeof SIGNS)[keyof typeof SIGNS] | (typeof LOGIC)[keyof typeof LOGIC]
function operatorOf(token: FormulaToken): Operator | undefined {
  if (token.kind === 'word') {
    const word = token.value.toLowerCase()
    return word === 'and' || word === 'or' ? LOGIC[word] : undefined
  }
  if (token.kind !== 'sign' || token.value === '(' || token.value === ')' || token.value === ',') return undefined
  return SIGNS[token.value]
}
