import { isVerb, M, marksIn, numberIn, Q, tidy, V, type Encoded } from './encoded'
import type { MeasureAsk } from './measure-ask'
import type { Aggregate } from '../../../../shared/query/functions'

/** Words before a noun that say nothing of which figure is meant. */
export const DET =
  '(?:(?:the|all|all the|a|an|any|their|its|his|her|our|your|my|each|every|of|de|alla|respective|such|those|these) )*'
const DISTINCT = '(?:unique|distinct|different|olika|unika)'
const COUNT_WORD = '(?:number|count|counts|numbers|quantity|nr|antal|antalet)'

interface Rule {
  pattern: RegExp
  /** The figure it asks for; null leaves the text as it is. */
  read: (found: RegExpExecArray, encoded: Encoded) => MeasureAsk | null
}
const rule = (source: string, read: Rule['read']): Rule => ({
  pattern: new RegExp(`(?<![\\w])${source}(?![\\w])`),
  read,
})

const AGGREGATE_WORDS: readonly [string, Aggregate][] = [
  ['average|avg|mean|medel|genomsnittlig|genomsnittliga|genomsnitt', 'avg'],
  ['total|sum|summed|combined|aggregate|aggregated|cumulative total|totala|totalt|summa|sammanlagda|overall', 'sum'],
  ['median', 'median'],
  ['maximum|max', 'max'],
  ['minimum|min', 'min'],
]
const AGGREGATE = AGGREGATE_WORDS.map(([words]) => words).join('|')
const aggregateOf = (word: string): Aggregate =>
  AGGREGATE_WORDS.find(([words]) => words.split('|').includes(word))?.[1] ?? 'sum'
const figureIn = (mark: string | undefined, { figures }: Encoded): MeasureAsk | null => {
  if (mark === undefined) return null
  const [figure] = marksIn(mark, 'q')
  return figure === undefined ? named(mark) : (figures[figure] ?? null)
}
const named = (mark: string): MeasureAsk => ({ kind: 'named', of: numberIn(mark) })

const refersTo = (encoded: Encoded, mention: number, kind: 'dataset' | 'column'): boolean =>
  encoded.mentions[mention]?.matches[0]?.ref.kind === kind

const DURATION_AGGREGATES: readonly [RegExp, Aggregate][] = [
  [/average|avg|mean/, 'avg'],
  [/longest|max/, 'max'],
  [/shortest|min|fastest|quickest/, 'min'],
  [/median/, 'median'],
  [/total/, 'sum'],
]
function durationOf(found: RegExpExecArray): MeasureAsk {
  const { agg = '', unit = '', from, to } = found.groups ?? {}
  const isHours = /hour/.test(unit)
  return {
    kind: 'duration',
    agg: DURATION_AGGREGATES.find(([words]) => words.test(agg))?.[1] ?? 'avg',
    unit: isHours ? 'hour' : /minute/.test(unit) ? 'minute' : 'day',
    from: numberIn(from),
    to: numberIn(to),
  }
}

/** "Average length of treatments in days": from where they begin to where they end. */
function spanOf(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const { agg = '', also = '', unit = also, of } = found.groups ?? {}
  if (!refersTo(encoded, numberIn(of), 'dataset')) return null
  return {
    kind: 'span',
    agg: DURATION_AGGREGATES.find(([words]) => words.test(agg))?.[1] ?? 'avg',
    unit: /hour/.test(unit) ? 'hour' : /minute/.test(unit) ? 'minute' : 'day',
    of: numberIn(of),
  }
}

/** "What is the highest price" asks for a figure; "with the highest price" ranks. */
const SUPERLATIVE_FIGURE = '(?:what (?:is|was|are|were)|whats|show|give me|find|return|and|,) (?:the )?'

