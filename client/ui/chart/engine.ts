import { init, use as register, type EChartsType } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { ENGINE_PARTS } from './engine-parts'

// Loaded lazily, as one chunk of its own.
register([...ENGINE_PARTS, CanvasRenderer])

export type Engine = EChartsType

/** `size` in pixels where the element has none of its own. */
export const createEngine = (
  element: HTMLElement,
  size: { width?: number; height?: number; devicePixelRatio?: number } = {},
): Engine => init(element, null, { renderer: 'canvas', ...size })
