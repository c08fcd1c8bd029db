import { MAY_NOT_HAPPEN } from '../language/verbs'
import { isVerb, M, numberIn, refersTo, type Encoded } from './encoded'
import { replaceMatches } from './replace-matches'
import type { QuestionParts } from './ask'

/** What is there or not: days, keys, yes and no. */
export function parseEmpties(encoded: Encoded, ask: QuestionParts): void {
  const empty = '(?:null|empty|missing|blank|unknown|not set|not specified|not available|unspecified|n/a|undefined)'
  replaceMatches(encoded, `(?<of>${M}) (?:is|are|was|were|has been) (?<not>not )?${empty}`, (found) => {
    ask.empties.push({ of: numberIn(found.groups?.['of']), isEmpty: found.groups?.['not'] === undefined })
    return ' '
  })
  replaceMatches(
    encoded,
    `(?:(?:with|where|if|whose) )?(?<of>${M}) (?:is |are |was |were |= |equals |being |ar )?(?:set to )?(?<yes>true|false|yes|no|ja|nej)(?= ?(?:$|[?.,;)]|and |or |och |in |for |by |per ))`,
    (found) => {
      const of = numberIn(found.groups?.['of'])
      if (encoded.mentions[of]?.namesYesNo !== true) return null
      ask.empties.push({ of, isEmpty: /^(?:false|no|nej)$/.test(found.groups?.['yes'] ?? '') })
      return ' '
    },
  )
  // "Are placebo", "är inte debiterbara": of what is only yes or no.
  replaceMatches(
    encoded,
    `(?:is|are|was|were|ar|but|men|har varit|(?:have|has|had) been) (?:currently |now |still |nu |just nu )?(?<not>not |non |inte |ej |icke )?(?:currently |now )?(?<of>${M})(?= ?(?:$|[?.,;]|and |or |och |by |per |did |does |do |were |was |are |have |has |har |hade |varje |each |every |in |for |i |<d))`,
    (found) => {
      const of = numberIn(found.groups?.['of'])
      if (encoded.mentions[of]?.namesYesNo !== true) return null
      ask.empties.push({ of, isEmpty: found.groups?.['not'] !== undefined })
      return ' '
    },
  )
  // "Get the newsletter": yes or no.
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|som) )?(?<not>(?:do|does|did) not |inte )?(?:gets?|receives?|wants?|subscribes? to|accepts?|allows?|far|vill ha|prenumererar pa)(?<no> inte)? (?:the |our |any |an? )?(?<of>${M})(?= ?(?:$|[?.,]|and |per |by |in ))`,
    (found) => {
      const { of, not, no } = found.groups ?? {}
      if (encoded.mentions[numberIn(of)]?.namesYesNo !== true) return null
      ask.empties.push({ of: numberIn(of), isEmpty: not !== undefined || no !== undefined })
      return ' '
    },
  )
  // "Open shops" of what is open or not.
  replaceMatches(
    encoded,
    `(?<not>not |non |inte |ej |excluding |except |without |exklusive |utom )?(?<of>${M}) (?<thing>${M})`,
    (found) => {
      const [of, thing] = [numberIn(found.groups?.['of']), numberIn(found.groups?.['thing'])]
      const isThing = encoded.mentions[thing]?.matches[0]?.ref.kind === 'dataset'
      const isNot = found.groups?.['not'] !== undefined
      // "Unpaid invoices": the day of it is not there.
      const isDay = isNot && encoded.mentions[of]?.namesDate === true
      if (!isThing || (encoded.mentions[of]?.namesYesNo !== true && !isDay)) return null
      ask.empties.push({ of, isEmpty: isNot })
      return /^(?:excl|exkl|exc|utom)/.test(found[0]) ? ' ' : (found.groups?.['thing'] ?? '')
    },
  )
  replaceMatches(
    encoded,
    `(?:have|has|had|got|with|used|uses|use|using|included?|includes|contain|contains|har|hade|med|anvande|anvander) (?:an?|any|some|en|ett|nagon|nagot) (?<of>${M})(?= ?(?:$|[?.,;]|and |per |by |who |that |which |som ))`,
    (found) => {
      const of = numberIn(found.groups?.['of'])
      const isUse = /^(?:used|uses?|using|includ|contain|anvand)/.test(found[0])
      if (!refersTo(encoded, of, 'column') && !(isUse && refersTo(encoded, of, 'dataset'))) return null
      ask.empties.push({ of, isEmpty: false })
      return ' '
    },
  )
  // "Suites with sea view": yes or no.
  replaceMatches(
    encoded,
    `(?:(?:that|which|som) )?(?<with>with|having|has|have|med|har|without|utan|lacking) (?:an? |the |en |ett )?(?<of>${M})(?= ?(?:$|[?.,]|and |och |per |by |in |i |who |that |which |som |<d))`,
    (found) => {
      const of = numberIn(found.groups?.['of'])
      if (encoded.mentions[of]?.namesYesNo !== true) return null
      ask.empties.push({ of, isEmpty: /^(?:without|utan|lacking)$/.test(found.groups?.['with'] ?? '') })
      return ' '
    },
  )
  // "Published in a journal": the key of one is there.
  replaceMatches(
    encoded,
    `(?<not>not |never )?(?:been )?(?:published|appeared|made|placed|held|issued|sold|paid|handled|registered|covered) (?:in|by|with|at|on|through|via|under) (?:an?|any) (?<of>${M})(?= ?(?:$|[?.,;]|and |per |by ))`,
    (found) => {
      const of = numberIn(found.groups?.['of'])
      if (!refersTo(encoded, of, 'dataset')) return null
      ask.empties.push({ of, isEmpty: found.groups?.['not'] !== undefined })
      return ' '
    },
  )
  // "Have been terminated": the day of it is there.
  if (encoded.dates.length === 0)
    replaceMatches(
      encoded,
      `(?:have|has|had|was|were|are|is|har|blev|ar) (?<not>not |never |inte |aldrig )?(?:been |blivit )?(?:yet )?(?<of>${M})(?= ?(?:$|[?.,;]|yet|but |and |men |och ))`,
      (found) => {
        const of = numberIn(found.groups?.['of'])
        if (
          !(isVerb(encoded, of) || isOften(encoded, of) || isState(encoded, of)) ||
          /first|last|when|nar/.test(encoded.source)
        )
          return null
        ask.empties.push({ of, isEmpty: found.groups?.['not'] !== undefined })
        return ' '
      },
    )
  replaceMatches(encoded, `(?:with )?(?:an? )?${empty} (?<of>${M})`, (found) => {
    ask.empties.push({ of: numberIn(found.groups?.['of']), isEmpty: true })
    return ' '
  })
}

/** "Were reopened", where a column says how often. */
const isOften = ({ mentions }: Encoded, at: number): boolean =>
  mentions[at]?.namesNumber === true && /[a-z]{3}ed$/.test(mentions[at].words)
/** "Are done", of the day on which they were. */
const isState = ({ mentions }: Encoded, at: number): boolean =>
  mentions[at]?.namesDate === true && MAY_NOT_HAPPEN.test(mentions[at].words)
