import { MAY_NOT_HAPPEN } from '../language/verbs'
import { DET, isVerb, M, numberIn, refersTo, tidy, type Encoded } from './encoded'

/** Brings names, values and units of time to where the rules of figures look for them. */
export function prepareNames(encoded: Encoded): void {
  // "total quarterly sales": the unit of time stands before the figure.
  encoded.text = encoded.text
    .replaceAll(new RegExp(`\\b((?:total|average|avg|sum of|number of|median) )(<d\\d+>) `, 'g'), '$2 $1')
    .replaceAll(/\bin total and (?:on |in |during )?(<d\d+>)/g, ' ')
  // "How many gold customers": the value stands between the figure and what is counted.
  encoded.text = encoded.text.replaceAll(
    /\b((?:how many|number of|hur manga|antal|total|average) (?:of )?(?:the )?)((?:<v\d+> (?:(?:or|eller|,) (?=<v))?)+)(<m\d+>)/g,
    (whole, figure: string, values: string, mark: string) =>
      refersTo(encoded, numberIn(mark), 'dataset') || isNumber(encoded, mark)
        ? `${figure}${mark} for ${values.trim()}`
        : whole,
  )
  // "How many family memberships": what kind of thing the value is.
  encoded.text = encoded.text.replaceAll(
    /\b((?:how many|number of|hur manga|antal) )(<v\d+>) (<m\d+>)/g,
    (whole, figure: string, value: string, mark: string) => {
      const ref = encoded.mentions[numberIn(mark)]?.matches[0]?.ref
      const isItsHeading = encoded.values[numberIn(value)]?.matches.some(
        ({ dataset, column }) => ref?.kind === 'column' && ref.dataset === dataset && ref.column === column,
      )
      return isItsHeading === true ? `${figure}${value}` : whole
    },
  )
  // "The oldest unresolved case": how it stands is said behind it.
  encoded.text = encoded.text.replaceAll(
    /\b(oldest|newest|latest|earliest|largest|biggest|smallest|highest|lowest|longest|aldsta|storsta|minsta|senaste) not (<m\d+>) (<m\d+>)/g,
    (whole, rank: string, kind: string, thing: string) =>
      refersTo(encoded, numberIn(thing), 'dataset') ? `${rank} ${thing} without ${kind}` : whole,
  )
  // "When was Ann's last booking": whose it was stands behind it.
  encoded.text = encoded.text.replace(
    /^(when|nar) (was|is|var|ar|did|hade|gjorde) ((?:<v\d+> (?:s )?)+)(?:have |make |place )?(?:the |a |an |their |his |her |sin |sitt )?(first|last|latest|most recent|earliest|senaste|sista|forsta) (<m\d+>)/,
    '$1 $2 $4 $5 for $3',
  )
  // "The most attended bookings", "flest makulerade order".
  encoded.text = encoded.text.replaceAll(
    /\b((?:most|fewest|flest|farst|(?<!(?:what|which) (?:is|was|are|were) (?:the |our )?)(?:largest|biggest|smallest|highest|lowest|latest|newest|oldest)|(?:highest|largest|lowest|smallest) (?:number|count|amount) of) )((?:<v\d+> )+)(<m\d+>)/g,
    (whole, limit: string, values: string, mark: string) =>
      refersTo(encoded, numberIn(mark), 'dataset') ? `${limit}${mark} for ${values.trim()}` : whole,
  )
  // "How many active members": how they stand is said behind them, where nothing is called so.
  encoded.text = encoded.text.replaceAll(
    /\b(active|current|open|ongoing|aktiva|nuvarande|oppna|pagaende) (<m\d+>)/g,
    (whole, word: string, mark: string) => (refersTo(encoded, numberIn(mark), 'dataset') ? `${mark} ${word}` : whole),
  )
  // "Excluding refunded and cancelled": neither of them.
  encoded.text = encoded.text.replaceAll(
    /(?<=^| )(excluding|except|excluding the|without|exklusive|exkl|utom|forutom|not|inte|ej) (<v\d+>) (?:and|or|och|eller|,) (<v\d+>)(?! <m)/g,
    (whole, denial: string, one: string, two: string) =>
      shareColumn(encoded, numberIn(one), numberIn(two)) ? `${denial} ${one} and ${denial} ${two}` : whole,
  )
  // "Tips per waiter", "which waiter": a kind of a thing, each of which is told by its name.
  encoded.text = encoded.text.replaceAll(
    /((?<=^| )(?:per|each|every|varje|for each|which|vilken|vilket|vilka|cheapest|most expensive|billigaste|dyraste) )(<v\d+>)(?! <m)/g,
    (whole, before: string, mark: string) => {
      const [only, other] = new Set(encoded.values[numberIn(mark)]?.matches.map(({ dataset }) => dataset))
      if (only === undefined || other !== undefined) return whole
      const matches = [{ ref: { kind: 'dataset' as const, dataset: only }, score: 1 }]
      const at = encoded.mentions.push({
        ...{ words: '', matches, isTypo: false, namesDate: false, namesNumber: false, namesYesNo: false },
      })
      return `${before}<m${at - 1}> for ${mark}`
    },
  )
  // "How many pending withdrawals": rows that hold both values.
  encoded.text = encoded.text.replace(
    /\b((?:how many|number of|hur manga|antal) )(<v\d+>) (<v\d+>)(?! <[mv])/,
    (whole, before: string, one: string, two: string) => {
      const [only, other] = new Set(
        [one, two].flatMap((mark) => encoded.values[numberIn(mark)]?.matches.map(({ dataset }) => dataset) ?? []),
      )
      if (only === undefined || other !== undefined) return whole
      const matches = [{ ref: { kind: 'dataset' as const, dataset: only }, score: 1 }]
      const at = encoded.mentions.push({
        ...{ words: '', matches, isTypo: false, namesDate: false, namesNumber: false, namesYesNo: false },
      })
      return `${before}${one} ${two} <m${at - 1}>`
    },
  )
  // "Rent per month", "wages this year": what a value comes to, where nothing else is asked of it.
  if (!/<m/.test(encoded.text) && !/\b(?:how|hur|what|vad|who|vem|when|nar|which|vilk\w+|antal)\b/.test(encoded.text))
    encoded.text = encoded.text.replace(
      /^(?:visa |show |var |vara |our )?(?=<v\d+>(?: (?:for|pa|i|in) <v\d+>)* (?:per |by |for |i |<d))/,
      'total ',
    )
  // "At least 8 successful payments": the kind stands behind what is counted.
  encoded.text = encoded.text.replaceAll(
    /((?:more than|less than|fewer than|at least|at most|exactly|over|mer an|fler an|minst|hogst|farre an) \d+ )((?:<v\d+> )+)(<m\d+>)/g,
    (whole, limit: string, values: string, mark: string) =>
      refersTo(encoded, numberIn(mark), 'dataset') ? `${limit}${mark} for ${values.trim()}` : whole,
  )
  encoded.text = encoded.text.replaceAll(
    /\b((?:how many|number of|hur manga|antal|(?:share|percentage|proportion) of|andel|andelen|andel av|andelen av) )(<m\d+>) (<m\d+>)/g,
    (whole, figure: string, kind: string, thing: string) =>
      encoded.mentions[numberIn(kind)]?.namesYesNo === true &&
      (refersTo(encoded, numberIn(thing), 'dataset') || encoded.mentions[numberIn(thing)]?.namesNumber === true)
        ? `${figure}${thing} that are ${kind}`
        : whole,
  )
  // "Billable minutes", "non billable hours": the minutes of what is so, or is not.
  encoded.text = encoded.text.replaceAll(
    /(^|\S+ )(non |not |ej |inte |icke )?(<m\d+>) (<m\d+>)/g,
    (whole, before: string, not: string | undefined, kind: string, figure: string) => {
      const isKind =
        encoded.mentions[numberIn(kind)]?.namesYesNo === true &&
        encoded.mentions[numberIn(figure)]?.namesNumber === true &&
        !/^(?:,|and|och|>|<m\d+>|by|per|varje|each) $/.test(before)
      if (!isKind) return whole
      const denied = not?.trim()
      encoded.unknown = encoded.unknown.filter((each) => each.toLowerCase() !== denied)
      return `${before}${figure} that are ${denied === undefined ? '' : 'not '}${kind} ,`
    },
  )
  // "Without a csat score": what kind of figure a heading is.
  encoded.text = encoded.text.replaceAll(
    /(<m\d+>) (scores?|values?|figures?|level)(?= |$)/g,
    (whole, mark: string, word: string) => {
      if (encoded.mentions[numberIn(mark)]?.namesNumber !== true) return whole
      encoded.unknown = encoded.unknown.filter((each) => each.toLowerCase() !== word)
      return mark
    },
  )
  countKinds(encoded)
  // "The names of researchers", who have a heading of their own for it.
  encoded.text = encoded.text.replaceAll(
    /(<m\d+>) of (?:the |all |all the |any )?(<m\d+>)/g,
    (whole, mark: string, thing: string) => {
      const [name, of] = [mark, thing].map((each) => encoded.mentions[numberIn(each)])
      const ref = of?.matches[0]?.ref
      if (!/^names?$/.test(name?.words ?? '') || ref?.kind !== 'dataset') return whole
      if (name?.matches.some((each) => 'dataset' in each.ref && each.ref.dataset === ref.dataset)) return whole
      encoded.mentions[numberIn(mark)] = {
        words: '',
        matches: [],
        isTypo: false,
        namesDate: false,
        namesNumber: false,
        namesYesNo: false,
      }
      return thing
    },
  )
  joinNames(encoded)
  encoded.text = encoded.text
    .replaceAll(
      /\b(average|avg|mean|total|minimum|min|maximum|max) , (?:the )?(average|avg|mean|total|minimum|min|maximum|max) ,? ?(?:and|och) (?:the )?(average|avg|mean|total|minimum|min|maximum|max) (?:of )?(?:the )?(<m\d+>)/g,
      '$1 $4 , $2 $4 and $3 $4',
    )
    .replaceAll(
      /\b(?:lowest|smallest|minimum|lagsta|minsta) (?:and|och) (?:the )?(?:highest|largest|maximum|hogsta|storsta) (<m\d+>)/g,
      'minimum $1 and maximum $1',
    )
    .replaceAll(
      /\b(?:highest|largest|maximum|hogsta|storsta) (?:and|och) (?:the )?(?:lowest|smallest|minimum|lagsta|minsta) (<m\d+>)/g,
      'maximum $1 and minimum $1',
    )
    .replaceAll(
      /\b(average|avg|mean|total|sum|median|maximum|max|minimum|min) (?:and|och) (?:the )?(average|avg|mean|total|sum|median|maximum|max|minimum|min) (?:of )?(?:the )?(<m\d+>)/g,
      '$1 $3 and $2 $3',
    )
    .replaceAll(/\bratio of (?:the )?(<v\d+>) to (?:the )?(<v\d+>) (<m\d+>)/g, 'ratio of $1 $3 to $2 $3')
  // "The average page count" of a heading that is a number already.
  encoded.text = encoded.text
    .replaceAll(
      /\b(average|avg|mean|maximum|max|minimum|min|median|highest|lowest) (<m\d+>) counts?\b/g,
      (whole, way: string, mark: string) =>
        encoded.mentions[numberIn(mark)]?.namesNumber === true ? `${way} ${mark}` : whole,
    )
    .replaceAll(
      /\b(?:earliest|first|oldest) and (?:the )?(?:latest|last|newest|most recent) (<m\d+>)/g,
      (whole, mark: string) =>
        encoded.mentions[numberIn(mark)]?.namesDate === true ? `minimum ${mark} and maximum ${mark}` : whole,
    )
    .replaceAll(/(<m\d+>) members?\b/g, (whole, mark: string) =>
      encoded.mentions[numberIn(mark)]?.words === 'staff' && refersTo(encoded, numberIn(mark), 'dataset')
        ? mark
        : whole,
    )
  parseAliases(encoded)
}

