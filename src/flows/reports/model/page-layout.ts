import type { BlockOf, BlockKind, ReportBlock } from '../../../shared/reports/blocks'
import type { ReportPage } from '../../../shared/reports/reports'

type BlockWithoutPlace<K extends BlockKind> = K extends BlockKind ? Omit<BlockOf<K>, 'id' | 'place'> : never
type BlockWithoutId<K extends BlockKind> = K extends BlockKind ? Omit<BlockOf<K>, 'id'> : never
/** Blocks beside each other, with columns and rows of the grid that they take. */
export type PlacedRow = { block: BlockWithoutPlace<BlockKind>; w: number; h: number }[]

/** Rows of blocks below each other, each as high as its highest block. */
export function layOut(rows: readonly PlacedRow[]): BlockWithoutId<BlockKind>[] {
  let y = 0
  return rows.flatMap((row) => {
    let x = 0
    const placed = row.map(({ block, w, h }) => {
      const at = { ...block, place: { x, y, w, h } }
      x += w
      return at
    })
    y += Math.max(0, ...row.map(({ h }) => h))
    return placed
  })
}

const localId = (word: string, ...numbers: number[]): string =>
  `${word}${numbers.map((number) => String(number + 1).padStart(2, '0')).join('')}`

/** A page of a report; its number tells its blocks from those of others. */
export const pageOf = (at: number, name: string, blocks: readonly BlockWithoutId<BlockKind>[]): ReportPage => ({
  id: localId('page', at),
  name,
  blocks: blocks.map((block, index): ReportBlock => ({ ...block, id: localId('block', at, index) })),
})

export const heading = (title: string, below: string): PlacedRow => [
  {
    w: 12,
    h: below === '' ? 2 : 3,
    block: { kind: 'text', text: below === '' ? `# ${title}` : `# ${title}\n\n${below}` },
  },
]

/** Of a workspace that has nothing to show yet. */
export const emptyPage = (title: string, needs: readonly string[]): ReportPage =>
  pageOf(
    0,
    'Page 1',
    layOut([
      heading(title, ''),
      [
        {
          ...{ w: 12, h: 4 + needs.length },
          block: { kind: 'text', text: ['To fill this report:', ...needs.map((need) => `- ${need}`)].join('\n\n') },
        },
      ],
    ]),
  )
