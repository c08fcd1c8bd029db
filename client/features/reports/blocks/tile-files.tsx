import { Menu } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet, IconPhoto } from '@tabler/icons-react'
import { useContext } from 'react'
import type { TileContent } from '../../../../src/shared/reports/tiles'
import { withPercent } from '../../../../src/shared/charts/chart-model'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { useFormat } from '../../../lib/format'
import { useMay } from '../../../lib/gate'
import { downloadFile } from '../../../ui/buttons/download-file'
import { MoreMenuFrame } from '../../../ui/buttons/more-menu'
import { answerPng } from '../../../ui/chart/answer-png'
import { hasValues } from '../../../ui/chart/has-values'
import { notifyError } from '../../../ui/notify-error'
import { loadPivot } from '../../../ui/pivot/pivot-table'
import { pivotTextTable } from '../../../ui/pivot/pivot-text'
import { PageQuestionContext } from './tile-frame'

type ChartContent = Extract<TileContent, { kind: 'chart' }>

export interface TileFilesProps {
  block: string
  title: string
  /** Of a chart, which can be a picture, too. */
  content?: ChartContent
}

/** The files that a block can be taken along as. `isBelow`: other choices are above them. */
export function TileFileItems({ block, title, content, isBelow = false }: TileFilesProps & { isBelow?: boolean }) {
  const { download } = useContext(PageQuestionContext)
  const mayExport = useMay('export:data')
  const png = usePng(title, content)
  if (!mayExport) return null
  const run = (work: Promise<void>): void => void work.catch(notifyError)
  return (
    <>
      {isBelow && (download ?? png) && <Menu.Divider />}
      {download && (
        <>
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => run(download(block, 'csv'))}>
            Download CSV
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
            onClick={() => run(download(block, 'xlsx'))}
          >
            Download Excel workbook
          </Menu.Item>
        </>
      )}
      {png && (
        <Menu.Item leftSection={<IconPhoto size={16} aria-hidden />} onClick={() => run(png())}>
          Download image
        </Menu.Item>
      )}
    </>
  )
}

/** The menu of a tile that has nothing else to offer. */
export function TileFilesMenu(props: TileFilesProps) {
  const { download } = useContext(PageQuestionContext)
  const mayExport = useMay('export:data')
  if (!mayExport || !download) return null
  return (
    <MoreMenuFrame label={`Options for ${props.title}`}>
      <TileFileItems {...props} />
    </MoreMenuFrame>
  )
}

/** Makes a picture of a chart: with its title, what was asked, period, source and date; undefined without figures. */
function usePng(title: string, content: ChartContent | undefined): (() => Promise<void>) | undefined {
  const format = useCellFormatter()
  const dates = useFormat()
  if (!content || !hasValues(content.result)) return undefined
  const { plan, viz, pivot } = content
  return async () => {
    const result = withPercent(content.result, viz.percent)
    const asked = { plan, result, percent: viz.percent, format, totals: pivot }
    const model = viz.chart === 'pivot' ? await loadPivot(asked) : null
    const picture = await answerPng({
      ...{ result: content.result, viz, format, title },
      dataAsOf: dates.dateTime(result.dataAsOf),
      today: dates.dateTime(new Date().toISOString()),
      table: model ? pivotTextTable(model, format) : undefined,
    })
    downloadFile(picture, `${title.replace(/[^\p{L}\p{N}.,_-]+/gu, ' ').trim() || 'chart'}.png`)
  }
}