const isNumber = ({ mentions }: Encoded, mark: string): boolean => mentions[numberIn(mark)]?.namesNumber === true
/** "number of customer visits": a word that nothing knows and that follows what is counted is another name for it. */
function parseAliases(encoded: Encoded): void {
  const counted = new RegExp(`(?:number|count) of ${DET}(${M}) (\\p{L}+)`, 'u')
  const found = counted.exec(encoded.text)
  const [, mark, word = ''] = found ?? []
  if (!found || !encoded.unknown.some((each) => each.toLowerCase() === word)) return
  encoded.text = encoded.text
    .replace(`${mark ?? ''} ${word}`, mark ?? '')
    .replaceAll(new RegExp(`\\b(?:total|total number of|number of) ${word}\\b`, 'g'), `number of ${mark ?? ''}`)
}

/** "Density (population divided by area)": a name with its formula beside it is the formula. */
export function nameFormulas(encoded: Encoded): void {
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
/** "How many side effects of each type": rows for each value of what is named. */
function countKinds(encoded: Encoded): void {
  encoded.text = encoded.text.replaceAll(
    /\b(?:how many|number of) (?:different )?(<m\d+>) (?:of|by|per|for) (?:each|every)? ?(?:type|kind|sort|<m(\d+)>)(?= ?(?:$|[?.,]|were|was|are|is|have|has|for|in|with))/g,
    (whole, mark: string, type: string | undefined) => {
      const isType =
        type === undefined || /^(?:types?|kinds?|sorts?)$/.test(encoded.mentions[Number(type)]?.words ?? '')
      if (
        !isType ||
        !refersTo(encoded, numberIn(mark), 'column') ||
        encoded.mentions[numberIn(mark)]?.namesNumber === true
      )
        return whole
      const label = `number of ${encoded.mentions[numberIn(mark)]?.words ?? ''}`
      return `<q${encoded.figures.push({ kind: 'count', of: null, distinct: false, label }) - 1}> per ${mark}`
    },
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
  // "Which instructor teaches the most courses", where a table is called so.
  encoded.text = encoded.text.replaceAll(
    /(<m\d+>) (<m\d+>) (?=(?:the )?(?:most|fewest|least) )/g,
    (whole, mark: string, verb: string) =>
      refersTo(encoded, numberIn(mark), 'dataset') && refersTo(encoded, numberIn(verb), 'dataset')
        ? `${mark} had `
        : whole,
  )
  // "The most cited papers": what is done most, whatever other rows have a heading for it.
  encoded.text = encoded.text.replaceAll(
    /(?<=\b(?:most|least) )<m(\d+)> (?=(<m\d+>))/g,
    (whole, at: string, next: string) => {
      const [verb, thing] = [encoded.mentions[Number(at)], encoded.mentions[numberIn(next)]?.matches[0]?.ref]
      const ref = verb?.matches[0]?.ref
      if (!/^[a-z]{2,}ed$/.test(verb?.words ?? '') || ref?.kind !== 'column' || thing?.kind !== 'dataset') return whole
      if (ref.dataset === thing.dataset) return whole
      passOver(Number(at))
      return `${verb?.words ?? ''} `
    },
  )
  // "Which studio released the most films": the verb says no more than "had".
  encoded.text = encoded.text.replaceAll(
    /<m(\d+)> (?=(?:the )?(?:most|fewest|least|highest|largest|biggest|lowest) (?!recent))/g,
    (whole, at: string, offset: number, text: string) => {
      if (!isVerb(encoded, Number(at))) return whole
      // "Closed the most tickets": only those that were closed.
      if (!MAY_NOT_HAPPEN.test(encoded.mentions[Number(at)]?.words ?? '')) passOver(Number(at))
      // "Who sent the largest payment" ranks payments; "released the most films" counts them.
      return /^(?:the )?(?:most|fewest|least) /.test(text.slice(offset + whole.length)) ? 'had ' : ''
    },
  )
  // "Per customer city": the heading of a thing.
  encoded.text = encoded.text.replaceAll(
    /(?<=\b(?:per|by|each|every|and|the|which|what|efter) )(<m\d+>) (?=(<m\d+>))/g,
    (whole, mark: string, next: string) => {
      const [thing, heading] = [mark, next].map((each) => encoded.mentions[numberIn(each)]?.matches[0]?.ref)
      return thing?.kind === 'dataset' &&
        heading?.kind === 'column' &&
        heading.dataset === thing.dataset &&
        encoded.mentions[numberIn(next)]?.namesDate !== true
        ? ''
        : whole
    },
  )
  // "By policy holder name": the thing before says only of what.
  encoded.text = encoded.text.replaceAll(
    /(?<=\b(?:per|by|each|every) )(<m\d+>) (?=(<m\d+>)(?= ?(?:$|[?.,]|and |in |for |<d)))/g,
    (whole, mark: string, next: string) =>
      refersTo(encoded, numberIn(mark), 'dataset') &&
      refersTo(encoded, numberIn(next), 'column') &&
      /\b(?:names?|namn)$/.test(encoded.mentions[numberIn(next)]?.words ?? '')
        ? ''
        : whole,
  )
  // "Population density": the last one is what is meant, of whatever the first one is.
  encoded.text = encoded.text.replaceAll(/(<m\d+>) (?=(<m\d+>))/g, (whole, mark: string, next: string) => {
    const [one, two] = [encoded.mentions[numberIn(mark)], encoded.mentions[numberIn(next)]]
    const [first, second] = [one, two].map((each) => each?.matches[0]?.ref)
    const areFigures = one?.namesNumber === true && two?.namesNumber === true
    const isOfTable = two?.matches.some(
      ({ ref }) =>
        ref.kind === 'column' &&
        first?.kind === 'column' &&
        second?.kind === 'column' &&
        ref.dataset === second.dataset,
    )
    if (!areFigures || isOfTable !== true || /^(?:prices?|values?|amounts?|rates?|figures?)$/.test(two.words))
      return whole
    passOver(numberIn(mark))
    return ''
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

/** Whether one column holds both values. */
const shareColumn = ({ values }: Encoded, one: number, two: number): boolean =>
  (values[one]?.matches ?? []).some(({ dataset, column }) =>
    values[two]?.matches.some((other) => other.dataset === dataset && other.column === column),
  )
