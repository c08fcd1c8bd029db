import { turnAges } from '../figures/ages'
import { isSameDeed } from '../language/deed-roots'
import { numberIn, refersTo, tidy, type Encoded } from '../parse/encoded'
import { beginsElapsed } from '../figures/durations'
import { stemOf } from '../language/words'
import type { Schema, SchemaColumn, SchemaDataset } from '../schema/schema'

type Test = (mark: string) => boolean
/** Words that say nothing more than that things are there. */
function thingsAlone(text: string, encoded: Encoded, isTable: Test): string {
  const isRows = (mark: string): boolean =>
    encoded.mentions[numberIn(mark)]?.matches.some(({ ref, score }) => ref.kind === 'dataset' && score >= 0.7) === true
  const isDenied = (mark: string): boolean => encoded.mentions[numberIn(mark)]?.isDenied === true
  return (
    text
      // "Which customers have unpaid invoices": of which there are such rows, and not those that never paid any.
      .replace(
        /(<m\d+>) (?:(?:that|which|who|som) )?(?:have|has|had|with|having|har|hade|med) (?:any |some |still |nagra |fortfarande )?not (<m\d+>) (<m\d+>)/,
        (whole, who: string, day: string, thing: string) =>
          isDenied(day) && isTable(thing) ? `distinct ${who} of not ${day} ${thing}` : whole,
      )
      // "How many unpaid invoices", "the most unpaid invoices": how they stand is said behind them.
      .replaceAll(
        /(?<=^| )((?:how many|number of|hur manga|antal(?:et)?|most|fewest|flest|farst) )(?:of )?(?:the |our |vara )?not (<m\d+>) (<m\d+>)/g,
        (whole, figure: string, day: string, thing: string) =>
          isDenied(day) && isRows(thing)
            ? `${figure}${thing}${/^(?:most|fewest|flest|farst)/.test(figure) ? ' that' : ''} are not ${day}`
            : whole,
      )
      .replaceAll(
        /(?<=^| )((?:most|fewest|flest|farst) )(overdue|forfallna) (<m\d+>)/g,
        (whole, figure: string, state: string, thing: string) =>
          isRows(thing) ? `${figure}${thing} that are ${state}` : whole,
      )
      // "Business class tickets": the value's own heading stands behind it.
      .replaceAll(/(<v\d+>) (<m\d+>) (?=(<m\d+>))/g, (whole, value: string, heading: string, thing: string) =>
        isTable(thing) && holds(encoded, heading, value) ? `${value} ` : whole,
      )
      // "Pieces of equipment", "equipment items": the word says only that they can be counted.
      .replaceAll(
        /(?<=^| )(?:pieces|items|units|records|exemplar|stycken) (?:of|av) (<m\d+>)/g,
        (whole, mark: string) => (isTable(mark) ? mark : whole),
      )
      .replaceAll(/(<m\d+>) (?:items?|pieces|records|entries|entities)(?= |$)/g, (whole, mark: string) =>
        isTable(mark) ? mark : whole,
      )
      // "Registered in the system", "so far this year": nothing more than that they are there.
      .replaceAll(
        /(?<=> (?:har vi|have we|do we have|are there|finns det|finns|are|is) )(?:registrera(?:de|t|ts|d)|registered|on file|inlagda?|on record)(?= |$)/g,
        ' ',
      )
      .replaceAll(/(?<=^| )(?:hittills|so far|up to now|till dags dato|to date)(?= <d\d+>| ?(?:$|[?.,]))/g, ' ')
  )
}
/** Whether a heading is that of a value. */
const holds = ({ mentions, values }: Encoded, heading: string, value: string): boolean => {
  const ref = mentions[numberIn(heading)]?.matches[0]?.ref
  const matches = values[numberIn(value)]?.matches ?? []
  return (
    ref?.kind === 'column' && matches.some(({ dataset, column }) => dataset === ref.dataset && column === ref.column)
  )
}
/** What is measured, where it stands beside the days or the rows that it is of. */
const measuredThings = (text: string, encoded: Encoded, isTable: Test): string =>
  text
    // "How much do we have in unpaid invoices": what they come to.
    .replace(
      /^(?:how much|hur mycket) (?:money |pengar )?(?:(?:do|did|have|has|har|hade) (?:we|vi) (?:have |got )?|(?:is|are|ar|finns|ligger|sitter) (?:there |det )?)(?:tied up |locked up |bundet |ute |stuck |outstanding )?(?:in|i) (?=(?:not |inte |open |the |our |vara )*(?:<v\d+> )?(?:<m\d+> )?(<m\d+>))/,
      (whole, mark: string) => (isTable(mark) ? 'total amount of ' : whole),
    )
    // "The average length in days of bookings, from start to end": the two days stand beside what is measured.
    .replace(
      /(average|avg|mean|median|longest|shortest|total) (?:length|duration|time|number of days)(?: in (days|hours|minutes))? (.*?) ?,? (?:from|between) (?:the )?(<m\d+>) (?:to|and|until) (?:the )?(<m\d+>)/,
      (whole, agg: string, unit: string | undefined, middle: string, from: string, to: string) =>
        isDay(encoded, from) && isDay(encoded, to) ? `${agg} ${unit ?? 'days'} from ${from} to ${to} ${middle}` : whole,
    )
    // "How many days does a large job take on average".
    .replace(
      /^how many (days|hours|minutes) (?:does|do|did) (?:an? |the )?((?:<v\d+> )?)(<m\d+>) (?:take|last)s?(?: us)?(?: on average| usually| normally)?(?= ?(?:$|[?.,]))/,
      (whole, unit: string, kind: string, thing: string) =>
        isTable(thing) ? `average length of ${thing} in ${unit} ${kind === '' ? '' : `for ${kind}`}` : whole,
    )
    // "Average resolution time of tickets by topic, in days".
    .replace(
      /(average|avg|mean|median|longest|shortest) (\p{L}{5,}|<m\d+>) time (?:of|for) (?:the |our |all )?(<m\d+>)/u,
      (whole, agg: string, what: string, thing: string) => (isTable(thing) ? `${agg} ${what} time ; ${thing}` : whole),
    )
    // "Tickets opened per month": how many there were.
    .replace(/^(?:show |list |visa )?(?:the |our )?(<m\d+>) (<m\d+>) (?=<d\d+>)/, (whole, thing: string, day: string) =>
      isTable(thing) && isDay(encoded, day) ? `number of ${thing} ${day} ` : whole,
    )

