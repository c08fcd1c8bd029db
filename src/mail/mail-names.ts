import type { QueuedMail } from './queued-mail'

/** What control, line break, direction and invisible characters are: none of them is seen, some change what is. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu
const DOTS = '.\u3002\uff0e\uff61\u2024\ufe52'
const COLON = '[:\ufe55\uff1a]'
const SLASH = '[/\\\\\u2044\u2215\uff0f\uff3c]'

const SCHEME_SLASHES = new RegExp(`${COLON}${SLASH}{2}`, 'u')
const AT = /[@\uff20\ufe6b]/u
const WWW = /\bwww/iu
const MENTION = /^@[\p{L}\p{M}'’-]+[.,:;!?)]*$/u
const ANY_DOT = new RegExp(`[${DOTS}]`, 'u')
const DOT_RUN = new RegExp(`([${DOTS}]+)`, 'u')
const LONG_DOT_RUN = new RegExp(`[${DOTS}]{4,}`, 'gu')
const COLON_RUN = new RegExp(`${COLON}{2,}`, 'gu')
/** `word:` of an address without slashes. */
const SCHEME = new RegExp(`\\b(https?|ftps?|file|mailto|tel|sms|data|javascript|skype|callto)${COLON}`, 'giu')
/** `//host` and `\\host` are opened as addresses too. */
const SLASHES = new RegExp(`${SLASH}{2,}`, 'gu')
const PORT = new RegExp(`${COLON}(?=\\p{N})`, 'gu')

const LETTER = /[\p{L}\p{M}]/u
const ENDS_IN_LETTER = /[\p{L}\p{M}]$/u
const ENDS_IN_LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]$/u
const STARTS_WITH_DIGIT = /^\p{N}/u
const DIGITS = /^\p{N}+$/u
/** Of files of data; none of them ends an address. */
const FILE_ENDING = /^(?:csv|tsv|txt|jsonl?|ndjson|xls[xmb]?|ods|parquet|sie|pdf)$/iu
const UNUSUAL_DOT = new RegExp(`[${DOTS.slice(1)}]`, 'u')

/** Words are looked at one by one. Every pattern takes time proportional to the text: whoever wrote it chose its length. */
const eachWord = (text: string, clean: (word: string) => string): string => text.split(' ').map(clean).join(' ')

/** Addresses as a whole: nothing of them says who somebody is. */
function dropAddress(word: string): string {
  // Somebody who is mentioned: nothing stands before the sign, so that it is no address.
  if (SCHEME_SLASHES.test(word) || (AT.test(word) && !MENTION.test(word) && word.length > 1)) return ''
  const www = word.search(WWW)
  return www >= 0 && ANY_DOT.test(word.slice(www)) ? word.slice(0, www) : word
}

/** `host:80` loses its colon; a time of day keeps it. */
function splitPort(word: string): string {
  const letter = word.search(LETTER)
  return letter < 0 ? word : word.replaceAll(PORT, (colon, at: number) => (letter < at ? ' ' : colon))
}

/** A dot between two words, as in `example.com`: companies are called so, thus the words stay. Figures keep theirs. */
function splitAtDots(word: string): string {
  // Words at even places, runs of dots at odd ones.
  const parts = word.split(DOT_RUN)
  const lastLettered = parts.findLastIndex((part) => LETTER.test(part))
  const clean = parts.map((part, at) => {
    if (at % 2 === 0) return part
    const [before = '', after = ''] = [parts[at - 1], parts[at + 1]]
    if (at === 1 && before === '') return after === '' ? part : '.'
    if (after === '') return part
    // The end of a file's name is no end of a host's.
    if (part === '.' && before !== '' && at === parts.length - 2 && FILE_ENDING.test(after)) return part
    const isHost = lastLettered > at || (ENDS_IN_LETTER.test(before) && STARTS_WITH_DIGIT.test(after))
    return isHost || UNUSUAL_DOT.test(part) || isAddressDot(parts, at) ? ' ' : part
  })
  return clean.join('')
}

/** Whether the dots at this place stand in `1.2.3.4`, which is opened as an address. */
function isAddressDot(parts: readonly string[], at: number): boolean {
  const part = (offset: number): string => parts[at + offset] ?? ''
  const isLater = at >= 3 && DIGITS.test(part(-1)) && STARTS_WITH_DIGIT.test(part(1))
  const isFirst =
    ENDS_IN_LETTER_OR_DIGIT.test(part(-1)) && DIGITS.test(part(1)) && DIGITS.test(part(3)) && part(4) !== ''
  return isLater || isFirst
}

/** Nothing longer goes into a mail. */
const TEXT_MAX_CHARS = 10_000
/** Half of a character that was cut in two. */
const CUT_CHARACTER = /[\ud800-\udbff]$/

/**
 * Text that somebody else chose, as a mail may carry it: nothing in it becomes a link in a mail program, breaks its line
 * or turns its direction. Addresses go; the dot of `example.com` becomes a blank.
 */
export function toPlainWords(text: string): string {
  const seen = text.slice(0, TEXT_MAX_CHARS).replace(CUT_CHARACTER, '').replaceAll(UNSEEN, ' ')
  const words = eachWord(seen, dropAddress)
    .replaceAll(COLON_RUN, ':')
    .replaceAll(LONG_DOT_RUN, '...')
    .replaceAll(SCHEME, '$1 ')
    .replaceAll(SLASHES, ' ')
  return eachWord(eachWord(words, splitPort), splitAtDots).replaceAll(/ +/g, ' ').trim()
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
  'report',
  'device',
  'source',
  'dataset',
  'fileName',
])
const SENTENCES = new Set(['text', 'message', 'condition', 'sentence', 'line', 'lines', 'providers', 'provider'])

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