const RULES: readonly Rule[] = [
  rule(
    `(?<agg>average |avg |mean |longest |shortest |median |total |maximum |minimum )(?:length |duration |time )(?:of |for )?${DET}(?<of>${M})(?: in (?<unit>days|hours|minutes))?`,
    (found, encoded) => spanOf(found, encoded),
  ),
  rule(
    `(?<agg>average |avg |mean |longest |shortest |median )${DET}(?<of>${M})(?: (?:length|duration)(?: in (?<unit>days|hours|minutes))?| in (?<also>days|hours|minutes))`,
    (found, encoded) => spanOf(found, encoded),
  ),
  rule(
    `(?:how many|hur manga) ${DET}(${M}) (?:are there |is there |finns det )?(?:per|for each|in each|by|each|for every) (${M}) (?:on average|in average|i genomsnitt|i snitt)`,
    (found) => ({
      kind: 'perGroup',
      agg: 'avg',
      of: { kind: 'count', of: numberIn(found[1]), distinct: false },
      by: numberIn(found[2]),
    }),
  ),
  rule(
    `(?<agg>average |avg |mean |longest |shortest |median |total )?(?:number of |amount of |time in |duration in )?(?<unit>days|hours|minutes|time|duration|tenure) (?:it takes |it took |taken |elapsed |passed |in days )?(?:from|between) (?:being |when |getting )?${DET}(?<from>${M}) (?:and|to|until|till) (?:being |when |getting )?${DET}(?<to>${M})`,
    durationOf,
  ),
  rule(`(?:the )?(?:share|percentage|percent|proportion|andel|andelen) (?:of|av) ${DET}(${M})`, (found, encoded) =>
    refersTo(encoded, numberIn(found[1]), 'dataset')
      ? { kind: 'share', of: { kind: 'count', of: numberIn(found[1]), distinct: false }, percent: true, values: [] }
      : null,
  ),
  rule(
    `(?:the )?(?:share|percentage|percent|proportion|andel|andelen) (?:of|av) (?:the )?(?:total |overall |all )?(${M})`,
    (found, encoded) =>
      encoded.mentions[numberIn(found[1])]?.namesNumber === true
        ? { kind: 'share', of: { kind: 'aggregate', agg: 'sum', of: numberIn(found[1]) }, percent: true, values: [] }
        : null,
  ),
  rule(`${COUNT_WORD} of ${DET}${DISTINCT} ${DET}(?:${M} )?(${M})`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: true,
  })),
  rule(`(?:how many|hur manga) ${DET}${DISTINCT} (?:${M} )?(${M})`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: true,
  })),
  rule(`(?:total )?${DISTINCT} (${M}) (?:count|counts)`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: true,
  })),
  rule(
    `(?:average|avg|mean) ${COUNT_WORD} of ${DET}(${M}) (?:\\w+ )?(?:per|by|for each|for every|each|every|in each) ${DET}(?:[a-z]+ing |active |distinct |unique )?(${M})`,
    (found, encoded) =>
      encoded.mentions[numberIn(found[1])]?.namesNumber === true
        ? null
        : {
            kind: 'perGroup',
            agg: 'avg',
            of: { kind: 'count', of: numberIn(found[1]), distinct: false },
            by: numberIn(found[2]),
          },
  ),
  rule(`(?:average|avg|mean|genomsnittligt?|median) ${COUNT_WORD} (?:of |av )?${DET}(${M})`, (found, encoded) =>
    encoded.mentions[numberIn(found[1])]?.namesNumber === true
      ? { kind: 'aggregate', agg: found[0].startsWith('median') ? 'median' : 'avg', of: numberIn(found[1]) }
      : null,
  ),
  rule(
    `(?:ratio|kvoten) (?:of|between|mellan) (?:the )?(?:number of )?(${V}) (${M})(?: (?:trades|ones))? (?:to|and|over|och) (?:the )?(?:number of )?(${V})(?: ${M})?`,
    (found) => ({
      kind: 'calc',
      op: 'divide',
      left: countOnly(found[2], found[1]),
      right: countOnly(found[2], found[3]),
    }),
  ),
  rule(`(?:(?<agg>total|average|avg) )?(?:amount|value|volume) of ${DET}(${M})`, (found, encoded) =>
    amountOf(found, encoded),
  ),
  rule(`(?:(?:total|overall|combined|totala) )?${COUNT_WORD} (?:of |av )?${DET}(${M}) (${M})`, twoNames),
  rule(`(?:how many|hur manga) ${DET}(${M}) (${M})`, twoNames),
  rule(`(?:(?:total|overall|combined|totala|exact) )?${COUNT_WORD} (?:of |av )${DET}(${M})`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: false,
  })),
  rule(`(?:antal|antalet) (${M})`, (found) => ({ kind: 'count', of: numberIn(found[1]), distinct: false })),
  rule(`(?:how many|hur manga) ${DET}(?:total )?(${M})`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: false,
  })),
  rule(
    `^(?:when|nar|on (?:which|what) (?:day|date)|what (?:is|was) the (?:date|day) of) (?:was |is |did |were |var |ar )?(?:the )?(?<end>first|earliest|oldest|last|latest|most recent|newest|senaste|forsta) (?=${M})`,
    (found) => ({
      kind: 'moment',
      agg: /first|earliest|oldest|forsta/.test(found[0]) ? 'min' : 'max',
    }),
  ),
  rule(`(?:total |overall )?(${M}) (?:count|counts)`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: false,
  })),
  rule(`(?:total|overall|combined) (${Q})`, (found, encoded) => figureIn(found[1], encoded)),
  rule(`(?<agg>${AGGREGATE})(?: (?:value|amount))?(?: (?:of|for|av))? ${DET}${DISTINCT} (${M})`, (found) => ({
    kind: 'count',
    of: numberIn(found[2]),
    distinct: true,
  })),
  rule(`(?<agg>${AGGREGATE})(?: (?:value|amount))? (?:of |av )?${DET}(${M}) (${M})`, (found, encoded) =>
    refersTo(encoded, numberIn(found[2]), 'dataset')
      ? { kind: 'aggregate', agg: aggregateOf(found[1] ?? ''), of: numberIn(found[3]) }
      : null,
  ),
  rule(
    `(?<agg>${AGGREGATE})(?: (?:value|amount))? (?:of |av )?${DET}(${M})(?: (?:amount|amounts|value|figure)(?! of))?`,
    (found) => ({
      kind: 'aggregate',
      agg: aggregateOf(found[1] ?? ''),
      of: numberIn(found[2]),
    }),
  ),
  rule(
    `^(?:storsta|hogsta|lagsta|minsta|langsta|kortaste) (${M})(?= (?:pa|i|for|av|per|fran|bland)|$| [?.,])`,
    (found, encoded) =>
      isFigureMention(encoded, numberIn(found[1]))
        ? { kind: 'aggregate', agg: /^(?:lag|min|kort)/.test(found[0]) ? 'min' : 'max', of: numberIn(found[1]) }
        : null,
  ),
  rule(
    `(?<=${SUPERLATIVE_FIGURE})(?<sup>highest|largest|biggest|greatest|lowest|smallest|longest|shortest) ${DET}(${M})(?= (?:of|for|by|per|in|from|among|across|each|on|<d)|$| [?.,])`,
    (found, encoded) =>
      isFigureMention(encoded, numberIn(found[2]))
        ? { kind: 'aggregate', agg: /^(low|small|short)/.test(found[1] ?? '') ? 'min' : 'max', of: numberIn(found[2]) }
        : null,
  ),
  rule(
    `(?:total )?number of (?:days|hours|minutes)(?! (?:between|from))`,
    (_, encoded) => encoded.figures.find(({ kind }) => kind === 'duration') ?? null,
  ),
  rule('(?:total|overall|sum|totala) (?:amount|value|sum|summa)(?: of)?(?! <)', () => ({ kind: 'amount' })),
  rule(`(?<=, |and )(<d\\d+>) (${M})(?: count)?`, (found, encoded) =>
    encoded.dates[numberIn(found[1])]?.kind === 'part' && refersTo(encoded, numberIn(found[2]), 'dataset')
      ? { kind: 'count', of: numberIn(found[2]), distinct: false, only: { values: [], dates: [numberIn(found[1])] } }
      : null,
  ),
  rule(
    `(${Q}) (?:[(] )?(?:based on|calculated from|computed from|measured by|using) ${DET}(${M})(?: [)])?`,
    (found, encoded) => {
      const figure = figureIn(found[1], encoded)
      return figure?.kind === 'aggregate' ? { ...figure, of: numberIn(found[2]) } : null
    },
  ),
  rule(
    `(?:difference|gap|range|spread) between ${DET}(?:highest|largest|maximum|max|greatest|longest) and ${DET}(?:lowest|smallest|minimum|min|shortest) ${DET}(${M})`,
    (found) => extremes(found[1]),
  ),
  rule(
    `(?:difference|gap|range|spread) between ${DET}(?:highest|largest|maximum|max|greatest|longest) ${DET}(${M}) and ${DET}(?:lowest|smallest|minimum|min|shortest) ${DET}${M}`,
    (found) => extremes(found[1]),
  ),
  rule(`(?:difference between|change between) ${DET}(${Q}|${M}) and ${DET}(${Q}|${M})`, (found, encoded) =>
    calc('subtract', found, encoded),
  ),
  rule(`ratio (?:of|between) ${DET}(${Q}|${M}) (?:to|and|over) ${DET}(${Q}|${M})`, (found, encoded) =>
    calc('divide', found, encoded),
  ),
  rule(`(${Q}|${M}) to (${Q}|${M}) ratio`, (found, encoded) => calc('divide', found, encoded)),
  rule(`(${Q}|${M}) (?:divided by|delat med|/) ${DET}(${Q}|${M})`, (found, encoded) => calc('divide', found, encoded)),
  rule(`(${Q}|${M}) (?:multiplied by|times|ganger|[*]) ${DET}(${Q}|${M})`, (found, encoded) =>
    calc('multiply', found, encoded),
  ),
  rule(`(${Q}|${M}) (?:minus|less|subtracted by) ${DET}(${Q}|${M})`, (found, encoded) =>
    calc('subtract', found, encoded),
  ),
  rule(`(${Q}|${M}) (?:plus|[+]) ${DET}(${Q}|${M})`, (found, encoded) => calc('add', found, encoded)),
  rule(`(?<agg>${AGGREGATE}) (?:of )?${DET}(${Q})`, (found, encoded) => {
    const figure = figureIn(found[2], encoded)
    return figure?.kind === 'calc' ? { ...figure, agg: aggregateOf(found[1] ?? '') } : null
  }),
]

