import { metricFigure } from './figures'
import type { ReportPage } from './page'
import { toldPeriod } from './told-period'
import { ProductError } from '../../shared/errors'
import { dayFromIso } from '../../shared/dates'
import { tokenRange, tokensOf, type TextToken } from '../../shared/reports/text-tokens'
import type { TokenAnswer } from '../../shared/reports/tiles'
import { dayRangeLabel } from '../../warehouse/query/time/resolve-period'

/** What the tokens of a text stand for, by how they are written. Each fails by itself. */
export async function answerTokens(page: ReportPage, text: string): Promise<Record<string, TokenAnswer>> {
  const answers = tokensOf(text).map(async (token): Promise<[string, TokenAnswer]> => {
    try {
      return [token.raw, await answerToken(page, token)]
    } catch (error) {
      return [token.raw, { error: page.refusal(error) }]
    }
  })
  return Object.fromEntries(await Promise.all(answers))
}

async function answerToken(page: ReportPage, token: TextToken): Promise<TokenAnswer> {
  const { calendar } = page.context
  if (token.kind === 'unknown') throw new ProductError('not_found', {}, `Unknown token: ${token.part}`)
  if (token.kind === 'date') {
    const today = dayFromIso(calendar.today) ?? 0
    return {
      date:
        token.of === 'today'
          ? dayRangeLabel({ from: today, to: today })
          : toldPeriod(page.view.period.range, await page.periodLabels(), calendar),
    }
  }
  const range = token.period === null ? page.view.period.range : tokenRange(token.period)
  return { figure: await metricFigure(page, token.metric, { range, compare: token.compare ?? 'none' }) }
}
