import { foldText } from '../../../../shared/bot/fold-text'
import { stemOf, tokensOf, typosAllowed, type Token } from '../language/words'
import { isAskingWord, isHarmless, isStructureWord } from '../language/stop-words'
import { genderCodesOf, isGenderHeading } from '../language/synonyms'
import { isYesNo } from '../schema/schema'
import { isBusinessWord } from '../language/business-words'
import { antonymOf, isDenialOf } from '../language/antonyms'
import { deniedColumns, isDayOf, isDatedVerb, isDeedOfAny, isDeedVerb, isPassive } from './verb-words'
import { besidePeriods, parseDates, type Piece, type Work } from './encode-dates'
import { ADJECTIVES } from './adjectives'
import { COMPARATIVES } from './comparatives'
import { splitCompounds } from './compounds'
import {
  HEADING_WORDS,
  isDone,
  isOrdered,
  isQuantityAlone,
  isUnitOfTime,
  SURE_NAME_SCORE,
  type Place,
  isHeadingOfPair,
} from './word-places'
import { columnsOfMeasuring, columnsOfVerb, COMPARING, isMeasured, NAME_SCORE, OF_MEASURE } from './measuring'
import { nameCountedValue } from './counted-values'
import {
  countWords,
  isAskedFigure,
  isMenSaid,
  isBeginning,
  isEdge,
  isParticiple,
  isParticle,
  phraseOf,
  phrasesOf,
  PHRASE_WORDS_MAX,
  spellingsOf,
} from './value-phrases'
import { tidy, type Encoded, type Mention, type ValueMention } from './encoded'
import type { Lexicon, LexiconMatch } from '../schema/lexicon'
import type { GlossaryEntry, ValueIndex, ValueMatch } from '../contract'
import type { Calendar } from '../../../../shared/dates'

const VALUES_PER_PHRASE = 12

export interface EncodeInput {
  lexicon: Lexicon
  values: ValueIndex
  calendar: Calendar
  /** Terms defined beside the question. */
  terms: readonly GlossaryEntry[]
}

/** Reads a question's words: what of it names things, stands in the data or says when. */
export async function encode(question: string, input: EncodeInput): Promise<Encoded> {
  const tokens = await splitCompounds(countWords(tokensOf(question)), input)
  const found = await input.values.find({ phrases: phrasesOf(tokens), limit: VALUES_PER_PHRASE })
  return encodeTokens(tokens, { ...input, found })
}

interface Known extends EncodeInput {
  found: ReadonlyMap<string, ValueMatch[]>
}

function encodeTokens(tokens: readonly Token[], known: Known): Encoded {
  const encoded: Encoded = {
    text: '',
    source: '',
    mentions: [],
    values: [],
    dates: [],
    dateWords: [],
    figures: [],
    defined: new Map(),
    spelt: new Map(
      tokens.flatMap(({ kind, word, text }) =>
        kind === 'word' && text.toLowerCase() !== word ? [[word, text.toLowerCase()]] : [],
      ),
    ),
    unknown: [],
  }
  const pieces: Piece[] = []
  const isFree = (from: number, to: number): boolean => pieces.every((each) => to <= each.from || each.to <= from)
  tokens.forEach((token, i) => {
    if (token.kind !== 'quote') return
    const matches = exactOnly(valuesOf(token.word, known))
    pieces.push({
      from: i,
      to: i + 1,
      mark: addValue(encoded, { text: token.text, phrase: token.word, matches, isQuoted: true }),
    })
  })
  longPhrases(tokens, known, { encoded, pieces, isFree })
  parseDates(tokens, known, { encoded, pieces, isFree })
  singleWords(tokens, known, { encoded, pieces, isFree })
  encoded.text = besidePeriods(textOf(tokens, pieces), encoded, known.calendar)
  encoded.source = encoded.text
  nameCountedValue(encoded, known.lexicon.schema)
  return encoded
}

