import type { ConflictRow } from '../../../ui/forms/version-conflict-dialog'
import type { ReportDocument } from './document'
import { blockName } from '../../../../src/shared/reports/block-names'

const pages = ({ content }: ReportDocument): string => content.pages.map(({ name }) => name).join(', ')
const blocks = ({ content }: ReportDocument): string =>
  content.pages.flatMap((page) => page.blocks.map((block) => blockName(block))).join(', ') || 'None'
const filters = ({ content }: ReportDocument): string => content.filters.map(({ label }) => label).join(', ') || 'None'

/** What two versions of a report differ in, in words. */
export function conflictRows(mine: ReportDocument, theirs: ReportDocument): ConflictRow[] {
  const isSame = (read: (document: ReportDocument) => unknown): boolean =>
    JSON.stringify(read(mine)) === JSON.stringify(read(theirs))
  const rows: ConflictRow[] = [
    { label: 'Name', mine: mine.name, theirs: theirs.name },
    { label: 'Description', mine: mine.description, theirs: theirs.description },
    { label: 'Pages', mine: pages(mine), theirs: pages(theirs) },
    { label: 'Blocks', mine: blocks(mine), theirs: blocks(theirs) },
    { label: 'Filters', mine: filters(mine), theirs: filters(theirs) },
  ].filter((row) => row.mine !== row.theirs)
  if (rows.length === 0 && !isSame(({ content }) => content))
    rows.push({ label: 'Layout and settings', mine: 'Changed', theirs: 'Changed' })
  return rows
}