const extremes = (mark: string | undefined): MeasureAsk => ({
  kind: 'calc',
  op: 'subtract',
  left: { kind: 'aggregate', agg: 'max', of: numberIn(mark) },
  right: { kind: 'aggregate', agg: 'min', of: numberIn(mark) },
})
/** "Buy trades": only those that hold the value. */
const countOnly = (of: string | undefined, value: string | undefined): MeasureAsk => ({
  kind: 'count',
  of: numberIn(of),
  distinct: false,
  only: { values: [numberIn(value)], dates: [] },
})
/** "the amount of payments" is their money; of what has none it is their number. */
function amountOf(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const of = numberIn(found[2])
  const isAverage = /^av/.test(found[1] ?? '')
  return refersTo(encoded, of, 'dataset')
    ? { kind: 'aggregate', agg: isAverage ? 'avg' : 'sum', of, money: true }
    : { kind: 'aggregate', agg: isAverage ? 'avg' : 'sum', of }
}
/** "number of car sales": the last name is what is counted; of two columns, the first. */
function twoNames(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const [one, two] = [numberIn(found[1]), numberIn(found[2])]
  const ofTwo = refersTo(encoded, two, 'dataset') || refersTo(encoded, two, 'column')
  // "How many students major in …": a heading that a condition begins with is not counted.
  const isCondition = /^ ?(?:in|at|as|from|is|are|=|<v|<d|not|over|above|under|below|between|more|less)/.test(
    found.input.slice(found.index + found[0].length),
  )
  if (isCondition && !refersTo(encoded, two, 'dataset')) return null
  return refersTo(encoded, one, 'dataset') && ofTwo ? { kind: 'count', of: two, distinct: false } : null
}
function calc(
  op: 'add' | 'subtract' | 'multiply' | 'divide',
  found: RegExpExecArray,
  encoded: Encoded,
): MeasureAsk | null {
  const [left, right] = [figureIn(found[1], encoded), figureIn(found[2], encoded)]
  return left && right ? { kind: 'calc', op, left, right } : null
}
/** Whether the best meaning of a name may be added up or compared in size. */
function isFigureMention(encoded: Encoded, mention: number): boolean {
  const kind = encoded.mentions[mention]?.matches[0]?.ref.kind
  return kind === 'column' || kind === 'metric' || kind === 'term'
}

