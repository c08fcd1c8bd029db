import type { Column } from '../../../shared/data-sources/data-sources'
import type { SensitiveColumn } from '../../../shared/data-access/data-access'
import type { Cell } from '../../../shared/query/result'

type Kind = SensitiveColumn['kind']

/** Of the values looked at, so many must be of a kind. */
const SHARE_MIN = 0.6
const VALUES_MIN = 3

/** Names that say what a column holds, whatever its values are like; Swedish and English. */
const NAMES: [kind: Kind, name: RegExp][] = [
  ['personalNumber', /person(?:al)?[ _-]?(?:nummer|number|nr|id)|\bpnr\b|\bssn\b|social security/i],
  [
    'salary',
    /\b(?:salary|salaries|wage|wages|pay ?grade)\b|(?:^|\b|_)(?:lön|grundlön|månadslön|timlön|årslön)(?:$|\b|_)/iu,
  ],
  ['bankAccount', /\biban\b|bank[ _-]?account|bankkonto|kontonummer|clearing/i],
]
/** What values of a kind look like. */
const VALUES: [kind: Kind, fits: (text: string) => boolean][] = [
  ['email', (text) => /^[^\s@]{1,64}@[^\s@]{1,190}\.[a-z]{2,24}$/i.test(text)],
  ['personalNumber', isPersonalNumber],
  ['bankAccount', isIban],
  ['phone', (text) => /^\+\d[\d ()-]{6,18}$/.test(text)],
]

/** What private thing a column holds, by its name or by most of its values; null: none. */
export function sensitiveKind({ label, type }: Pick<Column, 'label' | 'type'>, values: readonly Cell[]): Kind | null {
  const named = NAMES.find(([, name]) => name.test(label))
  if (named) return named[0]
  if (type !== 'text' && type !== 'integer') return null
  const texts = values.flatMap((value) => (value === null || typeof value === 'boolean' ? [] : [String(value).trim()]))
  if (texts.length < VALUES_MIN) return null
  const found = VALUES.find(([, fits]) => texts.filter(fits).length >= SHARE_MIN * texts.length)
  return found ? found[0] : null
}

/**
 * A Swedish personal identity number: a day of birth, three digits and a check digit by the Luhn algorithm (Swedish Tax
 * Agency, SKV 704).
 */
function isPersonalNumber(text: string): boolean {
  const parts = /^(?:19|20)?(\d{2})(\d{2})(\d{2})[-+]?(\d{4})$/.exec(text)
  if (!parts) return false
  const [, year = '', month = '', day = '', last = ''] = parts
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) % 60 >= 1 && Number(day) % 60 <= 31
  return isDay && luhnSum(`${year}${month}${day}${last}`) % 10 === 0
}
function luhnSum(digits: string): number {
  let sum = 0
  for (const [at, digit] of Array.from(digits).entries()) {
    const weighted = Number(digit) * (at % 2 === 0 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum
}

/** An international bank account number: its remainder by 97 is 1, letters counted from 10 on (ISO 13616). */
function isIban(text: string): boolean {
  const plain = text.replace(/ /g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false
  let remainder = 0
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}
