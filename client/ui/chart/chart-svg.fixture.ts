import { init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { ENGINE_PARTS } from './engine-parts'
import { lightColours } from './chart-colours'
import type { ChartSpec, RenderSettings } from './chart-spec'
import { kronor } from './chart.fixture'

register([...ENGINE_PARTS, SVGRenderer])

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

export interface DrawnText {
  text: string
  /** Its colour: axes are dimmed. */
  fill: string
}
export interface DrawnChart {
  svg: string
  /** Every text of the picture, in the order it is drawn, with plain spaces. */
  texts: DrawnText[]
}

/** A picture as the library draws it, without a browser. */
export function drawChart(drawing: ChartSpec, over: Partial<RenderSettings> = {}): DrawnChart {
  const width = over.width ?? 720
  const engine = init(null, null, { renderer: 'svg', ssr: true, width, height: drawing.height(320) })
  const settings = { format: kronor, colours: lightColours('sans-serif'), reducedMotion: true, width, ...over }
  engine.setOption(drawing.option(settings))
  const svg = engine.renderToSVGString()
  engine.dispose()
  return {
    svg,
    texts: [...svg.matchAll(/<text([^>]*)>([^]*?)<\/text>/g)].map(([, look = '', inner = '']) => textOf(look, inner)),
  }
}

const textOf = (look: string, inner: string): DrawnText => ({
  fill: /fill="([^"]*)"/.exec(look)?.[1] ?? '',
  text: inner
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[\u00a0\u202f]/g, ' '),
})
