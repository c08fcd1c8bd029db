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
export type FormulaToken = TextSpan &
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
export function tokenize(text: string): { tokens: FormulaToken[]; errors: FormulaError[] } {
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
    return value === '' ? { from, to, message: 'Put a name between the brackets.' } : { kind: 'name', value, from, to }
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
  return { from, to, message: `“${character}” has no meaning in a formula: take it out.` }
}

function numberToken(text: string, from: number): FormulaToken | FormulaError {
  const value = Number(text)
  const to = from + text.length
  return Number.isFinite(value)
    ? { kind: 'number', value, from, to }
    : { from, to, message: 'This number is too large.' }
}
