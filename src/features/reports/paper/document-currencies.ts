import type { ReportDocument } from '../../../shared/reports/editions'
import type { QueryResult } from '../../../shared/query/result'
import type { TileContent, TokenAnswer } from '../../../shared/reports/tiles'

const ofResult = ({ columns }: QueryResult): string[] =>
  columns.flatMap(({ format }) => (format.style === 'currency' ? [format.currency] : []))

const ofTokens = (tokens: Readonly<Record<string, TokenAnswer>>): string[] =>
  Object.values(tokens).flatMap((token) => ('figure' in token ? ofResult(token.figure.result) : []))

function ofContent(content: TileContent): string[] {
  switch (content.kind) {
    case 'kpis':
      return content.figures.flatMap((figure) => ('error' in figure ? [] : ofResult(figure.result)))
    case 'chart':
      return ofResult(content.result)
    case 'forecast':
      return content.run.format.style === 'currency' ? [content.run.format.currency] : []
    case 'statement':
      return content.statement.company.currency === null ? [] : [content.statement.company.currency]
    case 'text':
    case 'observation':
      return ofTokens(content.tokens)
  }
}

/** The currencies of the amounts in a document, "EUR, SEK"; the workspace's where none of its figures names one. */
export function currenciesOf({ pages, notation }: Pick<ReportDocument, 'pages' | 'notation'>): string {
  const named = pages.flatMap(({ blocks }) =>
    blocks.flatMap(({ answer }) => (answer !== null && 'content' in answer ? ofContent(answer.content) : [])),
  )
  return named.length === 0 ? notation.currency : [...new Set(named)].toSorted().join(', ')
}
