import type { ReportBlock } from '../../../shared/reports/blocks'
import type { DocumentBlock } from '../../../shared/reports/editions'
import type { TileContent } from '../../../shared/reports/tiles'
import { STATEMENT_NAMES } from '../../../shared/statements/statements'

export const contentOf = ({ answer }: DocumentBlock): TileContent | null =>
  answer !== null && 'content' in answer ? answer.content : null

export const titleOf = (block: ReportBlock, name: string): string =>
  'title' in block && block.title !== '' ? block.title : name

/** What is written above a block; null for one without a title. */
export function nameOnPaper(one: DocumentBlock): string | null {
  const content = contentOf(one)
  if (content?.kind === 'statement')
    return titleOf(one.block, STATEMENT_NAMES[content.statement.kind][content.language])
  return content && 'name' in content ? titleOf(one.block, content.name) : null
}