/**
 * Turns of speech over an encoded question, said plainly: what they are about is known here, so that they hold for
 * whatever it is called. They stand in the question's source, too.
 */
export function turnSpeech(encoded: Encoded, schema: Schema, today: string): void {
  const isTable = (mark: string): boolean => refersTo(encoded, numberIn(mark), 'dataset')
  const plain = measuredThings(thingsAlone(encoded.text, encoded, isTable), encoded, isTable)
  const aged = turnAges(largestOf(plain, encoded), encoded, { schema, today })
  encoded.text = tidy(betweenDeeds(lastDone(aged, encoded, schema), encoded, schema))
  encoded.source = encoded.text
}
const isDay = ({ mentions }: Encoded, mark: string): boolean => mentions[numberIn(mark)]?.namesDate === true

const WORD = String.raw`(?:\p{L}{4,}ing (?:the |an? |en |ett )?<m\d+>|(?:<m\d+> )?(?:<m\d+>|\p{L}{3,}))`
const BETWEEN = new RegExp(
  String.raw`((?:^| )(?:days|hours|time|dagar|timmar|tid|long|lange|lang tid)(?: (?:is|are|does it take|do we take|did it take|does it usually take|it takes|it took|ar det|tar det|tog det|gar det|i snitt|i genomsnitt|on average|elapsed|passes|pass))* (?:from|between|mellan|fran) (?:the |an? |en |ett |being |when )?)(${WORD}) (to|until|till|and|och|tills) (?:the |an? |en |ett |being |when )?(${WORD})(?= ?(?:$|[?.,]|for |per |by |in |i |each |on |<d|to |is |ar ))`,
  'u',
)
/** "Days from order to receipt": the two days of one table that are called after these, whatever words they are. */
function betweenDeeds(text: string, encoded: Encoded, schema: Schema): string {
  return text.replace(BETWEEN, (whole: string, before: string, one: string, way: string, two: string) => {
    if (isDay(encoded, one) && isDay(encoded, two)) return whole
    const pairs = schema.datasets.flatMap(({ columns, words }) => {
      const [to, ...otherTo] = daysOf(columns, two, encoded)
      const called = daysOf(columns, one, encoded)
      const [from, ...otherFrom] = called.length > 0 ? called : ownDays({ columns, words }, one, { encoded, to })
      return from && to && from !== to && otherFrom.length + otherTo.length === 0 ? [{ from, to }] : []
    })
    // Else of two tables, where each has one day only that is called so.
    const all = schema.datasets.flatMap(({ columns }) => columns)
    const [from, to] = [one, two].map((said) => daysOf(all, said, encoded))
    const apart = from?.[0] && to?.[0] && from.length + to.length === 2 ? [{ from: from[0], to: to[0] }] : []
    const [only, other] = pairs.length > 0 ? pairs : apart
    if (!only || other) return whole
    return `${before}${nameDay(encoded, one, only.from)} ${way} ${nameDay(encoded, two, only.to)}`
  })
}
/** "From order to receipt", where the rows are orders: the day on which one begins. */
function ownDays(
  { columns, words }: Pick<SchemaDataset, 'columns' | 'words'>,
  said: string,
  { encoded, to }: { encoded: Encoded; to: SchemaColumn | undefined },
): SchemaColumn[] {
  const name = said.startsWith('<m') ? (encoded.mentions[numberIn(said)]?.words ?? '') : said
  const others = columns.filter((each) => each.isDate && each !== to && !each.words.some((word) => EXPECTED.test(word)))
  if (!to || !words.some((word) => stemOf(word) === stemOf(name))) return []
  return others.length === 1 ? others : others.filter(beginsElapsed)
}
function daysOf(columns: readonly SchemaColumn[], said: string, { mentions }: Encoded): SchemaColumn[] {
  const parts = said.split(' ').map((part) => (part.startsWith('<m') ? mentions[numberIn(part)] : part))
  const days = columns.filter(({ isDate }) => isDate)
  const named = days.filter(({ dataset, key }) =>
    parts.some(
      (part) =>
        typeof part === 'object' &&
        part.matches.some(
          ({ ref, score }) => ref.kind === 'column' && ref.dataset === dataset && ref.column === key && score >= 0.9,
        ),
    ),
  )
  if (named.length > 0) return named
  const words = parts.flatMap((part) => (typeof part === 'string' ? [part] : (part?.words.split(' ') ?? [])))
  const expected = days.filter(({ words: own }) => !own.some((word) => EXPECTED.test(word)))
  return expected.filter(({ words: own }) => own.some((word) => words.some((each) => isSameDeed(each, word))))
}
const EXPECTED = /^(?:due|expected|planned|promised|estimated|forfall\w*|planerad\w*|beraknad\w*)$/
/** A mark that names a day as if its heading had been said, in place of the word for what was done. */
function nameDay(encoded: Encoded, said: string, { dataset, key, words }: SchemaColumn): string {
  const matches = [{ ref: { kind: 'column' as const, dataset, column: key }, score: 1 }]
  const name = {
    words: words.join(' '),
    matches,
    isTypo: false,
    namesDate: true,
    namesNumber: false,
    namesYesNo: false,
  }
  if (!/^<m\d+>$/.test(said)) return `<m${encoded.mentions.push(name) - 1}>`
  encoded.mentions[numberIn(said)] = name
  return said
}

