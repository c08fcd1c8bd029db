/** A mistake in a formula: where it is (positions of characters, `to` exclusive) and what to do about it. */
export interface FormulaError {
  from: number
  to: number
  message: string
  /** What may have been meant: put in the place of `from`–`to`, it mends this mistake. */
  suggestion?: string
}

export const FORMULA_MAX_CHARS = 2_000

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
    | { kind: 'sign'; value: '+' | '-' | '*' | '/' | '(' | ')' | ',' }
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
    return value === ''
      ? { from, to, message: 'Enter a name between the brackets.' }
      : { kind: 'name', value, from, to }
  }
  const quoted = match(TEXT)
  if (quoted) return { kind: 'text', value: (quoted[1] ?? '').replaceAll('""', '"'), from, to: from + quoted[0].length }
  const word = match(WORD)
  if (word) return { kind: 'word', value: word[0], from, to: from + word[0].length }
  const character = String.fromCodePoint(text.codePointAt(from) ?? 32)
  const sign = SIGN_CHARACTERS[character]
  const to = from + character.length
  if (sign) return { kind: 'sign', value: sign, from, to }
  if (character === '[') return { from, to: text.length, message: 'Close the name with ].' }
  if (character === '"') return { from, to: text.length, message: 'Close the text with a quotation mark.' }
  return { from, to, message: `Remove “${character}”: formulas can’t use it.` }
}

function numberToken(text: string, from: number): FormulaToken | FormulaError {
  const value = Number(text)
  const to = from + text.length
  return Number.isFinite(value)
    ? { kind: 'number', value, from, to }
    : { from, to, message: 'This number is too large.' }
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
          message: `Enter at most ${FORMULA_MAX_CHARS} characters. Save a part as a metric.`,
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
    if (this.#next().kind === 'end') throw this.#refused('Enter a formula, e.g. sum([Amount]).')
    const tree = this.#expression(0)
    const rest = this.#next()
    if (rest.kind === 'end') return tree
    throw this.#refused(
      rest.kind === 'sign' && rest.value === ')'
        ? 'Remove this parenthesis: none is open.'
        : 'Enter an operator (+ − × ÷) before this, or remove it.',
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
        throw this.#refused('Formula incomplete. Enter what follows.')
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
        else if (!this.#isSign(')')) throw this.#refused('Enter a comma or a closing parenthesis.')
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
        if (!this.#isSign(')')) throw this.#refused('Close the parenthesis.')
        const { to } = this.#take()
        return { ...inner, from: token.from, to }
      })
    if (token.value !== '-') throw this.#refused('Enter a number, a name in brackets or a function.')
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

const signOf = (value: string): keyof typeof BINARY => (value === '+' || value === '-' || value === '*' ? value : '/')
