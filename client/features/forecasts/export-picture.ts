import type { ChartSpec } from '../../ui/chart/drawing'
import type { CellFormatter } from '../../ui/chart/figure-format'
import { lightColours } from '../../ui/chart/chart-colours'
import { renderExportPage } from '../../ui/chart/sheet'
import type { ExportPageText } from '../../ui/chart/sheet'
import { chartExportBody } from '../../ui/chart/sheet-bodies'

/** A download names its workspace in the address: a link carries no headers. */
export function exportUrl(id: string, options: { format: 'csv' | 'xlsx'; workspace: string }): string {
  const search = new URLSearchParams({ format: options.format, w: options.workspace })
  return `/files/forecasts/${encodeURIComponent(id)}/export?${search.toString()}`
}

/** A name that every file system takes. */
export const safeFileName = (name: string): string => name.replace(/[^\p{L}\p{N}.,_-]+/gu, ' ').trim() || 'forecast'

/** A picture of a forecast on paper: in light colours, with what is to be known of it. */
export async function forecastPng(chartSpec: ChartSpec, text: ExportPageText, figures: CellFormatter): Promise<Blob> {
  const font = getComputedStyle(document.body).fontFamily || 'sans-serif'
  const colours = lightColours(font)
  await document.fonts.ready
  const canvas = renderExportPage(text, await chartExportBody(chartSpec, figures, colours), colours)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new TypeError('The picture could not be made.'))),
      'image/png',
    )
  })
}
