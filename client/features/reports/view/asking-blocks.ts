import { FIGURE_BLOCKS, type ReportBlock } from '../../../../src/shared/reports/blocks'

const hasFigures = (block: ReportBlock): boolean => FIGURE_BLOCKS.some((kind) => kind === block.kind)
/** Texts without figures ask nothing. */
const asks = (block: ReportBlock): boolean => hasFigures(block) && (block.kind !== 'text' || block.text.includes('{{'))
export const askingBlocks = (blocks: readonly ReportBlock[]): string[] => blocks.filter(asks).map(({ id }) => id)
