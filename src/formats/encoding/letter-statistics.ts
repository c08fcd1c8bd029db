import type { Encoding } from '../../shared/data-sources/files'
import { createChunkDecoder } from './text-decoder'

/**
 * Letters beyond ASCII of some languages, the most frequent first. They are all that is needed to tell encodings apart: in
 * the wrong one the same bytes are letters that no language has side by side, signs amid words, or capitals after small letters.
 */
const LANGUAGES: readonly string[] = [
  'äöåé', // Swedish, Finnish
  'øåæéäö', // Danish, Norwegian
  'üäöß', // German
  'éàèêçôûùîâïëœ', // French
  'óíáéñúü', // Spanish
  'ãçéáíõêóàâôú', // Portuguese
  'àèòìùé', // Italian
  'éëïöü', // Dutch
  'áíðöéúóþæý', // Icelandic
  'äõüöšž', // Estonian
  'łóęążśćńź', // Polish
  'íáéěšžčřýůúňťďó', // Czech
  'áíéčšžľýťúôňďäŕĺó', // Slovak
  'áéöóíőüúű', // Hungarian
  'čšžćđ', // Croatian, Slovenian
  'ăşîţâșț', // Romanian
  'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё', // Russian
  'іїєґоеаинтсрвлкмдпуяьгзбчйхжшюцщф', // Ukrainian
]
const FREQUENT = 3
const [FREQUENT_WEIGHT, RARE_WEIGHT] = [1, 0.6]
/** By letter, in both cases, for each language. */
const WEIGHTS: readonly ReadonlyMap<string, number>[] = LANGUAGES.map((letters) => {
  const isAlphabet = letters.length > 20
  return new Map(
    Array.from(letters).flatMap((letter, at): [string, number][] => {
      const weight = isAlphabet || at < FREQUENT ? FREQUENT_WEIGHT : RARE_WEIGHT
      return [
        [letter, weight],
        [letter.toUpperCase(), weight],
      ]
    }),
  )
})
const [FOREIGN_LETTER, SIGN_AMID_WORD, ODD_CAPITAL, MIXED_ALPHABETS, UNREADABLE] = [-1, -1.5, -1, -2, -2]

const LETTER = /\p{L}/u
const UPPER = /\p{Lu}/u
const LOWER = /\p{Ll}/u
const CYRILLIC = /\p{Script=Cyrillic}/u
const ASCII_LETTER = /[A-Za-z]/
const APOSTROPHE = '’'
const KANA = /[\u3041-\u30ff]/
/** Kanji of daily use are encoded below this byte, rare ones from it on. */
const RARE_KANJI_FROM = 0x98
/** Signs of Chinese in daily use are encoded below this byte in Big5, rare ones from it on; what stands before them is marks. */
const BIG5 = { marksFrom: 0xa1, dailyFrom: 0xa4, rareFrom: 0xc7, tailBelow: 0x80 }
const [KANA_WEIGHT, KANJI_WEIGHT, RARE_KANJI, HALF_KANA] = [2, 1.6, -1, 0.2]

/** Those that are told apart here, the likelier first where nothing else decides. */
const CANDIDATES = ['windows-1252', 'cp850', 'macintosh', 'windows-1250', 'windows-1251', 'shift_jis', 'big5'] as const
type Candidate = (typeof CANDIDATES)[number]
/** Words that are looked at: more say nothing new. */
const WORDS_MAX = 3000

const isWordByte = (byte: number): boolean => byte >= 0x80 || ((byte | 0x20) - 0x61) >>> 0 < 26

