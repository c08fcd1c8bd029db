import {
  IconChartBar,
  IconChartLine,
  IconFileText,
  IconInfoCircle,
  IconMath,
  IconNumbers,
  IconPageBreak,
  IconPhoto,
  IconReportMoney,
  IconSeparatorHorizontal,
  type Icon,
} from '@tabler/icons-react'
import type { BlockKind, ReportBlock } from '../../../../src/shared/reports/blocks'
import { STATEMENT_NAMES } from '../../../../src/shared/statements/statements'

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
export const BLOCK_ICONS: Record<BlockKind, Icon> = {
  kpis: IconNumbers,
  insight: IconChartBar,
  metric: IconMath,
  forecast: IconChartLine,
  statement: IconReportMoney,
  text: IconFileText,
  observation: IconInfoCircle,
  image: IconPhoto,
  divider: IconSeparatorHorizontal,
  pageBreak: IconPageBreak,
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
