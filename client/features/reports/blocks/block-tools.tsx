import { createContext, useContext } from 'react'
import { useTileSlots } from './slots'

/** What readers can do with a block beside looking at it; null where nothing: in the editor, presenting, frozen. */
export interface BlockToolsValue {
  report: string
  onComments: (block: string) => void
}
export const BlockToolsContext = createContext<BlockToolsValue | null>(null)

export function BlockTools({ block, title }: { block: string; title: string }) {
  const tools = useContext(BlockToolsContext)
  const slots = useTileSlots()
  return tools && slots.commentButton({ report: tools.report, block, title, onOpen: tools.onComments })
}
