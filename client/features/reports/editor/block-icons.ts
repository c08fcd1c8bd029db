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
import type { BlockKind } from '../../../../src/shared/reports/blocks'

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
