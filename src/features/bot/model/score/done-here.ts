import { isDeedOf } from '../conditions/deeds'
import type { Context } from '../plan/context'

const DONE = '(?:sold|bought|purchased|rented|borrowed|booked|ordered|reviewed|traded)'
/** Whether the question says that things were sold, and the rows are their sales, one each. */
export function isDoneHere(context: Context, things: string): boolean {
  const { encoded, home } = context
  const isCounted = encoded.mentions.some(
    ({ matches: [best] }, at) =>
      best?.ref.kind === 'dataset' &&
      best.ref.dataset === things &&
      new RegExp(
        `<m${at}> (?:(?:were|was|has|have|had|been|are|did|it|he|she|they|each|the) )*${DONE}(?= |$)|${DONE} (?:the )?(?:most|fewest|least|more than \\d+|at least \\d+) <m${at}>`,
      ).test(encoded.source),
  )
  const verb = new RegExp(`(?:^| )(${DONE})(?= |$)`).exec(encoded.source)?.[1] ?? ''
  const isByPieces = home.columns.some(({ words }) => /^(?:quantity|qty|units|antal|pieces)$/.test(words.join(' ')))
  return isCounted && isDeedOf(verb, home) && !isByPieces
}
