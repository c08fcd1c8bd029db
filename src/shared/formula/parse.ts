import { FORMULA_MAX_CHARS, tokenize } from './tokens'
import type { FormulaError, FormulaToken } from './tokens'

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
  )

/** Parentheses within parentheses. */
const DEPTH_MAX = 40
const BINARY = {
  '+': { op: 'add', power: 1 },
  '-': { op: 'subtract', power: 1 },
  '*': { op: 'multiply', power: 2 },
  '/': { op: 'divide', power: 2 },
} as const
const NEGATIVE_POWER = 3

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
          message: `A formula has at most ${FORMULA_MAX_CHARS} characters: give a part of it a name as a metric of its own.`,
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
  constructor(tokens: readonly FormulaToken[]) {
    this.#tokens = tokens
  }

  whole(): FormulaNode {
    if (this.#next().kind === 'end') throw this.#refused('Write a formula, such as sum([Amount]).')
    const tree = this.#expression(0)
    const rest = this.#next()
    if (rest.kind === 'end') return tree
    throw this.#refused(
      rest.kind === 'sign' && rest.value === ')'
        ? 'There is no parenthesis to close here: take this one out.'
        : 'Put a sign (+ − × ÷) before this, or take it out.',
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
      const sign = this.#next()
      const binary = sign.kind === 'sign' && Object.hasOwn(BINARY, sign.value) ? BINARY[signOf(sign.value)] : undefined
      if (!binary || binary.power <= power) return left
      this.#take()
      const right = this.#expression(binary.power)
      left = { kind: 'binary', op: binary.op, left, right, from: left.from, to: right.to }
    }
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
        throw this.#refused('Something is missing at the end.')
    }
  }

  #word(word: Extract<FormulaToken, { kind: 'word' }>): FormulaNode {
    this.#take()
    if (!this.#isSign('(')) return word
    return this.#nested(() => {
      this.#take()
      const args: FormulaNode[] = []
      while (!this.#isSign(')')) {
        args.push(this.#argument())
        if (this.#isSign(',')) this.#take()
        else if (!this.#isSign(')')) throw this.#refused('Put a comma or a closing parenthesis here.')
      }
      const { to } = this.#take()
      return { kind: 'call', name: word.value, args, nameTo: word.to, from: word.from, to }
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
        if (!this.#isSign(')')) throw this.#refused('Close the parenthesis here.')
        const { to } = this.#take()
        return { ...inner, from: token.from, to }
      })
    if (token.value !== '-') throw this.#refused('A number, a name in brackets or a function belongs here.')
    return this.#nested(() => {
      this.#take()
      const of = this.#expression(NEGATIVE_POWER)
      if (of.kind === 'number') return { kind: 'number', value: -of.value, from: token.from, to: of.to }
      return { kind: 'negative', of, from: token.from, to: of.to }
    })
  }

  #nested(read: () => FormulaNode): FormulaNode {
    this.#depth += 1
    if (this.#depth > DEPTH_MAX)
      throw this.#refused('Too much stands within each other: give a part of it a name as a metric of its own.')
    const tree = read()
    this.#depth -= 1
    return tree
  }
}

const signOf = (value: string): keyof typeof BINARY => (value === '+' || value === '-' || value === '*' ? value : '/')
