import type { BlockKind, ReportBlock } from './blocks'
import { STATEMENT_NAMES } from '../statements/statements'

export const BLOCK_NAMES: Record<BlockKind, string> = {
  kpis: 'Key figures',
  insight: 'Insight',
  metric: 'Metric',
  forecast: 'Forecast',
  statement: 'Statement',
  text: 'Text',
  observation: 'Observation',
  image: 'Image',
  divider: 'Divider',
  pageBreak: 'Page break',
}
/** What a block is called: its title where somebody gave it one. */
export function blockName(block: ReportBlock): string {
  if ('title' in block && block.title !== '') return block.title
  if (block.kind === 'statement') return STATEMENT_NAMES[block.query.statement].en
  if (block.kind === 'text') {
    const [first = ''] = block.text.split('\n').filter((line) => line.trim() !== '')
    const words = first.replace(/^[#*\- ]+/, '').slice(0, 40)
    return words === '' ? BLOCK_NAMES.text : `Text “${words}”`
  }
  return BLOCK_NAMES[block.kind]
}
