import { memberInSentence, seasonPlaceName, type Finding } from '../../src/shared/findings'

/** A finding's sentence as plain text: figures as they are, periods by their first days. */
export const plainSentenceOf = ({ sentence }: Pick<Finding, 'sentence'>): string =>
  sentence
    .map((part, at) => {
      if ('text' in part) return part.text
      if ('member' in part) return memberInSentence(sentence, at, part.member)
      if ('season' in part) return seasonPlaceName(part.season)
      if ('period' in part)
        return part.period.from === part.period.to ? part.period.from : `${part.period.from} to ${part.period.to}`
      return String(part.figure)
    })
    .join('')