/** "When was the room last booked", "när var Bella senast på besök": the first or last day of such rows. */
function lastDone(text: string, encoded: Encoded, schema: Schema): string {
  return text.replace(
    /^(when|nar) (?:was|were|did|has|have|is|har|blev|var|hade) (?!the last|the first)(?:the )?(.*?<v\d+>.*?) (?:been )?(last|first|most recently|senast|sist|forst) (?:pa |been |blivit )?(\p{L}{3,}|<m\d+>)(?= ?(?:$|[?.]))/u,
    (whole: string, when: string, who: string, end: string, deed: string) => {
      const mark = deed.startsWith('<m') ? tableMark(encoded, deed) : deedMark(encoded, deed, schema)
      if (mark === null) return whole
      const isFirst = end === 'first' || end === 'forst'
      return when === 'when'
        ? `when was the ${isFirst ? 'first' : 'latest'} ${mark} for ${who}`
        : `nar var ${isFirst ? 'forsta' : 'senaste'} ${mark} for ${who}`
    },
  )
}
const tableMark = (encoded: Encoded, mark: string): string | null =>
  refersTo(encoded, numberIn(mark), 'dataset') ? mark : null
function deedMark(encoded: Encoded, deed: string, schema: Schema): string | null {
  const [table, other] = schema.datasets.filter(({ words }) => words.some((word) => isSameDeed(deed, word)))
  if (!table || other) return null
  const matches = [{ ref: { kind: 'dataset' as const, dataset: table.id }, score: 1 }]
  const says = { words: table.words.join(' '), matches, isTypo: false }
  return `<m${encoded.mentions.push({ ...says, namesDate: false, namesNumber: false, namesYesNo: false }) - 1}>`
}

