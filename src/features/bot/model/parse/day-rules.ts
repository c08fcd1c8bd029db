import { isVerb, M, numberIn, type Encoded } from './encoded'
import { replaceMatches } from './replace-matches'
import type { QuestionParts } from './ask'

const BE = '(?:(?:that|which|who|som) )?(?:(?:is|are|was|were|ar|var|has gone|have gone|has passed|har passerat) )?'
const NOT = '(?<not>not |inte |ej )?'
/** "Overdue invoices", "projects past their deadline": what should have happened before today. */
export function parseOverdue(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `${BE}${NOT}(?:yet |already |redan )?(?:past|beyond|over|passerat|efter|har passerat) (?:the |their |its |our |sin |sitt |sina )(?<of>${M})(?= ?(?:$|[?.,]|but |and |men |och |by |per ))`,
    (found) => {
      const of = numberIn(found.groups?.['of'])
      // "Paid past its due date" compares two days of a row.
      const before = encoded.text.slice(0, encoded.text.indexOf(found[0])).trim()
      const isVerbal = /(?:ed|ades|ats|des|paid|sent|made)$/.test(before) || /<m\d+> (?:was|were)$/.test(before)
      if (encoded.mentions[of]?.namesDate !== true || isVerbal) return null
      ask.overdue.push({ of, isDenied: found.groups?.['not'] !== undefined })
      return ' '
    },
  )
  replaceMatches(
    encoded,
    `${BE}${NOT}(?:over ?due|past due|late unpaid|forfallna?|forfallen|forfallet)(?! <m)`,
    (found) => {
      ask.overdue.push({ of: null, isDenied: found.groups?.['not'] !== undefined })
      return ' '
    },
  )
  replaceMatches(encoded, `(?:over ?due|past due|forfallna?) (?=${M})`, () => {
    ask.overdue.push({ of: null, isDenied: false })
    return ' '
  })
}

/** "Returned after the due date": two days of one row. */
export function parseBeside(encoded: Encoded, ask: QuestionParts): void {
  replaceMatches(
    encoded,
    `(?<before><[mv]\\d+>|[a-z]+) (?<way>after|later than|past|before|earlier than|prior to|efter|fore) (?:the |their |its |our )?(?<of>${M})`,
    (found) => {
      const { before = '', way = '', of } = found.groups ?? {}
      const at = numberIn(of)
      if (encoded.mentions[at]?.namesDate !== true || isVerb(encoded, at)) return null
      const verb = before.startsWith('<m')
        ? encoded.mentions[numberIn(before)]?.words
        : before.startsWith('<v')
          ? encoded.values[numberIn(before)]?.phrase
          : before
      ask.beside.push({ verb: verb ?? '', op: /^(?:after|later|past|efter)/.test(way) ? 'gt' : 'lt', of: at })
      // A verb that a day is called by is compared, and not listed.
      return before.startsWith('<m') && encoded.mentions[numberIn(before)]?.namesDate === true ? ' ' : ` ${before} `
    },
  )
}

const HAPPENED =
  '(?<verb>paid|pays?|delivered|delivers?|received|returned|returns?|shipped|ships?|finished|completed|closed|resolved|settled|arrived|arrives?|betal\\w+|lever\\w+|returner\\w+|lamnad\\w*|aterlamn\\w+|anlant|anlande|slutford\\w*|avslutad\\w*)'
/** "Delivered late", "late returns", "betaldes i tid": after the day by which it should have happened, or not. */
export function parseLate(encoded: Encoded, ask: QuestionParts): void {
  const isCalled = [
    ...encoded.mentions.flatMap(({ words, namesYesNo }) => (namesYesNo ? [] : [words])),
    ...encoded.values.map(({ phrase }) => phrase),
  ].some((name) => /(?<![a-z])(?:late|delayed|on time|forsenad|sen)(?![a-z])/.test(name))
  if (isCalled) return
  const be =
    '(?:(?:that|which|who|som) )?(?:(?:is|are|was|were|been|be|get|got|gets|blev|blir|har|ar) )*(?<not>not |inte )?'
  const when = '(?<late>too late|late|after the deadline|behind schedule|for sent|sent|on time|in time|i tid)'
  const add = ({ groups = {} }: RegExpExecArray): void => {
    const { verb, named, not, late = '' } = groups
    const value = named?.startsWith('<v') === true ? encoded.values[numberIn(named)]?.phrase : undefined
    const said = named === undefined ? verb : (value ?? encoded.mentions[numberIn(named)]?.words)
    const isOnTime = /time|tid/.test(late)
    ask.late.push({ verb: said ?? null, isDenied: isOnTime !== (not !== undefined) })
  }
  replaceMatches(
    encoded,
    `${be}(?:${HAPPENED}|(?<named>${M}|<v\\d+>)) ${when}(?= ?(?:$|[?.,]|<d|by |per |in |i |most |oftast |for |last |this |and |och ))`,
    (found) => {
      const { named, late = '' } = found.groups ?? {}
      if (named?.startsWith('<m') === true && encoded.mentions[numberIn(named)]?.namesDate !== true) return null
      if (
        named?.startsWith('<v') === true &&
        !new RegExp(`^${HAPPENED}$`).test(encoded.values[numberIn(named)]?.phrase ?? '')
      )
        return null
      if (late === 'sent' && !/(?:betal|lever|returner|lamna|anlan|slut|avslut)/.test(found[0])) return null
      add(found)
      return ' '
    },
  )
  replaceMatches(encoded, `(?<late>late|delayed|forsenade?|sena) (?=${M})`, (found) => {
    add(found)
    return ' '
  })
  replaceMatches(
    encoded,
    `(?<=> )(?:(?:is|are|was|were|ar|var|blev) )(?<not>not |inte )?(?<late>late|delayed|forsenade?|sena)(?= ?(?:$|[?.,]|by |per ))`,
    (found) => {
      add(found)
      return ' '
    },
  )
}