const addMention = (
  encoded: Encoded,
  { lexicon }: Known,
  mention: Omit<Mention, 'namesDate' | 'namesNumber' | 'namesYesNo'>,
): string => {
  const ref = mention.matches[0]?.ref
  const column = ref?.kind === 'column' ? lexicon.schema.column(ref.dataset, ref.column) : undefined
  const namesDate = column?.isDate === true || (column?.isNumeric === true && column.words.at(-1) === 'year')
  const namesYesNo = column !== undefined && isYesNo(column)
  const namesNumber = column !== undefined && column.isNumeric && !column.isKey && !namesYesNo
  return `<m${encoded.mentions.push({ ...mention, namesDate, namesNumber, namesYesNo }) - 1}>`
}
const addValue = (encoded: Encoded, mention: ValueMention): string => `<v${encoded.values.push(mention) - 1}>`

const LONG_NAME_SCORE = 0.8
/** Names and values of several words, longest first. */
function longPhrases(tokens: readonly Token[], known: Known, { encoded, pieces, isFree }: Work): void {
  const longest = Math.max(known.lexicon.longest, PHRASE_WORDS_MAX)
  for (let length = Math.min(longest, tokens.length); length >= 2; length -= 1)
    for (let from = 0; from + length <= tokens.length; from += 1) {
      const span = tokens.slice(from, from + length)
      if (
        !isFree(from, from + length) ||
        span.some(({ kind, word }) => (kind === 'mark' && word !== '-') || kind === 'quote')
      )
        continue
      const words = span.filter(({ kind }) => kind !== 'mark')
      const isLoose = words.length >= 2 && !isEdge(words[0]) && isBeginning(words, 0)
      const ends =
        isEdge(words.at(-1)) ||
        (isEdge(words[0]) && isHeadingWhole(words, known)) ||
        (isParticle(words.at(-1)) && exactOnly(valuesOf(phraseOf(words), known)).length > 0)
      if (words.length < 2 || !(isEdge(words[0]) || isLoose) || !ends) continue
      const isAsking = isLoose || (words.every(({ word }) => isAskingWord(word)) && !isWholeName(words, known))
      const names = isAsking ? [] : namesOf(words, known)
      if (isThingDone(words, names, known) || isMeasured(words, tokens[from + length])) continue
      const values = isAskedFigure(tokens[from - 1], words[0]) ? [] : exactOnly(valuesOf(phraseOf(words), known))
      if ((names[0]?.score ?? 0) >= LONG_NAME_SCORE && (names[0]?.score ?? 0) >= (values.length > 0 ? 0.95 : 0))
        pieces.push({
          from,
          to: from + length,
          mark: addMention(encoded, known, { words: phraseOf(words), matches: names, isTypo: false }),
        })
      else if (values.length > 0)
        pieces.push({
          from,
          to: from + length,
          mark: addValue(encoded, { text: textIn(words), phrase: phraseOf(words), matches: values, isQuoted: false }),
        })
    }
}
/** "Customer registered": a thing and what it did, not one heading. */
const isThingDone = (words: readonly Token[], [best]: readonly LexiconMatch[], known: Known): boolean => {
  const last = words.at(-1)?.word ?? ''
  if (best?.ref.kind !== 'column' || !/[a-z]{3}ed$/.test(last)) return false
  const [thing] = namesOf(words.slice(0, -1), known)
  return (
    thing?.ref.kind === 'dataset' &&
    thing.score >= SURE_NAME_SCORE &&
    known.lexicon.schema.column(best.ref.dataset, best.ref.column)?.isDate === true
  )
}
/** `score_before`: a heading that ends with a word like "of". */
const isHeadingWhole = (words: readonly Token[], known: Known): boolean =>
  /^(?:before|after|from|to|by|since|until|in|out|on|off|up|down|av|till|fran)$/.test(words.at(-1)?.word ?? '') &&
  known.lexicon.find(words.map(({ word }) => word)).some(({ ref, score }) => ref.kind === 'column' && score >= 0.99)
const textIn = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ')
const isWholeName = (words: readonly Token[], known: Known): boolean => (namesOf(words, known)[0]?.score ?? 0) >= 0.96

function namesOf(tokens: readonly Token[], { lexicon, terms }: Known): LexiconMatch[] {
  const phrase = phraseOf(tokens)
  const term = terms.find((entry) => [entry.term, ...entry.synonyms].some((name) => isCalledSo(foldText(name), phrase)))
  if (term) return [{ ref: { kind: 'term', entry: term }, score: 1.2 }]
  return lexicon.find(tokens.map(({ word }) => word))
}
/** "Lagervärdet" of what was defined as lagervärde. */
const isCalledSo = (name: string, phrase: string): boolean =>
  name === phrase ||
  (name.length >= 6 &&
    phrase.startsWith(name) &&
    /^(?:s|t|n|et|en|na|rna|er|erna|ens|ets)$/.test(phrase.slice(name.length)))