/** "number of customer visits": a word that nothing knows and that follows what is counted is another name for it. */
function takeAliases(encoded: Encoded): void {
  const counted = new RegExp(`(?:number|count) of ${DET}(${M}) (\\p{L}+)`, 'u')
  const found = counted.exec(encoded.text)
  const [, mark, word = ''] = found ?? []
  if (!found || !encoded.unknown.some((each) => each.toLowerCase() === word)) return
  encoded.text = encoded.text
    .replace(`${mark ?? ''} ${word}`, mark ?? '')
    .replaceAll(new RegExp(`\\b(?:total|total number of|number of) ${word}\\b`, 'g'), `number of ${mark ?? ''}`)
}

/** Replaces what asks for a figure by `<q0>`, `<q1>` …, the inner before the outer. */
export function takeFigures(encoded: Encoded): void {
  // "total quarterly sales": the unit of time stands before the figure.
  encoded.text = encoded.text
    .replaceAll(new RegExp(`\\b((?:total|average|avg|sum of|number of|median) )(<d\\d+>) `, 'g'), '$2 $1')
    .replaceAll(/\bin total and (?:on |in |during )?(<d\d+>)/g, ' ')
  // "How many gold customers": the value stands between the figure and what is counted.
  encoded.text = encoded.text.replaceAll(
    /\b((?:how many|number of|hur manga|antal|total|average) (?:of )?(?:the )?)((?:<v\d+> )+)(<m\d+>)/g,
    (whole, figure: string, values: string, mark: string) =>
      refersTo(encoded, numberIn(mark), 'dataset') ? `${figure}${mark} for ${values.trim()}` : whole,
  )
  joinNames(encoded)
  encoded.text = encoded.text
    .replaceAll(
      /\b(average|avg|mean|total|minimum|min|maximum|max) , (?:the )?(average|avg|mean|total|minimum|min|maximum|max) ,? ?(?:and|och) (?:the )?(average|avg|mean|total|minimum|min|maximum|max) (?:of )?(?:the )?(<m\d+>)/g,
      '$1 $4 , $2 $4 and $3 $4',
    )
    .replaceAll(
      /\b(?:lowest|smallest|minimum) and (?:the )?(?:highest|largest|maximum) (<m\d+>)/g,
      'minimum $1 and maximum $1',
    )
    .replaceAll(
      /\b(?:highest|largest|maximum) and (?:the )?(?:lowest|smallest|minimum) (<m\d+>)/g,
      'maximum $1 and minimum $1',
    )
    .replaceAll(
      /\b(average|avg|mean|total|sum|median|maximum|max|minimum|min) (?:and|och) (?:the )?(average|avg|mean|total|sum|median|maximum|max|minimum|min) (?:of )?(?:the )?(<m\d+>)/g,
      '$1 $3 and $2 $3',
    )
    .replaceAll(/\bratio of (?:the )?(<v\d+>) to (?:the )?(<v\d+>) (<m\d+>)/g, 'ratio of $1 $3 to $2 $3')
  takeAliases(encoded)
  for (const { pattern, read } of RULES) {
    let from = 0
    for (let turn = 0; turn < 20; turn += 1) {
      const rest = encoded.text.slice(from)
      const found = pattern.exec(rest)
      if (!found) break
      const figure = read(found, encoded)
      const at = from + found.index
      if (!figure) {
        from = at + found[0].length
        continue
      }
      const mark = `<q${encoded.figures.push({ ...figure, label: labelOf(found[0], encoded) }) - 1}>`
      encoded.text = tidy(`${encoded.text.slice(0, at)} ${mark} ${encoded.text.slice(at + found[0].length)}`)
    }
  }
  nameFormulas(encoded)
}

