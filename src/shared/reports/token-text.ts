import type { FigureTile, TokenAnswer } from './tiles'
import { replaceTokens, tokensOf, type TextToken, type TokenFormat } from './text-tokens'
import { toNumber, type CellFormatter } from '../figures/cell-formatter'
import { MISSING_VALUE, shareOfChange } from '../figures/figures'
import { withPercent } from '../charts/chart-model'
import { keyFigure, type KeyFigure } from '../charts/headline'

/** The figure of an answer with one. */
export function figureOf({ result, percent }: Pick<FigureTile, 'result' | 'percent'>): KeyFigure | null {
  return keyFigure(percent ? withPercent(result, [0]) : result)
}

/** How a figure that a text names is written. */
export function tokenText(raw: string, answer: TokenAnswer | undefined, format: CellFormatter): string {
  if (answer === undefined) return '…'
  if ('error' in answer) return MISSING_VALUE
  if ('date' in answer) return answer.date
  const token: TextToken | undefined = tokensOf(raw)[0]
  if (token?.kind !== 'figure') return MISSING_VALUE
  if (token.format === 'days') return answer.figure.result.period?.label ?? 'all time'
  const figure = figureOf(answer.figure)
  if (!figure || toNumber(figure.value) === null) return MISSING_VALUE
  return token.compare === null ? plainText(figure, token.format, format) : changeText(figure, token.format, format)
}

type FigureFormat = Exclude<TokenFormat, 'days'>

function plainText(figure: KeyFigure, as: FigureFormat, format: CellFormatter): string {
  const { value, column } = figure
  if (as === 'full') return format.full(value, column)
  const number = toNumber(value)
  return as === 'percent' && number !== null && column.format.style !== 'percent'
    ? format.share(number)
    : format.sentence(value, column)
}

/** A change: its share of what was before, or its amount; of per cent always in points. */
function changeText(figure: KeyFigure, as: FigureFormat, format: CellFormatter): string {
  const [now, before] = [toNumber(figure.value), toNumber(figure.previous)]
  if (now === null || before === null) return MISSING_VALUE
  if (as === 'percent' && figure.column.format.style !== 'percent') {
    const share = shareOfChange(now, before)
    return share === null ? format.signedSentence(figure.change, figure.column) : format.share(share, true)
  }
  return as === 'full'
    ? format.signed(figure.change, figure.column)
    : format.signedSentence(figure.change, figure.column)
}

/** A text with its figures written out; a dash stands for one without an answer. */
export const writeTokens = (
  text: string,
  answers: Readonly<Record<string, TokenAnswer>>,
  format: CellFormatter,
): string =>
  replaceTokens(text, (raw) => {
    const answer = answers[raw]
    return answer === undefined ? MISSING_VALUE : tokenText(raw, answer, format)
  })
