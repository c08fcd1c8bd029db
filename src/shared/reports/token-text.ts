import { keyFigure } from '../charts/headline'
import { MISSING_VALUE } from '../figures/figures'
import { toNumber, type CellFormatter } from '../figures/cell-formatter'
import { withPercent } from '../charts/chart-model'
import { replaceTokens, tokensOf, type FigureToken } from './text-tokens'
import type { TokenAnswer } from './tiles'

/** What a token of a figure says: the figure, or its change. */
function figureText(
  token: FigureToken,
  answer: Extract<TokenAnswer, { figure: unknown }>,
  format: CellFormatter,
): string {
  const { result, percent } = answer.figure
  const figure = keyFigure(percent ? withPercent(result, [0]) : result)
  if (!figure) return MISSING_VALUE
  if (token.compare === null)
    return token.format === 'short'
      ? format.sentence(figure.value, figure.column)
      : format.full(figure.value, figure.column)
  const change = toNumber(figure.change)
  if (change === null) return MISSING_VALUE
  if (token.format === 'percent' && figure.share !== null) return format.share(figure.share, true)
  return token.format === 'full'
    ? format.signed(figure.change, figure.column)
    : format.signedSentence(figure.change, figure.column)
}

/** A text with its tokens written out; one that has no answer is a dash. */
export function writeTokens(
  text: string,
  answers: Readonly<Record<string, TokenAnswer>>,
  format: CellFormatter,
): string {
  const written = new Map(
    tokensOf(text).map((token): [string, string] => {
      const answer = answers[token.raw]
      if (!answer || 'error' in answer) return [token.raw, MISSING_VALUE]
      if ('date' in answer) return [token.raw, answer.date]
      return [token.raw, token.kind === 'figure' ? figureText(token, answer, format) : MISSING_VALUE]
    }),
  )
  return replaceTokens(text, (raw) => written.get(raw) ?? MISSING_VALUE)
}
