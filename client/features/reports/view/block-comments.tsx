import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ReportBlock } from '../../../../src/shared/reports/blocks'
import { isSubscribable } from '../../../../src/shared/reports/block-subscriptions'
import { blocksOf } from '../../../../src/shared/reports/report-items'
import type { Report } from '../../../../src/shared/reports/reports'
import type { BlockToolsValue } from '../blocks/block-tools'
import { useTileSlots } from '../blocks/slots'
import { blockName } from '../../../../src/shared/reports/block-names'
import type { PageTiles } from '../tiles/use-tiles'

/** Of which block the comments are open: the address holds it, so that mails lead there. */
export function useBlockTalk({ id: report, published }: Pick<Report, 'id' | 'published'>): {
  tools: BlockToolsValue
  open: string | undefined
  close: () => void
} {
  const { comments: open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = useCallback(
    (block: string | undefined): void =>
      void navigate({ to: '.', search: (old) => ({ ...old, comments: block }), replace: true, resetScroll: false }),
    [navigate],
  )
  const tools = useMemo(() => {
    const told = published ? blocksOf(published).filter(isSubscribable) : []
    return { report, subscribable: new Set(told.map(({ id }) => id)), onComments: show }
  }, [report, published, show])
  const close = useCallback(() => show(undefined), [show])
  return { tools, open, close }
}

interface BlockCommentsProps {
  reportId: string
  /** Of the page that is looked at. */
  blocks: readonly ReportBlock[]
  talk: ReturnType<typeof useBlockTalk>
  tiles: Pick<PageTiles, 'store'>
}

/** What is said of the block that the address names. */
export function BlockComments({ reportId, blocks, talk, tiles }: BlockCommentsProps) {
  const slots = useTileSlots()
  const block = blocks.find(({ id }) => id === talk.open)
  if (!block) return null
  const { content } = tiles.store.get(block.id)
  const named = !('title' in block && block.title !== '') && content && 'name' in content ? content.name : ''
  return slots.comments({ report: reportId, block: block.id, title: named || blockName(block), onClose: talk.close })
}
