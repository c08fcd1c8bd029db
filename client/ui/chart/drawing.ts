import type { ChartColours } from './chart-colours'
import type { ChartOption } from './engine-types'
import type { FigureFormat } from './figure-format'

/** How a picture is drawn: on a screen, on a card, or for a file. */
export interface DrawSettings {
  format: FigureFormat
  colours: ChartColours
  reducedMotion: boolean
  /** A small chart without axes, legend and tooltip, as on cards. */
  small?: boolean
  /** A narrow screen: names get less room. */
  narrow?: boolean
  /** Of the picture in pixels: the legend takes the lines it needs. */
  width?: number
}

/** One thing of a picture that the keyboard reaches. */
export interface Stop {
  /** Its name and every figure. */
  words: string
  /** Row of the answer behind it, for drilling. */
  row: number | null
  mark: { seriesIndex: number; dataIndex: number }
}

/** A mark as the drawing library names it. */
export interface Mark {
  seriesId?: string | undefined
  dataIndex?: number | undefined
}

/** A picture of an answer, whatever kind: what it says, what can be reached in it, and how it is drawn. Pure. */
export interface Drawing {
  /** The picture in words, for those who do not see it. */
  summary: string
  /** What the picture leaves out or does in another way than expected, in sentences. */
  notes: readonly string[]
  stops: readonly Stop[]
  /** Height in pixels that its contents need, at least `base`. */
  height(base: number): number
  option(settings: DrawSettings): ChartOption
  /** Row behind a mark. */
  rowOf(mark: Mark): number | null
  /** Row meant by a click on the ground, at these places of the axes; null when that is not clear. */
  rowNear(x: number, y: number): number | null
}