const valuesOf = (phrase: string, known: Known): ValueMatch[] => {
  const { found, lexicon } = known
  const isOfGender = ({ dataset, column }: ValueMatch): boolean => {
    const words = lexicon.schema.dataset(dataset)?.columns.find(({ key }) => key === column)?.words
    return words !== undefined && isGenderHeading(words)
  }
  const codes = genderCodesOf(phrase)
  return spellingsOf(phrase).flatMap((spelling) => {
    const matches = found.get(spelling) ?? []
    if (spelling === phrase) return matches
    if (isParticiple(phrase) && phrase.startsWith(spelling))
      return matches.filter(({ how, dataset, column }) => how === 'exact' && isKind(known, dataset, column))
    if (isPassive(phrase))
      return matches.filter(
        ({ dataset, column }) => isKind(known, dataset, column) && !isDayOf(phrase, dataset, known.lexicon),
      )
    return codes.includes(spelling) ? matches.filter(isOfGender) : matches
  })
}
const exactOnly = (matches: readonly ValueMatch[]): ValueMatch[] => matches.filter(({ how }) => how === 'exact')

/** What remains: names and values of one word, then what is spelt nearly like one. */
function singleWords(tokens: readonly Token[], known: Known, { encoded, pieces, isFree }: Work): void {
  tokens.forEach((token, i) => {
    if (!isFree(i, i + 1) || token.kind !== 'word') return
    const place = { encoded, earlier: tokens[i - 2], before: tokens[i - 1], after: tokens[i + 1], later: tokens[i + 2] }
    const mark = singleWord(token, known, place)
    if (mark !== null) pieces.push({ from: i, to: i + 1, mark })
  })
}

/** Another word for a name says less than what the data hold. */
const SYNONYM_SCORE = 0.83
function singleWord(token: Token, known: Known, place: Place): string | null {
  const { word, text, isCapital } = token
  const { encoded } = place
  // "Våra" is nobody's article, though it reads like `vara` without its marks.
  if (/^v[åa]ra?$|^vårt$/iu.test(text) && text.includes('å')) return null
  const isCode = /^\p{Lu}{2,}$/u.test(text)
  const names = namesOf([token], known).filter(({ score, ref }) => score >= NAME_SCORE || ref.kind === 'term')
  const isTerm = names[0]?.ref.kind === 'term'
  if (isUnitOfTime(word) && (names[0]?.score ?? 0) < SURE_NAME_SCORE) return null
  // "Supplied by suppliers": who did it follows.
  if (
    /[a-z]{3}ed$/.test(word) &&
    place.after?.word === 'by' &&
    names[0]?.ref.kind === 'dataset' &&
    names[0].score < SURE_NAME_SCORE
  )
    return null
  // "Expired in 2022": the day of it, whatever a status is called.
  const isDated = isDatedVerb(word, place, known.lexicon)
  // "Users that reviewed …", where reviews are a table: what they did, whatever a heading is called.
  if (isDeedVerb(word, names, known.lexicon)) {
    encoded.unknown.push(text)
    return null
  }
  const priced =
    names.length === 0 && COMPARING.test(place.after?.word ?? '') ? columnsOfMeasuring(word, known.lexicon) : []
  if (priced.length > 0) return addMention(encoded, known, { words: word, matches: priced, isTypo: false })
  const kinds = isTerm || isDated || isDone(token, place) ? [] : kindsBeside(token, known, place)
  if (kinds.length > 0) return addValue(encoded, { text, phrase: word, matches: kinds, isQuoted: false })
  if (!isTerm && ((isStructureWord(word) && !isCapital && !isCode) || word.length === 0)) return null
  if (isQuantityAlone(token, names, place))
    return addMention(encoded, known, { words: word, matches: names, isTypo: false })
  // "count", "total", "name" ask for something unless they are exactly what a metric is called.
  const isAsking = isAskingWord(word) && names[0]?.ref.kind !== 'metric' && !isTerm && !isOrdered(token, names, place)
  if (isAsking) return nameColumnMark(word, names, { known, encoded })
  const all = valuesOf(word, known)
  const exact = exactOnly(all)
  const best = names[0]?.score ?? 0
  const isWeak = best < SURE_NAME_SCORE && (isCapital || isCode || best < SYNONYM_SCORE)
  const takesValue =
    !isDated &&
    !isDone(token, place) &&
    exact.length > 0 &&
    (isWeak || isKindOfThing(token, names, exact, { known, after: place.after }))
  if (takesValue && (isMenSaid(word, place.before) || !(isHarmless(word) && !isCapital && !isCode)))
    return addValue(encoded, { text, phrase: word, matches: exact, isQuoted: false })
  if (best > 0 && !(isHarmless(word) && best < SURE_NAME_SCORE && !isTerm))
    return addMention(encoded, known, { words: word, matches: names, isTypo: false })
  if (isHarmless(word) && !isCapital) return null
  return unsureWord(token, isDone(token, place) ? [] : all, { known, encoded })
}
/** "Closed tickets": how things stand, where a status is called so, and not the day of it. */
function isKindOfThing(
  { word }: Token,
  [best]: readonly LexiconMatch[],
  exact: readonly ValueMatch[],
  { known, after }: { known: Known; after: Token | undefined },
): boolean {
  const column =
    best?.ref.kind === 'column' ? known.lexicon.schema.column(best.ref.dataset, best.ref.column) : undefined
  const thing = after?.kind === 'word' ? namesOf([after], known)[0] : undefined
  return (
    /ed$/.test(word) &&
    column?.isDate === true &&
    (best?.score ?? 1) < 0.97 &&
    thing?.ref.kind === 'dataset' &&
    exact.some(({ dataset, column: key }) => dataset === column.dataset && isKind(known, dataset, key))
  )
}
const GENERIC_DEEDS = /^(?:placed|made|created|received|recorded|registered|sent|given|taken|submitted|issued|added)$/
const LINKING = /^(?:is|are|was|were|be|been|not|ar|var|inte|status|being|still|currently|either|or|eller)$/
/**
 * Values that a plain word is beside a thing or a verb of being: "sell orders", "are not done". And values whose own
 * column is named beside them: "high risk" of `risk_level`, whatever else is called high.
 */
