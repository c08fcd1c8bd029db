import { MutedText } from '../../../ui/muted-text'
import { Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import type { Viz } from '../../../../src/shared/insights'
import type { QueryResult } from '../../../../src/shared/query/result'
import { toNumber, type CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import {
  changeVerdict,
  describeCompared,
  headline,
  keyFigure,
  keyFigures,
  type KeyFigure,
} from '../../../../src/shared/charts/headline'
import { useFormat } from '../../../lib/format'
import { RESTRICTED_TEXT } from '../../../ui/data-table/mask-mark'
import { describeConversion, isConverted, describeConversionLine } from './currency-conversion'
import classes from '../insights.module.css'

const KEY_FIGURES_MAX = 5
const VERDICT_LABELS = { good: 'Favourable change', bad: 'Unfavourable change', neutral: 'Change' } as const

interface ChangeLineProps {
  figure: KeyFigure
  direction: Viz['direction']
  format: CellFormatter
  against: string
  size?: 'xs' | 'sm'
}

/** Which way a figure went, as an arrow in the colour of whether that is good. */
function ChangeArrow({ change, direction }: { change: number; direction: Viz['direction'] }) {
  const judged = changeVerdict(change, direction)
  const Arrow = change > 0 ? IconArrowUpRight : change < 0 ? IconArrowDownRight : IconArrowRight
  return (
    <span className={classes[judged]} style={{ display: 'inline-flex', flex: 'none' }}>
      <Arrow size={16} role="img" aria-label={VERDICT_LABELS[judged]} />
    </span>
  )
}

/** Whether a figure is a text or a date, as the value at a maximum is. */
const isText = ({ column: { type } }: KeyFigure): boolean => type !== 'number' && type !== 'integer'

/** A figure, large; texts break into lines. */
function FigureText({ figure, format }: { figure: KeyFigure; format: CellFormatter }) {
  const shown = format.full(figure.value, figure.column)
  if (!isText(figure)) return <Text className="figure figure-large">{shown}</Text>
  return (
    <Text fz="xl" fw={600} style={{ overflowWrap: 'anywhere' }}>
      {shown}
    </Text>
  )
}

/** Of texts and dates, what they were; nothing else has changed by nothing. */
function previousWords(figure: KeyFigure, format: CellFormatter, against: string): string {
  const { value, previous, column } = figure
  if (isText(figure) && value !== null && previous !== null) return `${against}: ${format.full(previous, column)}`
  return `No value for ${against}`
}

export function ChangeLine({ figure, direction, format, against, size = 'sm' }: ChangeLineProps) {
  const change = toNumber(figure.change)
  if (change === null) return <MutedText size={size}>{previousWords(figure, format, against)}</MutedText>
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" className={classes[changeVerdict(change, direction)]}>
      <ChangeArrow change={change} direction={direction} />
      <Text size={size} className="figure" style={{ whiteSpace: 'normal' }}>
        {format.change({ now: figure.value, before: figure.previous, period: against }, figure.column)}
      </Text>
    </Group>
  )
}

interface HeadlineProps {
  result: QueryResult
  direction: Viz['direction']
  format: CellFormatter
}

/** What the answer says, in a sentence; nothing where it says nothing. */
export function Headline({ result, direction, format }: HeadlineProps) {
  const words = headline(result, format)
  const change = toNumber(keyFigure(result)?.change)
  if (words === null) return null
  return (
    <Group gap={8} wrap="nowrap">
      {result.period?.compare && change !== null && <ChangeArrow change={change} direction={direction} />}
      <Text fw={600} fz="lg">
        {words}
      </Text>
    </Group>
  )
}

/** By which rates converted figures came to be, as one text; null where none was converted. */
function useConversionWords({ conversion }: QueryResult): string | null {
  const { decimal, date } = useFormat()
  if (!isConverted(conversion)) return null
  const lines = conversion.lines.map((line) => describeConversionLine(line, conversion.code, { decimal, day: date }))
  return [describeConversion(conversion), ...lines].join('\n')
}

function FigureTooltip({ words, children }: { words: string | null; children: ReactElement }) {
  if (words === null) return children
  return (
    <Tooltip label={words} multiline style={{ whiteSpace: 'pre-line' }} position="bottom-start" maw={340}>
      <div tabIndex={0} role="note" aria-label={words} style={{ width: 'fit-content' }}>
        {children}
      </div>
    </Tooltip>
  )
}

/** The figures of the whole answer, large. Nothing where an answer has no whole. */
export function KeyFigures(props: { result: QueryResult; direction: Viz['direction']; format: CellFormatter }) {
  const { result, direction, format } = props
  const conversion = useConversionWords(result)
  const tooltipWords = ({ column }: KeyFigure): string | null => {
    const lines = [
      ...(conversion !== null && column.format.style === 'currency' ? [conversion] : []),
      ...(result.restricted ? [RESTRICTED_TEXT] : []),
    ]
    return lines.length === 0 ? null : lines.join('\n')
  }
  const figures = keyFigures(result)
    .slice(0, KEY_FIGURES_MAX)
    // Figures of an earlier unit of time have no whole.
    .filter(({ value, previous }) => result.rows.length === 1 || value !== null || previous !== null)
  if (figures.length === 0) return null
  const compare = result.period?.compare
  const against = compare ? describeCompared(compare, format.day) : undefined
  return (
    <div className={classes.kpis}>
      {figures.map((figure, at) => (
        <Stack key={figure.column.key} gap={2}>
          <Text className="label">{figure.column.label}</Text>
          <FigureTooltip words={tooltipWords(figure)}>
            <FigureText figure={figure} format={format} />
          </FigureTooltip>
          {/* The headline says the change of the first. */}
          {at > 0 && against !== undefined && (
            <ChangeLine figure={figure} direction={direction} format={format} against={against} />
          )}
        </Stack>
      ))}
    </div>
  )
}
