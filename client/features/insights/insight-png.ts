import type { Viz } from '../../../src/shared/insights'
import type { QueryResult } from '../../../src/shared/query-result'
import { lightColours } from '../../ui/chart/chart-colours'
import { drawingOf } from '../../ui/chart/drawing-of'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { keyFigure, periodWords } from '../../ui/chart/headline'
import { withPercent } from '../../ui/chart/percent'
import { sheetCanvas } from '../../ui/chart/sheet'
import type { SheetBody, SheetText } from '../../ui/chart/sheet'
import { chartBody, figuresBody, tableBody } from '../../ui/chart/sheet-bodies'
import type { TextTable } from '../../ui/chart/sheet-bodies'
import { answerNotes } from './answer-notes'
import { textTable } from './text-table'

export interface PngAsk {
  result: QueryResult
  viz: Viz
  format: FigureFormat
  title: string
  /** Of the data and of the export, in words. */
  dataAsOf: string
  today: string
  /** A pivot table as it stands on the screen. */
  table?: TextTable | undefined
}

/** Title, question, period, source and date: what makes a picture understood without the product. */
export function sheetText({ result, viz, title, dataAsOf, today, format }: PngAsk): SheetText {
  const compared = result.period?.compare ? `, compared with ${result.period.compare.label}` : ''
  const period = periodWords(result)
  const source = result.datasets.map(({ name }) => name).join(', ')
  return {
    title,
    subtitle: result.words,
    notes: answerNotes(result, drawingOf(result, viz.chart, { format })),
    foot: [
      `Period: ${period === null ? 'all time' : `${period}${compared}`}`,
      `Source: ${source}, as of ${dataAsOf}`,
      `Made ${today}`,
    ].join(' · '),
  }
}

function figuresOf(result: QueryResult, format: FigureFormat) {
  const count = result.columns.filter((column) => column.kind === 'measure').length
  return Array.from({ length: count }, (_, at) => keyFigure(result, at)).flatMap((key) => {
    if (!key) return []
    const against = result.period?.compare?.label
    const share = key.share === null ? '' : ` (${format.percent(key.share, true)})`
    const change =
      against === undefined ? '' : `${format.signedRound(key.change, key.column)}${share} against ${against}`
    return [{ name: key.column.label, figure: format.round(key.value, key.column), change }]
  })
}

async function bodyOf({ viz, format, table }: PngAsk, result: QueryResult, font: string): Promise<SheetBody> {
  const colours = lightColours(font)
  const drawing = drawingOf(result, viz.chart, { format })
  if (drawing) return chartBody(drawing, format, colours)
  if (viz.chart === 'number') return figuresBody(figuresOf(result, format), colours)
  return tableBody(table ?? textTable(result, format), colours)
}

/** A picture of an insight in light colours, whatever the screen wears. */
export async function insightPng(given: PngAsk): Promise<Blob> {
  const result = withPercent(given.result, given.viz.percent)
  const ask = { ...given, result }
  const font = getComputedStyle(document.body).fontFamily || 'sans-serif'
  await document.fonts.ready
  const body = await bodyOf(ask, result, font)
  const canvas = sheetCanvas(sheetText(ask), body, lightColours(font))
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new TypeError('The picture could not be made.'))),
      'image/png',
    )
  })
}