function kindsBeside({ word, isCapital, text }: Token, known: Known, { before, after, later }: Place): ValueMatch[] {
  if (isCapital || word.length < 2) return []
  const exact = exactOnly(known.found.get(word) ?? [])
  if (exact.length === 0 || isHeadingOfPair(word, known.lexicon, { before, after })) return []
  const around = [before, after].flatMap((each) => (each?.kind === 'word' ? namesOf([each], known) : []))
  const own = exact.filter(({ dataset, column }) =>
    around.some(({ ref }) => ref.kind === 'column' && ref.dataset === dataset && ref.column === column),
  )
  if (own.length > 0 && !isStructureWord(word) && foldText(text) === word) return own
  // "Orders were placed": that there are any, whatever a status is called.
  if (/^(?:was|were|been)$/.test(before?.word ?? '') && GENERIC_DEEDS.test(word)) return []
  const isLinked = LINKING.test(before?.word ?? '') && (after === undefined || after.kind === 'mark')
  if (!isHarmless(word) || isAskingWord(word) || (isStructureWord(word) && word !== 'done' && !isLinked)) return []
  const listed = exact.filter(({ dataset, column }) => isKind(known, dataset, column))
  const done = doneOf(word, exact, { known, before })
  if (done.length > 0) return done
  // "High and critical cases": kinds of one column.
  const next = /^(?:and|or|och|eller)$/.test(after?.word ?? '') ? later : after
  const isBeforeKind =
    next?.kind === 'word' &&
    exactOnly(known.found.get(next.word) ?? []).some(({ dataset, column }) => isKind(known, dataset, column))
  const isBeside =
    isBeforeKind ||
    /^rates?$/.test(after?.word ?? '') ||
    (after?.kind === 'word' && (namesOf([after], known)[0]?.score ?? 0) >= SURE_NAME_SCORE) ||
    LINKING.test(before?.word ?? '')
  return isBeside ? listed : []
}
/** "People attended …": how things stand that are called before, where no day is called after the verb. */
function doneOf(
  word: string,
  exact: readonly ValueMatch[],
  { known, before }: { known: Known; before: Token | undefined },
): ValueMatch[] {
  const thing = before?.kind === 'word' && /ed$/.test(word) ? namesOf([before], known)[0] : undefined
  if (thing?.ref.kind !== 'dataset' || thing.score < SURE_NAME_SCORE) return []
  const id = thing.ref.dataset
  const isDated = known.lexicon.schema
    .dataset(id)
    ?.columns.some(({ isDate, words }) => isDate && words.some((each) => each.startsWith(word.slice(0, 5))))
  return isDated === true ? [] : exact.filter(({ dataset, column }) => dataset === id && isKind(known, dataset, column))
}
/** Of few values each says what kind of thing a row is. */
const isKind = ({ lexicon: { schema } }: Known, dataset: string, column: string): boolean =>
  schema.dataset(dataset)?.columns.some(({ key, source }) => key === column && source.values !== undefined) === true

