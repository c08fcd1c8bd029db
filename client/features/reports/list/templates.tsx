import type { ReactNode } from 'react'
import type { ReportTemplate } from '../../../../src/shared/reports/reports'

export interface TemplateCard {
  template: ReportTemplate
  name: string
  /** What it holds, in a few words. */
  gives: string
  /** What the new report is called until somebody names it. */
  suggestedName: string
}

export const TEMPLATES: readonly TemplateCard[] = [
  { template: 'monday', name: 'Monday board', gives: 'Key figures, trend, top lists', suggestedName: 'Monday board' },
  {
    template: 'sales',
    name: 'Sales review',
    gives: 'Sales by period, customer and product',
    suggestedName: 'Sales review',
  },
  {
    template: 'monthEnd',
    name: 'Month-end pack',
    gives: 'P&L, balance sheet and comments',
    suggestedName: 'Month-end pack',
  },
  {
    template: 'cash',
    name: 'Cash outlook',
    gives: 'Balance, forecast and lowest point',
    suggestedName: 'Cash outlook',
  },
  { template: 'board', name: 'Board pack', gives: 'Summary, statements and outlook', suggestedName: 'Board pack' },
  { template: 'blank', name: 'Blank', gives: 'Start from an empty page', suggestedName: 'New report' },
]

const SOFT = 'var(--accent-soft)'
const LINE = 'var(--line-strong)'
const ACCENT = 'var(--accent)'
const box = (x: number, y: number, w: number, h: number, fill = SOFT) => (
  <rect key={`${x}/${y}`} x={x} y={y} width={w} height={h} rx="3" fill={fill} />
)
const bars = (x: number, y: number, heights: readonly number[]) =>
  heights.map((height, at) => (
    <rect key={`${x}/${at}`} x={x + at * 8} y={y - height} width="5" height={height} rx="1" fill={ACCENT} />
  ))
const path = (d: string) => <path key={d} d={d} fill="none" stroke={ACCENT} strokeWidth="2" strokeLinecap="round" />
const rules = (x: number, y: number, w: number, count: number) =>
  Array.from({ length: count }, (_, at) => (
    <path
      key={`${x}/${y}/${at}`}
      d={`M${x} ${y + at * 7}h${w * (at % 3 === 2 ? 0.6 : 1)}`}
      stroke={LINE}
      strokeWidth="2"
    />
  ))
const figures = [0, 1, 2, 3].map((at) => box(10 + at * 36, 10, 32, 14))

/** A small picture of what a template lays out. */
const PICTURES: Record<ReportTemplate, ReactNode> = {
  monday: [
    ...figures,
    box(10, 28, 86, 34),
    path('M16 54l16-10 14 5 18-14 20 4'),
    box(100, 28, 50, 34),
    ...bars(106, 58, [12, 20, 16, 24, 18]),
    box(10, 66, 68, 24),
    ...rules(16, 73, 52, 2),
    box(82, 66, 68, 24),
    ...rules(88, 73, 52, 2),
  ],
  sales: [
    ...figures,
    box(10, 28, 140, 28),
    path('M16 50l22-10 20 6 26-14 22 8 36-10'),
    box(10, 60, 68, 30),
    ...bars(16, 86, [22, 18, 14, 11, 8, 5]),
    box(82, 60, 68, 30),
    ...bars(88, 86, [8, 14, 10, 20, 16, 22]),
  ],
  monthEnd: [
    ...rules(10, 14, 70, 2),
    box(10, 28, 140, 34),
    ...rules(16, 36, 60, 4),
    ...rules(100, 36, 42, 4),
    box(10, 66, 140, 24),
    ...rules(16, 74, 60, 2),
    ...rules(100, 74, 42, 2),
  ],
  cash: [
    ...figures.slice(0, 3),
    box(10, 28, 140, 40),
    <path key="fan" d="M88 48l54-16v28z" fill={ACCENT} opacity="0.2" />,
    path('M16 58l20-8 16 4 18-10 18 4'),
    <path key="ahead" d="M88 48l54-4" stroke={ACCENT} strokeWidth="2" strokeDasharray="4 4" />,
    box(10, 72, 140, 18),
    ...rules(16, 79, 120, 2),
  ],
  board: [
    ...rules(10, 14, 120, 3),
    box(10, 36, 68, 26),
    path('M16 56l14-8 12 4 22-12'),
    box(82, 36, 68, 26),
    ...bars(90, 58, [10, 18, 14, 20, 12, 16]),
    box(10, 66, 140, 24),
    ...rules(16, 74, 124, 2),
  ],
  blank: (
    <>
      <rect
        x="10"
        y="10"
        width="140"
        height="80"
        rx="4"
        fill="none"
        stroke={LINE}
        strokeWidth="1.5"
        strokeDasharray="5 5"
      />
      <path d="M80 40v20M70 50h20" stroke={ACCENT} strokeWidth="2.4" strokeLinecap="round" />
    </>
  ),
}

export const TemplatePicture = ({ template }: { template: ReportTemplate }) => (
  <svg viewBox="0 0 160 100" width="100%" aria-hidden="true" style={{ display: 'block', overflow: 'visible' }}>
    <rect
      x="0.75"
      y="0.75"
      width="158.5"
      height="98.5"
      rx="7"
      fill="var(--surface)"
      stroke="var(--line)"
      strokeWidth="1.5"
    />
    {PICTURES[template]}
  </svg>
)
