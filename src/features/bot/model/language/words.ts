import { foldText } from '../../../../shared/bot/fold-text'
import { wordTable } from '../../../../lib/word-table'

/** A word, number, quoted text or mark of a question. */
export interface Token {
  /** As it was written. */
  text: string
  /** Folded; of a mark the mark itself. */
  word: string
  kind: 'word' | 'number' | 'quote' | 'mark' | 'date'
  /** Of numbers: `$30k` is 30000, `5 %` is 5. */
  value?: number
  /** Begins with a capital letter, and does not begin a sentence. */
  isCapital: boolean
  at: number
}

const QUOTED =
  /(?<![\p{L}\d])'([^'\n]{1,80}?)'(?![\p{L}\d])|"([^"\n]{1,80})"|“([^”\n]{1,80})”|`([^`\n]{1,80})`|”([^”\n]{1,80})”/u
/** "example.com", "@mail.se": one word, and no end of a sentence. */
const DOMAIN =
  /@?[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|net|org|edu|gov|info|io|ai|co|se|no|dk|fi|de|uk|eu|fr)(?![\p{L}\d])/u
const ISO_DATE = /\d{4}-\d{2}-\d{2}(?!\d)/
const NUMBER = /[$€£]?\d{1,3}(?:[,\u00a0 ]\d{3})+(?:\.\d+)?(?!\d)|[$€£]?\d+(?:\.\d+)?/
const WORD = /[\p{L}\p{M}\d]+(?:['’][\p{L}]+)*/u
const MARK = />=|<=|!=|[,.;:?!()=+*/%<>&-]/
const TOKEN = new RegExp(
  `(?<quote>${QUOTED.source})|(?<domain>${DOMAIN.source})|(?<date>${ISO_DATE.source})|(?<number>(?:${NUMBER.source})(?![\\p{L}_]|-\\d))|(?<word>${WORD.source})|(?<mark>${MARK.source})`,
  'gu',
)
const SIZE: Readonly<Record<string, number>> = wordTable({
  k: 1e3,
  thousand: 1e3,
  tusen: 1e3,
  million: 1e6,
  miljoner: 1e6,
  billion: 1e9,
})
const LARGE_NUMBER = /^([$€£]?)(\d+(?:\.\d+)?)(k|m|mn|bn)$/i
const LETTER_SIZE: Readonly<Record<string, number>> = wordTable({ k: 1e3, m: 1e6, mn: 1e6, bn: 1e9 })

/** The words of a question in their order. Nothing is left out but what is neither a letter, a digit nor a known mark. */
export function tokensOf(question: string): Token[] {
  const tokens: Token[] = []
  for (const found of question.matchAll(TOKEN)) {
    const token = tokenOf(found, tokens.at(-1))
    const size = SIZE[token.word]
    const before = tokens.at(-1)
    if (size !== undefined && before?.kind === 'number' && before.value !== undefined)
      tokens[tokens.length - 1] = { ...before, value: before.value * size, word: String(before.value * size) }
    else if (token.word !== '') tokens.push(token)
  }
  return tokens
}

function tokenOf(found: RegExpExecArray, before: Token | undefined): Token {
  const text = found[0]
  const at = found.index
  const { quote, domain, date, number } = found.groups ?? {}
  if (domain !== undefined) return { text, word: foldText(text), kind: 'quote', isCapital: true, at }
  if (quote !== undefined) {
    const inner = found.slice(2, 7).find((part) => part !== undefined) ?? text.slice(1, -1)
    return { text: inner, word: foldText(inner), kind: 'quote', isCapital: true, at }
  }
  if (date !== undefined) return { text, word: text, kind: 'date', isCapital: false, at }
  if (number !== undefined) return numberToken(text, Number(text.replaceAll(/[^\d.]/g, '')), at)
  const large = LARGE_NUMBER.exec(text)
  if (large) return numberToken(text, Number(large[2]) * (LETTER_SIZE[(large[3] ?? '').toLowerCase()] ?? 1), at)
  const isMark = found.groups?.['mark'] !== undefined
  const startsSentence = before === undefined || (before.kind === 'mark' && /[.?!:;]/.test(before.word))
  const isCapital = /^\p{Lu}/u.test(text) && !startsSentence
  return { text, word: isMark ? text : foldText(text), kind: isMark ? 'mark' : 'word', isCapital, at }
}
const numberToken = (text: string, value: number, at: number): Token => ({
  text,
  word: String(value),
  kind: 'number',
  value,
  isCapital: false,
  at,
})

const IRREGULAR: Readonly<Record<string, string>> = wordTable({
  people: 'person',
  men: 'man',
  women: 'woman',
  children: 'child',
  data: 'data',
  series: 'series',
  staff: 'staff',
  has: 'has',
  was: 'was',
  its: 'its',
  his: 'his',
  yes: 'yes',
  does: 'does',
  gas: 'gas',
  criteria: 'criterion',
  ids: 'id',
})
/** A noun in the singular, by English endings; the same of both sides of a comparison, and not always a word. */
export function stemOf(word: string): string {
  const known = IRREGULAR[word]
  if (known !== undefined) return known
  if (word.length <= 2) return word
  if (/(?:naly|gno|the|cri)ses$/.test(word)) return `${word.slice(0, -2)}is`
  if (/ies$/.test(word)) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:ss|sh|ch|x|zz|us)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) && !/is$/.test(word) ? word.slice(0, -1) : word
}

const SWEDISH_ENDINGS = /(?:arnas|ernas|ornas|arna|erna|orna|aren|aret|ens|ets|ars|ers|ar|er|or|en|et|na|an|n|t|a)$/
/** A word without a Swedish ending: `kunderna` and `kund` meet in `kund`. Loose: it also cuts what is no ending. */
export function looseStemOf(word: string): string {
  const cut = word.replace(SWEDISH_ENDINGS, '')
  return cut.length >= 3 ? cut : word
}

/** Words of a heading: `shipVia`, `net_amount`, `À-pris` → `ship via`, `net amount`, `a pris`. */
export const labelWords = (label: string): string[] =>
  foldText(
    label
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replaceAll('_', ' '),
  )
    .split(' ')
    .filter((word) => word !== '')

/** Letters to insert, remove, replace or swap until one text is the other; `most` + 1 when there are more. */
export function editDistance(one: string, two: string, most: number): number {
  if (Math.abs(one.length - two.length) > most) return most + 1
  let [earlier, previous]: [number[], number[]] = [[], Array.from({ length: two.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= two.length; j += 1) {
      const isSame = one[i - 1] === two[j - 1]
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === two[j - 2] && one[i - 2] === two[j - 1])
        best = Math.min(best, (earlier[j - 2] ?? 0) + 1)
      row.push(best)
    }
    if (Math.min(...row) > most) return most + 1
    ;[earlier, previous] = [previous, row]
  }
  return previous[two.length] ?? most + 1
}
/** Letters that a word of this length may have wrong. */
export const typosAllowed = (length: number): number => (length >= 9 ? 2 : length >= 5 ? 1 : 0)