/** Words with bytes above 0x7f, each with how often it comes. */
function wordsOf(windows: readonly Uint8Array[]): Map<string, { bytes: Uint8Array; count: number }> {
  const words = new Map<string, { bytes: Uint8Array; count: number }>()
  for (const window of windows) {
    let from = 0
    let hasHigh = false
    for (let at = 0; at <= window.length; at++) {
      const byte = window[at] ?? 0
      if (at < window.length && isWordByte(byte)) {
        hasHigh ||= byte >= 0x80
        continue
      }
      if (hasHigh) {
        // A trail byte of a Japanese sign may be none of a word.
        const bytes = window.subarray(from, Math.min(at + 1, from + 64))
        const key = bytes.join()
        const known = words.get(key)
        if (known) known.count++
        else if (words.size < WORDS_MAX) words.set(key, { bytes, count: 1 })
      }
      from = at + 1
      hasHigh = false
    }
  }
  return words
}

/** How well a word of these letters is one of a language, for each of them. */
function scoreWord(text: string, into: Float64Array): void {
  const signs = Array.from(text)
  signs.forEach((sign, at) => {
    if (sign < '\u0080') return
    const [before = '', after = ''] = [signs[at - 1], signs[at + 1]]
    if (!LETTER.test(sign)) {
      const isAmid = LETTER.test(before) && LETTER.test(after) && sign !== APOSTROPHE
      const cost = sign === '\ufffd' || (sign >= '\u0080' && sign < '\u00a0') ? UNREADABLE : isAmid ? SIGN_AMID_WORD : 0
      if (cost !== 0) for (let at = 0; at < into.length; at++) into[at] = (into[at] ?? 0) + cost
      return
    }
    let odd = UPPER.test(sign) && LOWER.test(before) ? ODD_CAPITAL : 0
    if (LOWER.test(sign) && UPPER.test(before) && UPPER.test(after)) odd += ODD_CAPITAL
    if (CYRILLIC.test(sign) && (ASCII_LETTER.test(before) || ASCII_LETTER.test(after))) odd += MIXED_ALPHABETS
    WEIGHTS.forEach((weights, language) => {
      into[language] = (into[language] ?? 0) + odd + (weights.get(sign) ?? FOREIGN_LETTER)
    })
  })
}

/** The same of Japanese, by what its signs are encoded as. */
function scoreJapanese(bytes: Uint8Array, text: string): number {
  let score = 0
  let at = 0
  let before = ''
  for (const sign of text) {
    const isMixed = sign >= '\u0080' ? ASCII_LETTER.test(before) : ASCII_LETTER.test(sign) && before >= '\u0080'
    if (isMixed) score += MIXED_ALPHABETS
    before = sign
    const byte = bytes[at] ?? 0
    const isHalf = byte >= 0xa1 && byte <= 0xdf
    at += byte < 0x80 || isHalf || sign === '\ufffd' ? 1 : 2
    if (byte < 0x80) continue
    if (sign === '\ufffd' || (sign >= '\ue000' && sign <= '\uf8ff')) score += UNREADABLE
    else if (isHalf) score += HALF_KANA
    else if (KANA.test(sign)) score += KANA_WEIGHT
    else score += byte < RARE_KANJI_FROM ? KANJI_WEIGHT : RARE_KANJI
  }
  return score
}

/**
 * The same of Chinese. Of its signs a third has a second byte of ASCII; where none has, it is another encoding of two bytes.
 */
function scoreChinese(bytes: Uint8Array, text: string): { score: number; tails: number } {
  let [score, tails, at] = [0, 0, 0]
  let before = ''
  for (const sign of text) {
    if (sign >= '\u0080' ? ASCII_LETTER.test(before) : ASCII_LETTER.test(sign) && before >= '\u0080')
      score += MIXED_ALPHABETS
    before = sign
    const byte = bytes[at] ?? 0
    if (byte >= BIG5.dailyFrom && (bytes[at + 1] ?? 0) < BIG5.tailBelow) tails++
    at += byte < 0x80 || sign === '\ufffd' ? 1 : 2
    if (byte < 0x80) continue
    if (sign === '\ufffd' || (sign >= '\ue000' && sign <= '\uf8ff')) score += UNREADABLE
    else if (byte >= BIG5.dailyFrom) score += byte < BIG5.rareFrom ? KANJI_WEIGHT : RARE_KANJI
    else if (byte >= BIG5.marksFrom) score += HALF_KANA
    else score += UNREADABLE
  }
  return { score, tails }
}

