import type { QueuedMail } from './queued-mail'

/** What control, line break, direction and invisible characters are: none of them is seen, some change what is. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu
const DOT = '[.\u3002\uff0e\uff61\u2024\ufe52]'
const AT = '[@\uff20\ufe6b]'
const SLASH = '[/\\\\\u2044\u2215\uff0f\uff3c]'
const COLON = '[:\ufe55\uff1a]'
const LETTER = '[\\p{L}\\p{M}\\p{N}]'

/** Addresses as a whole: nothing of them says who somebody is. */
const ADDRESSES = [
  new RegExp(`\\S*${COLON}${SLASH}{2}\\S*`, 'gu'),
  new RegExp(`\\S*${AT}+\\S+|\\S+${AT}+`, 'gu'),
  new RegExp(`\\bwww\\S*${DOT}\\S*`, 'giu'),
]
/** `word:` of an address without slashes. */
const SCHEME = new RegExp(`\\b(https?|ftps?|file|mailto|tel|sms|data|javascript|skype|callto)${COLON}+`, 'giu')
/** A dot between two words, as in `example.com`: companies are called so, thus the words stay. */
const INNER_DOT = new RegExp(
  `(?<=\\S)${DOT}+(?=\\S*[\\p{L}\\p{M}])|(?<=${LETTER})${DOT}+(?=\\p{N}+${DOT}\\p{N}+${DOT})|(?<=${DOT}\\p{N}+)${DOT}+(?=\\p{N}+)`,
  'gu',
)
/** `//host` and `\\host` are opened as addresses too. */
const SLASHES = new RegExp(`${SLASH}{2,}`, 'gu')

/**
 * Text that somebody else chose, as a mail may carry it: nothing in it becomes a link in a mail program, breaks its line
 * or turns its direction. Addresses go; the dot of `example.com` becomes a blank.
 */
export function toPlainWords(text: string): string {
  let plain = text.replaceAll(UNSEEN, ' ')
  for (const address of ADDRESSES) plain = plain.replaceAll(address, ' ')
  plain = plain.replaceAll(SCHEME, '$1 ').replaceAll(SLASHES, ' ').replaceAll(INNER_DOT, ' ')
  return plain.replaceAll(/ +/g, ' ').trim()
}

export const MAIL_NAME_MAX_CHARS = 80

/** The name of a person, a workspace or a thing in a mail; `Unnamed` when nothing of it can be said. */
export function toMailName(name: string): string {
  const characters = Array.from(toPlainWords(name))
  if (characters.length === 0) return 'Unnamed'
  return characters.length <= MAIL_NAME_MAX_CHARS
    ? characters.join('')
    : `${characters
        .slice(0, MAIL_NAME_MAX_CHARS - 1)
        .join('')
        .trimEnd()}…`
}

/** Fields of orders that hold names, and those that hold more than a name; ids, roles and our own words are neither. */
const NAMES = new Set([
  'workspace',
  'inviter',
  'person',
  'from',
  'newOwner',
  'by',
  'name',
  'subject',
  'insight',
  'device',
])
const SENTENCES = new Set(['text', 'condition', 'sentence', 'line', 'lines', 'providers', 'provider'])

/**
 * An order whose words from other people can be mailed. Every template is given this one, so that none has to think of
 * it: subject, text and HTML say the same.
 */
export function withPlainNames(order: QueuedMail): QueuedMail {
  const plain: QueuedMail = JSON.parse(JSON.stringify(order), (key, value: unknown) => {
    if (NAMES.has(key) && typeof value === 'string') return toMailName(value)
    if (!SENTENCES.has(key)) return value
    if (Array.isArray(value))
      return value.map((line: unknown) => (typeof line === 'string' ? toPlainWords(line) : line))
    return typeof value === 'string' ? toPlainWords(value) : value
  })
  return plain
}
