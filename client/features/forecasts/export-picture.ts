import type { Drawing } from '../../ui/chart/drawing'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { lightColours } from '../../ui/chart/chart-colours'
import { sheetCanvas } from '../../ui/chart/sheet'
import type { SheetText } from '../../ui/chart/sheet'
import { chartBody } from '../../ui/chart/sheet-bodies'

/** A download names its workspace in the address: a link carries no headers. */
export function exportAddress(id: string, ask: { format: 'csv' | 'xlsx'; workspace: string }): string {
  const search = new URLSearchParams({ format: ask.format, w: ask.workspace })
  return `/files/forecasts/${encodeURIComponent(id)}/export?${search.toString()}`
}

/** A name that every file system takes. */
export const fileName = (name: string): string => name.replace(/[^\p{L}\p{N}.,_-]+/gu, ' ').trim() || 'forecast'

/** A picture of a forecast on paper: in light colours, with what is to be known of it. */
export async function forecastPng(drawing: Drawing, text: SheetText, figures: FigureFormat): Promise<Blob> {
  const font = getComputedStyle(document.body).fontFamily || 'sans-serif'
  const colours = lightColours(font)
  await document.fonts.ready
  const canvas = sheetCanvas(text, await chartBody(drawing, figures, colours), colours)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new TypeError('The picture could not be made.'))),
      'image/png',
    )
  })
}
