import { createContext, memo, useContext } from 'react'
import { SubscribeButton } from '../subscriptions/subscribe-button'
import { useTileSlots } from './slots'

/** What readers can do with a block beside looking at it; null where nothing: in the editor, presenting, frozen. */
export interface BlockToolsValue {
  report: string
  /** Blocks of which a mail can tell. */
  subscribable: ReadonlySet<string>
  onComments: (block: string) => void
}
export const BlockToolsContext = createContext<BlockToolsValue | null>(null)

/** Drawn again only when its block is called otherwise: its buttons have menus, and a page has many of them. */
export const BlockTools = memo(function BlockTools({ block, title }: { block: string; title: string }) {
  const tools = useContext(BlockToolsContext)
  const slots = useTileSlots()
  if (!tools) return null
  const { report, subscribable, onComments } = tools
  return (
    <>
      {subscribable.has(block) && <SubscribeButton report={report} block={block} title={title} />}
      {slots.commentButton({ report, block, title, onOpen: onComments })}
    </>
  )
})
