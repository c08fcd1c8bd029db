import { WIDTH_PX } from './chart-frame'
import { CHAR_PX, shortLabels } from './short-names'
import type { RenderSettings } from './chart-spec'

const GAP_PX = 10
/** Names this wide can still be told by their beginning. */
const SHORTENED_MIN_PX = 64
/** Room that a turned name takes across. */
const TURNED_PX = 14
const SLANTED_PX = 30
const TURNED_LENGTH_PX = 110
/** Figures beside the names, and the edges. */
const BESIDE_PX = 90

/** How the names under a picture are written; none is left out without a word. */
export interface CategoryLabelLayout {
  axisLabel: {
    interval: number
    rotate?: number
    width?: number
    overflow?: 'truncate'
    ellipsis?: '…'
    formatter?: (name: string, at: number) => string
    hideOverlap: false
  }
  /** Said under the axis where there is no room for every name: "20 of 60 labels". */
  missing?: string
}

/** Names side by side: as they are, shortened, slanted, upright, and at last every so many of them. */
export function layOutCategoryLabels(
  labels: readonly string[],
  { width = WIDTH_PX, narrow = false }: Pick<RenderSettings, 'width' | 'narrow'>,
): CategoryLabelLayout {
  const room = Math.max(1, width - (narrow ? BESIDE_PX / 1.5 : BESIDE_PX)) / Math.max(1, labels.length)
  const longest = Math.max(0, ...labels.map((label) => label.length)) * CHAR_PX
  const all = { interval: 0, hideOverlap: false } as const
  if (longest + GAP_PX <= room) return { axisLabel: all }
  if (room >= SHORTENED_MIN_PX + GAP_PX)
    return { axisLabel: { ...all, ...shortLabels(labels, Math.floor(room - GAP_PX)) } }
  const turned = { ...all, ...shortLabels(labels, Math.min(TURNED_LENGTH_PX, longest)) }
  if (room >= SLANTED_PX) return { axisLabel: { ...turned, rotate: 45 } }
  if (room >= TURNED_PX) return { axisLabel: { ...turned, rotate: 90 } }
  const every = Math.ceil(TURNED_PX / room)
  const shown = Math.ceil(labels.length / every)
  return {
    axisLabel: { ...turned, rotate: 90, interval: every - 1 },
    missing: `${shown} of ${labels.length} labels`,
  }
}

/** The line under an axis that says how many names it shows; nothing where it shows all. */
export const missingLabelsAxisName = ({ missing, axisLabel }: CategoryLabelLayout, colour: string) =>
  missing === undefined
    ? {}
    : {
        name: missing,
        nameLocation: 'middle' as const,
        nameGap: (axisLabel.width ?? 0) + GAP_PX,
        nameTextStyle: { color: colour, fontSize: 12 },
      }
