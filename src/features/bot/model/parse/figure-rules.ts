import { D, DET, isVerb, M, marksIn, numberIn, Q, refersTo, tidy, V, type Encoded } from './encoded'
import { COUNT_WORD, named, OVER_TIME, rule, type Rule } from './over-time-rules'
import { SHARES, SHARES_OF_FIGURES } from './share-rules'
import { RATIOS } from './ratio-rules'
import { durationOf, ELAPSED, spanOf } from './elapsed-rules'
import { AGES, LASTING, turnKindOfTime } from './lasting-rules'
import { PER_FIGURE } from './per-figure-rules'
import { PIECES } from './pieces-rules'
import { amountOf, twoNames } from './two-names'
import { nameFormulas, prepareNames } from './prepare-names'
import type { MeasureAsk } from './measure-ask'
import type { Aggregate } from '../../../../shared/query/functions'

const DISTINCT = '(?:unique|distinct|different|olika|unika)'

const AGGREGATE_WORDS: readonly [string, Aggregate][] = [
  [
    'average|avg|mean|medel|medelvardet|genomsnittlig|genomsnittligt|genomsnittliga|genomsnittet|genomsnitt|snittet|snitt',
    'avg',
  ],
  [
    'total|sum|summed|combined|aggregate|aggregated|cumulative total|totala|totalt|summan|summa|sammanlagda|sammanlagt|overall',
    'sum',
  ],
  ['median|medianen', 'median'],
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

/** "What is the highest price" asks for a figure; "with the highest price" ranks. */
const SUPERLATIVE_FIGURE = '(?:what (?:is|was|are|were)|whats|show|give me|find|return|and|,) (?:the )?'

const RULES: readonly Rule[] = [
  ...OVER_TIME,
  rule(
    `(?<agg>average |avg |mean |longest |shortest |median |total |maximum |minimum )(?:length |duration |time )(?:of |for )?${DET}(?<of>${M})(?: in (?<unit>days|hours|minutes))?`,
    (found, encoded) => spanOf(found, encoded),
  ),
  rule(
    `(?<agg>average |avg |mean |longest |shortest |median )${DET}(?<of>${M})(?: (?:length|duration)(?: in (?<unit>days|hours|minutes))?| in (?<also>days|hours|minutes))`,
    (found, encoded) => spanOf(found, encoded),
  ),
  rule(
    `(?<agg>average |avg |mean |longest |shortest |median |maximum |minimum )(?:time|number of days|duration|days)(?: in days)? (?:it takes |it took |needed |taken )?to (?<verb>${M}|[a-z]+) ${DET}(?<of>${M})(?: in (?<unit>days|hours|minutes))?`,
    (found, encoded) => {
      const span = spanOf(found, encoded)
      const { verb = '' } = found.groups ?? {}
      const until = verb.startsWith('<m') ? (encoded.mentions[numberIn(verb)]?.words ?? '') : verb
      return span?.kind === 'span' && span.of !== null ? { ...span, kind: 'elapsed', until, of: span.of } : span
    },
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
  rule(
    `(?<agg>genomsnittlig\\w*|snitt\\w*|medel\\w*|median\\w*|langsta|kortaste)? ?(?:antal(?:et)? )?(?<unit>dagar|timmar|minuter|tid|tiden) (?:fran|mellan) ${DET}(?<from>${M}) (?:till|och|tills) ${DET}(?<to>${M})`,
    durationOf,
  ),
  ...ELAPSED,
  ...PIECES,
  ...LASTING,
  ...AGES,
  ...SHARES_OF_FIGURES,
  ...PER_FIGURE,
  ...RATIOS,
  ...SHARES,
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
  rule(
    `(average|avg|mean|genomsnittligt?|median|maximum|max|minimum|min) ${COUNT_WORD} (?:of |av )?${DET}(${M})`,
    (found, encoded) =>
      encoded.mentions[numberIn(found[2])]?.namesNumber === true && isSure(encoded, numberIn(found[2]))
        ? {
            kind: 'aggregate',
            agg: /^geno/.test(found[1] ?? '') ? 'avg' : aggregateOf(found[1] ?? ''),
            of: numberIn(found[2]),
          }
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
  rule(`(${M}) (?:amounts|amount)(?! of)`, (found, encoded) => {
    const of = numberIn(found[1])
    return refersTo(encoded, of, 'dataset') ? { kind: 'aggregate', agg: 'sum', of, money: true } : null
  }),
  rule(`(?:(?:total|overall|combined|totala) )?${COUNT_WORD} (?:of |av )?${DET}(${M}) (${M})`, twoNames),
  rule(`(?:how many|hur manga) ${DET}(${M}) (${M})`, twoNames),
  rule(`(?:(?:total|overall|combined|totala|exact) )?${COUNT_WORD} (?:of |av )${DET}(${M})`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: false,
  })),
  rule(`(?:antal|antalet) (?:(?:olika|unika) )?(${M})`, (found) => ({
    kind: 'count',
    of: numberIn(found[1]),
    distinct: /olika|unika/.test(found[0]),
  })),
  // "Antal sålda enheter": a quantity; of things it may be their pieces or their kinds.
  rule(`(?:antal|antalet|number of) (?:salda|sold) (${M})`, (found, encoded) =>
    encoded.mentions[numberIn(found[1])]?.namesNumber === true
      ? { kind: 'aggregate', agg: 'sum', of: numberIn(found[1]) }
      : null,
  ),
  rule(`(?:salt|salda|sold) (${M})`, (found, encoded) =>
    encoded.mentions[numberIn(found[1])]?.namesNumber === true
      ? { kind: 'aggregate', agg: 'sum', of: numberIn(found[1]) }
      : null,
  ),
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
  // "Total consumption in kWh": the heading that says it.
  rule(`(?<agg>${AGGREGATE}) ${DET}(${M}) (?:i|in) (${M})`, (found, encoded) =>
    refersTo(encoded, numberIn(found[2]), 'dataset') && encoded.mentions[numberIn(found[3])]?.namesNumber === true
      ? { kind: 'aggregate', agg: aggregateOf(found[1] ?? ''), of: numberIn(found[3]) }
      : null,
  ),
  rule(
    `(?<agg>${AGGREGATE})(?: (?:value|amount))? (?:of |av )?(?:(?:paid|received|billed|invoiced|charged|spent|sold|ordered) )?${DET}(${M})(?: (?:amount|amounts|value|figure)(?! of))?`,
    (found) => ({
      kind: 'aggregate',
      agg: aggregateOf(found[1] ?? ''),
      of: numberIn(found[2]),
    }),
  ),
  rule(
    `^(?:storsta|hogsta|lagsta|minsta|langsta|kortaste|highest|largest|biggest|lowest|smallest|longest|shortest) (${M})(?= (?:pa|i|for|av|per|fran|bland|of|by|in|from|each|on|<d)|$| [?.,])`,
    (found, encoded) =>
      isFigureMention(encoded, numberIn(found[1]))
        ? {
            kind: 'aggregate',
            agg: /^(?:lag|min|kort|low|small|short)/.test(found[0]) ? 'min' : 'max',
            of: numberIn(found[1]),
          }
        : null,
  ),
  rule(
    `(?<=^|${SUPERLATIVE_FIGURE})(earliest|oldest|first|latest|newest|last|most recent) (${M})(?= (?:of|for|by|per|in|each|from)|$| [?.,])`,
    (found, encoded) =>
      encoded.mentions[numberIn(found[2])]?.namesDate === true && !isVerb(encoded, numberIn(found[2]))
        ? { kind: 'aggregate', agg: /^(?:earl|old|first)/.test(found[1] ?? '') ? 'min' : 'max', of: numberIn(found[2]) }
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
  // "The total loss payment amount", "total amount of expense payments": of the rows of a kind.
  rule(`(?:total|overall|sum of|totala) (?:the )?(${V}) (?:amounts?|belopp)(?! <)`, (found) => amountOfKind(found[1])),
  rule(`(?:total|overall|totala) (?:amount|belopp) (?:of|av) (?:the |all )?(${V})(?! <m)`, (found) =>
    amountOfKind(found[1]),
  ),
  rule(
    `(?:total|overall|sum of|totala?|totalt|summa|summan av) (?:the |all )?(?=${V}(?: (?:per|by|for|in|i|under|<d|[?.])|$))`,
    () => ({ kind: 'amount' }),
  ),
  rule('(?:total|overall|sum|totala) (?:amount|value|sum|summa)(?: of)?(?! <)', () => ({ kind: 'amount' })),
  rule(
    '(?:total|sum) (?:paid|received|invoiced|billed|charged)(?= (?:by|per|in|for|each|this|last|<d)|$| [?.,])',
    () => ({ kind: 'amount' }),
  ),
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
  // "The ratio of the population of A to that of B", "of films released in 2020 to films released in 2021".
  rule(
    `ratio (?:of|between) ${DET}(${M}) (?:of|in|for) ${DET}(${V}) (?:to|and|over) ${DET}(?:(?:${M}|that) (?:of|in|for) )?${DET}(${V})`,
    (found, encoded) => partsRatio(encoded, found[1], { values: [found[2], found[3]], dates: [] }),
  ),
  rule(
    `ratio (?:of|between) ${DET}(${M}) (?:(?:${M}|[a-z]{3,}ed) )?(${D}) (?:to|and|over) ${DET}(?:(?:${M}|those) )?(?:(?:${M}|[a-z]{3,}ed) )?(${D})`,
    (found, encoded) => partsRatio(encoded, found[1], { values: [], dates: [found[2], found[3]] }),
  ),
  rule(`ratio (?:of|between) ${DET}(${Q}|${M}) (?:to|and|over) ${DET}(${Q}|${M})`, (found, encoded) =>
    calc('divide', found, encoded),
  ),
  rule(`(${Q}|${M}) to (${Q}|${M}) ratio`, (found, encoded) => calc('divide', found, encoded)),
  rule(`(${Q}|${M}) (?:divided by|delat med|/) ${DET}(${Q}|${M})`, (found, encoded) => calc('divide', found, encoded)),
  rule(`(${Q}|${M}) (?<sign>divided by|delat med|/|multiplied by|times|ganger|[*]) (\\d+(?:\\.\\d+)?)`, byNumber),
  rule(`(${Q}|${M}) (?:multiplied by|times|ganger|[*]) ${DET}(${Q}|${M})`, (found, encoded) =>
    calc('multiply', found, encoded),
  ),
  rule(`(${Q}|${M}) (?:minus|less|subtracted by) ${DET}(${Q}|${M})`, (found, encoded) =>
    calc('subtract', found, encoded),
  ),
  rule(`(${Q}|${M}) (?:plus|[+]) ${DET}(${Q}|${M})`, (found, encoded) => calc('add', found, encoded)),
  rule(`(${Q}|${M}) (times|multiplied by|divided by|ganger|delat med|[*/]) [(] (${Q}) [)]`, (found, encoded) => {
    const [left, right] = [figureIn(found[1], encoded), figureIn(found[3], encoded)]
    const op = /^(?:div|del|\/)/.test(found[2] ?? '') ? 'divide' : 'multiply'
    return left && right ? { kind: 'calc', op, left, right } : null
  }),
  rule(`(?<agg>${AGGREGATE}) (?:of )?${DET}(${Q})`, (found, encoded) => {
    const figure = figureIn(found[2], encoded)
    return figure?.kind === 'calc' ? { ...figure, agg: aggregateOf(found[1] ?? '') } : null
  }),
]

/** "Monthly salary times 12": of a heading what it adds up to. */
function byNumber(found: RegExpExecArray, encoded: Encoded): MeasureAsk | null {
  const left = figureIn(found[1], encoded)
  const value = Number(found[3])
  if (!left || !(value > 0)) return null
  const op = /^(?:div|del|\/)/.test(found[2] ?? '') ? 'divide' : 'multiply'
  return { kind: 'calc', op, left, right: { kind: 'number', value } }
}
/** Called so, and not only in part: "the average number of tickets" is no price of theirs. */
const isSure = ({ mentions }: Encoded, at: number): boolean => (mentions[at]?.matches[0]?.score ?? 0) >= 0.9
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
const amountOfKind = (value: string | undefined): MeasureAsk => ({
  kind: 'amount',
  only: { values: [numberIn(value)], dates: [] },
})
/** The same figure of two parts, the one over the other. */
function partsRatio(
  encoded: Encoded,
  mark: string | undefined,
  { values, dates }: { values: (string | undefined)[]; dates: (string | undefined)[] },
): MeasureAsk {
  const of = numberIn(mark)
  const whole: MeasureAsk = refersTo(encoded, of, 'dataset')
    ? { kind: 'count', of, distinct: false }
    : { kind: 'named', of }
  const part = (i: number): MeasureAsk => ({
    ...whole,
    only: {
      values: values[i] === undefined ? [] : [numberIn(values[i])],
      dates: dates[i] === undefined ? [] : [numberIn(dates[i])],
    },
  })
  return { kind: 'calc', op: 'divide', left: part(0), right: part(1) }
}
function calc(
  op: 'add' | 'subtract' | 'multiply' | 'divide',
  found: RegExpExecArray,
  encoded: Encoded,
): MeasureAsk | null {
  const [left, right] = [figureIn(found[1], encoded), figureIn(found[2], encoded)]
  // "Average price minus cost" of two headings is the average of what each row has left.
  if (op !== 'divide' && left?.kind === 'aggregate' && left.money !== true && right?.kind === 'named')
    return { kind: 'calc', op, left: { kind: 'named', of: left.of }, right, agg: left.agg }
  return left && right ? { kind: 'calc', op, left, right } : null
}
/** Whether the best meaning of a name may be added up or compared in size. */
function isFigureMention(encoded: Encoded, mention: number): boolean {
  const kind = encoded.mentions[mention]?.matches[0]?.ref.kind
  return kind === 'column' || kind === 'metric' || kind === 'term'
}

/** Replaces what asks for a figure by `<q0>`, `<q1>` …, the inner before the outer. */
export function parseFigures(encoded: Encoded): void {
  prepareNames(encoded)
  turnKindOfTime(encoded)
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
      const mark = `<q${encoded.figures.push({ ...figure, label: figure.kind === 'pieces' ? 'number of pieces' : labelOf(found[0], encoded) }) - 1}>`
      encoded.text = tidy(`${encoded.text.slice(0, at)} ${mark} ${encoded.text.slice(at + found[0].length)}`)
    }
  }
  nameFormulas(encoded)
}

/** What a figure was called, in the words of the question. */
const labelOf = (text: string, encoded: Encoded): string =>
  tidy(
    text
      .replaceAll(/<m(\d+)>/g, (_, at: string) => encoded.mentions[Number(at)]?.words ?? '')
      .replaceAll(/<q(\d+)>/g, (_, at: string) => encoded.figures[Number(at)]?.label ?? '')
      .replaceAll(/(?:(?:on|in|of) )?<d(\d+)>/g, (_, at: string) => encoded.dateWords[Number(at)] ?? '')
      .replaceAll(/<v(\d+)>/g, (_, at: string) => encoded.values[Number(at)]?.text ?? '')
      .replace(/^(?:how many|what is|whats|hur manga) /, 'number of ')
      .replaceAll(/\p{L}+/gu, (word) => encoded.spelt.get(word) ?? word),
  ).slice(0, 80)