/** "name", "date" and the like may be headings: kept as words that rules read, and named beside. */
function nameColumnMark(
  word: string,
  names: readonly LexiconMatch[],
  { known, encoded }: { known: Known; encoded: Encoded },
): string | null {
  // Names of many tables are told apart by what stands beside them.
  const isName = stemOf(word) === 'name'
  const columns = names.filter(
    ({ ref, score }) =>
      (ref.kind === 'column' || ref.kind === 'dataset') && score >= (isName || word === 'year' ? 0.9 : 0.96),
  )
  if (columns.length === 0 || !HEADING_WORDS.has(stemOf(word))) return null
  return addMention(encoded, known, { words: word, matches: columns, isTypo: false })
}
function unsureWord(
  token: Token,
  values: readonly ValueMatch[],
  { known, encoded }: { known: Known; encoded: Encoded },
): string | null {
  const { word, text, isCapital } = token
  const isRanking = /est$/.test(word) && !isCapital
  const partial = isRanking || word in COMPARATIVES ? [] : values.filter(({ how }) => how === 'word')
  if (isCapital && partial.length > 0)
    return addValue(encoded, { text, phrase: word, matches: partial, isQuoted: false })
  const denied = deniedName(word, known, encoded)
  if (denied !== null) return denied
  const verb = isHarmless(word) ? [] : columnsOfVerb(word, known.lexicon)
  // "Repaired", where repairs are a table: what was done, and no name that is spelt nearly so.
  if ((verb[0]?.score ?? 0) < SURE_NAME_SCORE && isDeedOfAny(word, known.lexicon)) {
    encoded.unknown.push(text)
    return null
  }
  const similar =
    verb.length === 0 && typosAllowed(word.length) > 0 && !isHarmless(word) && !isPassive(word) && !(word in ADJECTIVES)
      ? known.lexicon.similar(word)
      : []
  if ((similar[0]?.score ?? 0) >= 0.75)
    return addMention(encoded, known, { words: word, matches: similar, isTypo: true })
  if (verb.length > 0) return addMention(encoded, known, { words: word, matches: verb, isTypo: false })
  const typos = values.filter(({ how, value }) => how === 'typo' && !isDenialOf(word, foldText(value)))
  if (typos.length > 0 && !isHarmless(word) && !isBusinessWord(word))
    return addValue(encoded, { text, phrase: word, matches: typos, isQuoted: false })
  if (partial.length > 0 && !isHarmless(word) && !OF_MEASURE.test(word))
    return addValue(encoded, { text, phrase: word, matches: partial, isQuoted: false })
  encoded.unknown.push(text)
  return null
}
/** "Unresolved" where a column says what was resolved: that it was not. */
function deniedName(word: string, known: Known, encoded: Encoded): string | null {
  const other = antonymOf(word)
  const matches = other === undefined ? [] : deniedColumns(other, known.lexicon)
  if (other === undefined || matches.length === 0) return null
  return `not ${addMention(encoded, known, { words: other, matches, isTypo: false, isDenied: true })}`
}
function textOf(tokens: readonly Token[], pieces: readonly Piece[]): string {
  const starts = new Map(pieces.map((piece) => [piece.from, piece]))
  const words: string[] = []
  for (let i = 0; i < tokens.length; i += 1) {
    const piece = starts.get(i)
    words.push(piece?.mark ?? tokens[i]?.word ?? '')
    if (piece) i = piece.to - 1
  }
  return tidy(words.join(' '))
}
