import { replaceEqualDeep } from '@tanstack/react-query'
import type { ErrorBody } from '../../../../src/shared/errors'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { TileAnswer, TileContent } from '../../../../src/shared/reports/tiles'

/** What is known of one block's figures. */
export interface TileState {
  /** The newest good figures; they stay while others are on their way. */
  content: TileContent | null
  /** Why the newest question was refused; null when it was answered, or is still on its way. */
  error: ErrorBody | null
  /** Newer figures are on their way. */
  waiting: boolean
  /** They have been for so long that a person feels it. */
  lasting: boolean
  /** The answer broke off before this block's turn. */
  broken: Error | null
}
const NOTHING: TileState = { content: null, error: null, waiting: false, lasting: false, broken: null }
const ENDED = { waiting: false, lasting: false }

/** Quick answers do not flicker: what is on screen stays as it is for so many ms. */
export const FELT_MS = 300

/** Figures by block. Whoever draws one is told of that one only. */
export interface TileStore {
  get: (block: string) => TileState
  subscribe: (block: string, listener: () => void) => () => void
  /** These are asked for. */
  begin: (blocks: readonly string[]) => void
  take: (answer: TileAnswer) => void
  /** Those still waited for will not come. */
  fail: (blocks: readonly string[], error: Error) => void
}

/** The same figures are the same object, so that nothing is drawn again; whether an answer was kept changes nothing. */
const sameOr = (before: TileContent | null, now: TileContent): TileContent => replaceEqualDeep(before, unmarked(now))
function unmarked(content: TileContent): TileContent {
  if (content.kind !== 'chart') return content
  const fresh = (result: QueryResult): QueryResult => ({ ...result, cached: false })
  const totals = content.pivot && Object.entries(content.pivot).map(([name, one]) => [name, one && fresh(one)])
  return { ...content, result: fresh(content.result), ...(totals ? { pivot: Object.fromEntries(totals) } : {}) }
}

export function createTileStore(): TileStore {
  const states = new Map<string, TileState>()
  const listeners = new Map<string, Set<() => void>>()
  /** The answer that each block shows: a page hands over a kept one again, which is not to be compared figure by figure. */
  const taken = new Map<string, TileAnswer>()
  /** The wait that each block began last: one that is over is not told of the next. */
  const waits = new Map<string, object>()
  const get = (block: string): TileState => states.get(block) ?? NOTHING
  const set = (block: string, next: TileState): void => {
    const before = get(block)
    if (
      before.content === next.content &&
      before.error === next.error &&
      before.waiting === next.waiting &&
      before.lasting === next.lasting &&
      before.broken === next.broken
    )
      return
    states.set(block, next)
    listeners.get(block)?.forEach((listener) => listener())
  }
  return {
    get,
    subscribe: (block, listener) => {
      const own = listeners.get(block) ?? new Set()
      listeners.set(block, own.add(listener))
      return () => void own.delete(listener)
    },
    begin: (blocks) => {
      const begun = { blocks: blocks.filter((block) => !get(block).waiting) }
      begun.blocks.forEach((block) => waits.set(block, begun))
      blocks.forEach((block) => set(block, { ...get(block), waiting: true, broken: null }))
      if (begun.blocks.length === 0) return
      setTimeout(() => {
        for (const block of begun.blocks)
          if (get(block).waiting && waits.get(block) === begun) set(block, { ...get(block), lasting: true })
      }, FELT_MS)
    },
    take: (answer) => {
      const { content, waiting, broken } = get(answer.block)
      if (taken.get(answer.block) === answer && !waiting && !broken) return
      taken.set(answer.block, answer)
      if ('error' in answer) set(answer.block, { content, error: answer.error, ...ENDED, broken: null })
      else set(answer.block, { content: sameOr(content, answer.content), error: null, ...ENDED, broken: null })
    },
    fail: (blocks, error) =>
      blocks
        .filter((block) => get(block).waiting)
        .forEach((block) => set(block, { ...get(block), ...ENDED, broken: error })),
  }
}