interface ScoredEncoding {
  encoding: Candidate
  score: number
  /** The words as they are read in it. */
  text: string
  /** What each of them adds, by the letters of the language that most of them are of, however often each comes. */
  byWord: number[]
}

function scoreEncoding(encoding: Candidate, words: ReturnType<typeof wordsOf>): ScoredEncoding {
  const total = new Float64Array(LANGUAGES.length)
  const distinct = new Float64Array(LANGUAGES.length)
  const one = new Float64Array(LANGUAGES.length)
  const isOfPairs = encoding === 'shift_jis' || encoding === 'big5'
  const byWord: number[][] = []
  let [pairs, tails] = [0, 0]
  let text = ''
  for (const { bytes, count } of words.values()) {
    // In other encodings what follows the word belongs to none of them.
    const decoder = createChunkDecoder(encoding)
    const word = decoder.decode(isOfPairs ? bytes : bytes.subarray(0, -1)).text + decoder.flush().text
    text += `${word}\n`
    if (encoding === 'big5') {
      const found = scoreChinese(bytes, word)
      pairs += count * found.score
      tails += found.tails
      continue
    }
    if (encoding === 'shift_jis') {
      pairs += count * scoreJapanese(bytes, word)
      continue
    }
    one.fill(0)
    scoreWord(word, one)
    one.forEach((score, language) => {
      total[language] = (total[language] ?? 0) + score * count
      distinct[language] = (distinct[language] ?? 0) + score
    })
    byWord.push(Array.from(one, (score) => score * count))
  }
  if (encoding === 'big5' && tails === 0) pairs = Number.NEGATIVE_INFINITY
  const score = isOfPairs ? pairs : Math.max(...total)
  const language = distinct.indexOf(Math.max(...distinct))
  return { encoding, score, text, byWord: byWord.map((scores) => scores[language] ?? 0) }
}

const SURE_SCORE = 0.45
const SURE_LEAD = 0.15
/** The lead by letter in the words that are read otherwise: few of them say enough where each says it plainly. */
const PLAIN_LEAD = 1
const PLAIN_LEAD_MIN = 4

const highBytesOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + Number(byte >= 0x80), 0)

/** Whether the words that two encodings read otherwise are plainly of the one. */
function isPlainly(best: ScoredEncoding, rival: ScoredEncoding, words: ReturnType<typeof wordsOf>): boolean {
  const [one, other] = [best.text.split('\n'), rival.text.split('\n')]
  let [lead, high] = [0, 0]
  for (const [at, { bytes, count }] of [...words.values()].entries()) {
    if (one[at] === other[at]) continue
    lead += (best.byWord[at] ?? 0) - (rival.byWord[at] ?? 0)
    high += count * highBytesOf(bytes)
  }
  return lead >= PLAIN_LEAD_MIN && lead >= PLAIN_LEAD * high
}

export interface LetterEvidence {
  encoding: Encoding
  /** False: the letters make little sense, or as much sense in another encoding. */
  isSure: boolean
}

/** The encoding of old kinds in which the bytes above 0x7f make the likeliest words of any language. */
export function detectByLetters(windows: readonly Uint8Array[]): LetterEvidence {
  const words = wordsOf(windows)
  let high = 0
  for (const { bytes, count } of words.values()) high += count * highBytesOf(bytes)
  if (high === 0) return { encoding: 'windows-1252', isSure: true }
  const ranked = CANDIDATES.map((encoding) => scoreEncoding(encoding, words)).sort((a, b) => b.score - a.score)
  const [best] = ranked
  if (!best) return { encoding: 'windows-1252', isSure: false }
  const rival = ranked.find(({ text }) => text !== best.text)
  const isAhead = !rival || best.score - rival.score >= high * SURE_LEAD || isPlainly(best, rival, words)
  return { encoding: best.encoding, isSure: best.score >= high * SURE_SCORE && isAhead }
}
