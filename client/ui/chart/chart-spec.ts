import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type {
  AriaComponentOption,
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
  VisualMapComponentOption,
} from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { ChosenMark } from '../../../src/shared/charts/chart-model'
import type { ChartColours } from './chart-colours'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'

export type ChartSeriesOption = BarSeriesOption | LineSeriesOption | ScatterSeriesOption | HeatmapSeriesOption
/** Only what the loaded parts of the library understand. */
export type ChartOption = ComposeOption<
  | ChartSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | TooltipComponentOption
  | AriaComponentOption
  | VisualMapComponentOption
>

/** How a picture is drawn: on a screen, on a card, or for a file. */
export interface RenderSettings {
  format: CellFormatter
  colours: ChartColours
  reducedMotion: boolean
  /** A small chart without axes, legend and tooltip, as on cards. */
  small?: boolean
  /** A narrow screen: names get less room. */
  narrow?: boolean
  /** Of the picture in pixels: the legend takes the lines it needs. */
  width?: number
  /** Series that the legend switched off: the axes are those of the others. */
  hidden?: ReadonlySet<string>
}

/** One thing of a picture that the keyboard reaches. */
export interface KeyboardStop {
  description: string
  /** Row of the answer behind it, for drilling. */
  row: number | null
  /** Which of its splits are meant; absent: all. */
  dimensions?: readonly number[] | undefined
  dataPoint: { seriesIndex: number; dataIndex: number }
  /** Where several rows are behind it, the mark of each series; others have none to choose between. */
  marks?: readonly KeyboardMark[]
}

/** One of the marks of a stop, reached across the way that leads from stop to stop. */
export interface KeyboardMark {
  seriesId: string
  description: string
  row: number | null
}

/** A click on the ground of a picture. */
export interface GroundClick {
  /** Its places on the axes. */
  x: number
  y: number
  /** Series that the legend switched off. */
  hidden: ReadonlySet<string>
  /** How far above or below a value of a series it is, in pixels. */
  pixelsTo: (seriesId: string, at: number, value: number) => number
}

/** A mark as the drawing library names it. */
export interface DataPointRef {
  seriesId?: string | undefined
  dataIndex?: number | undefined
}

/** The whole row, where there is one behind a mark. */
export const markOfRow = (row: number | null | undefined): ChosenMark | null =>
  row === null || row === undefined ? null : { row }

/** A picture of an answer, whatever kind: what it says, what can be reached in it, and how it is drawn. Pure. */
export interface ChartSpec {
  /** The picture in words, for those who do not see it. */
  summary: string
  /** What the picture leaves out or does in another way than expected, in sentences. */
  notes: readonly string[]
  keyboardStops: readonly KeyboardStop[]
  /** Its stops follow each other downwards, not across. */
  isLying?: boolean
  /** Height in pixels that its contents need, at least `base`. `legend`: it may grow by the lines of its legend. */
  height(base: number, legend?: { narrow: boolean }): number
  option(settings: RenderSettings): ChartOption
  rowOf(ref: DataPointRef): number | null
  /** What a click on the ground means; null when that is not clear. */
  markAtPosition(click: GroundClick): ChosenMark | null
}
