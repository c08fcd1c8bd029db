import { renderExportPage, chartExportBody, keyFiguresExportBody, tableExportBody } from './export-page'
import type { ExportPageBody, ExportPageText, TextTable } from './export-page'
import { buildChartSpec } from './build-chart-spec'
import { lightColours } from './chart-colours'
import { resultNotes } from './result-notes'
import { withPercent } from '../../../src/shared/charts/chart-model'
import { describeResultPeriod, keyFigures } from '../../../src/shared/charts/headline'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import type { Viz } from '../../../src/shared/insights'
import type { QueryResult } from '../../../src/shared/query/result'
import { resultTextTable } from '../data-table/result-table'

export interface AnswerPngOptions {
  result: QueryResult
  viz: Viz
  format: CellFormatter
  title: string
  /** Of the data and of the export, in words. */
  dataAsOf: string
  today: string
  /** A pivot table as it stands on the screen. */
  table?: TextTable | undefined
}

/** Title, question, period, source and date: what makes a picture understood without the product. */
export function exportPageText({ result, viz, title, dataAsOf, today, format }: AnswerPngOptions): ExportPageText {
  const compared = result.period?.compare ? ` vs ${result.period.compare.label}` : ''
  const period = describeResultPeriod(result, format.day)
  const source = result.datasets.map(({ name }) => name).join(', ')
  return {
    title,
    subtitle: result.words,
    notes: resultNotes(result, buildChartSpec(result, viz.chart, { format }), format.day),
    foot: [
      `Period: ${period === null ? 'All time' : `${period}${compared}`}`,
      `Source: ${source}, updated ${dataAsOf}`,
      `Exported ${today}`,
    ].join(' · '),
  }
}

function keyFigureTexts(result: QueryResult, format: CellFormatter) {
  const against = result.period?.compare?.label
  return keyFigures(result).map((key) => {
    const change =
      against === undefined ? '' : format.change({ now: key.value, before: key.previous, period: against }, key.column)
    return { name: key.column.label, figure: format.full(key.value, key.column), change }
  })
}

async function exportPageBody(
  { viz, format, table }: AnswerPngOptions,
  result: QueryResult,
  font: string,
): Promise<ExportPageBody> {
  const colours = lightColours(font)
  const drawing = buildChartSpec(result, viz.chart, { format })
  if (drawing) return chartExportBody(drawing, format, colours)
  if (viz.chart === 'number') return keyFiguresExportBody(keyFigureTexts(result, format), colours)
  return tableExportBody(table ?? resultTextTable(result, format), colours)
}

/** An answer as its picture, on a page that explains it. */
export async function answerPng(given: AnswerPngOptions): Promise<Blob> {
  const result = withPercent(given.result, given.viz.percent)
  const options = { ...given, result }
  const font = getComputedStyle(document.body).fontFamily || 'sans-serif'
  await document.fonts.ready
  const body = await exportPageBody(options, result, font)
  const canvas = renderExportPage(exportPageText(options), body, lightColours(font))
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new TypeError('Couldn’t create the image.'))), 'image/png')
  })
}