/** "Density (population divided by area)": a name with its formula beside it is the formula. */
function nameFormulas(encoded: Encoded): void {
  encoded.text = tidy(
    encoded.text.replaceAll(
      /(?:<q\d+> (?:from|of|in|for) (?:the )?<m\d+> |(?:(?:<m\d+>|[a-z]+) ){1,2})[(] (<q\d+>) [)]/g,
      (whole, mark: string) => {
        const figure = encoded.figures[numberIn(mark)]
        if (figure?.kind !== 'calc') return whole
        if (/<q\d+>/.test(whole.slice(0, whole.indexOf('(')))) return mark
        const words = whole.slice(0, whole.indexOf('(')).trim().split(' ')
        const kept = words.filter((word) => /^(?:the|of|is|are|what|show|list|average|total|per|by|and)$/.test(word))
        encoded.unknown = encoded.unknown.filter((word) => !words.includes(word.toLowerCase()))
        return `${kept.join(' ')} ${mark}`
      },
    ),
  )
}
/** Names beside each other of which one says nothing more, or says what was done. */
function joinNames(encoded: Encoded): void {
  const passOver = (at: number): void => {
    const mention = encoded.mentions[at]
    if (mention) encoded.mentions[at] = { ...mention, matches: [] }
  }
  encoded.text = encoded.text.replaceAll(/(<m\d+>) (?=(<m\d+>))/g, (whole, mark: string, next: string) => {
    const [one, two] = [numberIn(mark), numberIn(next)]
    const [first, second] = [encoded.mentions[one], encoded.mentions[two]]
    // "Total traded amount": a verb before the heading that it says nothing of. "Population density": a term's own word.
    const isVerbal = isVerb(encoded, one) || (/[a-z]{3}ing$/.test(first?.words ?? '') && first?.namesNumber !== true)
    const isSpare = (isVerbal && second?.namesNumber === true) || second?.matches[0]?.ref.kind === 'term'
    if (isSpare && first?.matches[0]?.ref.kind === 'column') {
      passOver(one)
      return ''
    }
    // "How many accounts traded": the verb begins what is said of them.
    return isVerb(encoded, two) && refersTo(encoded, one, 'dataset') ? `${mark} that ` : whole
  })
  // "Close price": what kind of figure a heading is, in a word of one's own.
  encoded.text = encoded.text.replaceAll(/(<m\d+>) (<m\d+>)/g, (whole, mark: string, kind: string) => {
    const [one, two] = [encoded.mentions[numberIn(mark)], encoded.mentions[numberIn(kind)]]
    if (one?.namesNumber !== true || !/^(?:prices?|values?|amounts?|rates?|figures?)$/.test(two?.words ?? ''))
      return whole
    passOver(numberIn(kind))
    return mark
  })
}
/** What a figure was called, in the words of the question. */
const labelOf = (text: string, encoded: Encoded): string =>
  tidy(
    text
      .replaceAll(/<m(\d+)>/g, (_, at: string) => encoded.mentions[Number(at)]?.words ?? '')
      .replaceAll(/<q(\d+)>/g, (_, at: string) => encoded.figures[Number(at)]?.label ?? '')
      .replace(/^(?:how many|what is|whats|hur manga) /, 'number of '),
  ).slice(0, 80)
