import type { ReportBlock } from '../../../../src/shared/reports/blocks'
import type { ReportContent, ReportPage } from '../../../../src/shared/reports/reports'
import { compact, moveTo, NEW_SIZES, placeForNew } from './layout'

/** What somebody works on in the editor. */
export interface ReportDocument {
  name: string
  description: string
  content: ReportContent
}

export const pageAt = ({ content }: ReportDocument, page: string): ReportPage | undefined =>
  content.pages.find(({ id }) => id === page)

const withPages = (document: ReportDocument, pages: ReportPage[]): ReportDocument => ({
  ...document,
  content: { ...document.content, pages },
})
const withBlocks = (
  document: ReportDocument,
  page: string,
  change: (blocks: readonly ReportBlock[]) => ReportBlock[],
): ReportDocument =>
  withPages(
    document,
    document.content.pages.map((one) => (one.id === page ? { ...one, blocks: change(one.blocks) } : one)),
  )

/** A block that has no place yet. */
export type NewBlock = ReportBlock extends infer B ? (B extends ReportBlock ? Omit<B, 'id' | 'place'> : never) : never

/** A block at the end of a page. */
export const addBlock = (document: ReportDocument, page: string, block: NewBlock, id: string): ReportDocument =>
  withBlocks(document, page, (blocks) => [
    ...blocks,
    { ...block, id, place: placeForNew(blocks, NEW_SIZES[block.kind]) },
  ])

export const removeBlock = (document: ReportDocument, page: string, block: string): ReportDocument =>
  withBlocks(document, page, (blocks) => compact(blocks.filter(({ id }) => id !== block)))

export function duplicateBlock(document: ReportDocument, page: string, block: string, id: string): ReportDocument {
  return withBlocks(document, page, (blocks) => {
    const found = blocks.find((one) => one.id === block)
    if (!found) return [...blocks]
    const { x, y, w, h } = found.place
    const copy = { ...found, id, place: placeForNew(blocks, { w, h }) }
    return moveTo([...blocks, copy], id, { x, y: y + h })
  })
}

export const replaceBlock = (document: ReportDocument, page: string, block: ReportBlock): ReportDocument =>
  withBlocks(document, page, (blocks) => blocks.map((one) => (one.id === block.id ? block : one)))

export const placeBlocks = (document: ReportDocument, page: string, placed: readonly ReportBlock[]): ReportDocument =>
  withBlocks(document, page, () => [...placed])

/** A block on another page, below what is there. */
export function moveToPage(document: ReportDocument, from: string, block: string, to: string): ReportDocument {
  const found = pageAt(document, from)?.blocks.find(({ id }) => id === block)
  if (!found || from === to) return document
  return withBlocks(removeBlock(document, from, block), to, (blocks) => {
    const { w, h } = found.place
    return [...blocks, { ...found, place: placeForNew(blocks, { w, h }) }]
  })
}

export const addPage = (document: ReportDocument, id: string): ReportDocument =>
  withPages(document, [
    ...document.content.pages,
    { id, name: `Page ${document.content.pages.length + 1}`, blocks: [] },
  ])
export const renamePage = (document: ReportDocument, page: string, name: string): ReportDocument =>
  withPages(
    document,
    document.content.pages.map((one) => (one.id === page ? { ...one, name } : one)),
  )
/** The last page stays. */
export const removePage = (document: ReportDocument, page: string): ReportDocument =>
  document.content.pages.length === 1
    ? document
    : withPages(
        document,
        document.content.pages.filter(({ id }) => id !== page),
      )
export function movePage(document: ReportDocument, page: string, by: -1 | 1): ReportDocument {
  const pages = [...document.content.pages]
  const from = pages.findIndex(({ id }) => id === page)
  const [moved] = pages.splice(from, 1)
  if (!moved || from + by < 0 || from + by > pages.length) return document
  return withPages(document, pages.toSpliced(from + by, 0, moved))
}

export const withContent = (document: ReportDocument, content: Partial<ReportContent>): ReportDocument => ({
  ...document,
  content: { ...document.content, ...content },
})

/** What of a page's blocks decides its figures: not where they lie, nor what they are called. */
export function figuresKey({ pages, filters, period }: ReportContent, page: string): string {
  const blocks = pages.find(({ id }) => id === page)?.blocks ?? []
  return JSON.stringify([
    blocks.map(({ place: _place, ...block }) => ('title' in block ? { ...block, title: '' } : block)),
    filters,
    period,
  ])
}