const LARGEST = 'largest|biggest|highest|smallest|lowest|storsta|storst|hogsta|hogst|minsta|minst|lagsta|lagst'
const isLow = (way: string): boolean => /^(?:small|low|min|lag)/.test(way)
/** "Largest cost account in June", "which cost accounts were largest": of each account, by that figure. */
function largestOf(text: string, encoded: Encoded): string {
  const isFigure = (mark: string): boolean => {
    const ref = encoded.mentions[numberIn(mark)]?.matches[0]?.ref
    return ref?.kind === 'metric' || (ref?.kind === 'term' && ref.entry.measure !== undefined)
  }
  const isKind = (mark: string): boolean =>
    refersTo(encoded, numberIn(mark), 'column') || refersTo(encoded, numberIn(mark), 'dataset')
  const ranked = (way: string, figure: string, kind: string, isSeveral: boolean): string => {
    const direction = isLow(way) ? 'lowest' : 'highest'
    return isSeveral
      ? `${isLow(way) ? 'bottom' : 'top'} 10 ${kind} by ${figure}`
      : `which ${kind} has the ${direction} ${figure}`
  }
  const isSeveral = (mark: string): boolean =>
    /(?:s|na|er|ar|or|on)$/.test(encoded.mentions[numberIn(mark)]?.words ?? '')
  return text
    .replace(
      new RegExp(
        `^(?:what (?:is|was|are|were) |which (?:is|was|are|were) |show |vad ar |vilket (?:ar|var) |vilka (?:ar|var) )?(?:the |our |det |de |den |vara |vart )?(${LARGEST}) (<m\\d+>) (<m\\d+>)(?= ?(?:$|[?.,]|<d|in |i |during |under ))`,
      ),
      (whole, way: string, figure: string, kind: string) =>
        isFigure(figure) && isKind(kind) ? ranked(way, figure, kind, isSeveral(kind)) : whole,
    )
    .replace(
      new RegExp(
        `^(?:which|what|vilka|vilket|vilken) (<m\\d+>) (<m\\d+>) (?:is|was|are|were|ar|var) (?:the |de |det |den )?(${LARGEST})(?= ?(?:$|[?.,]|<d|in |i |during |under ))`,
      ),
      (whole, figure: string, kind: string, way: string) =>
        isFigure(figure) && isKind(kind) ? ranked(way, figure, kind, isSeveral(kind)) : whole,
    )
    .replace(
      new RegExp(
        `^(?:show |visa )?(?:the |our |de |vara )?(${LARGEST}) (<m\\d+>) (?:by|per|efter) (<m\\d+>)(?= ?(?:$|[?.,]|<d|in |i |during |under ))`,
      ),
      (whole, way: string, figure: string, kind: string) =>
        isFigure(figure) && isKind(kind) ? ranked(way, figure, kind, true) : whole,
    )
}
