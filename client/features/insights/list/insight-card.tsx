import { MutedText } from '../../../ui/muted-text'
import { Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ChartKind, Insight } from '../../../../src/shared/insights'
import type { QueryResult } from '../../../../src/shared/query/result'
import { NeutralBadge } from '../../../ui/neutral-badge'
import { describeError } from '../../../lib/describe-error'
import { Chart } from '../../../ui/chart/chart'
import { buildChartSpec } from '../../../ui/chart/build-chart-spec'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { keyFigure, describeResultPeriod } from '../../../../src/shared/charts/headline'
import { withPercent } from '../../../../src/shared/charts/chart-model'
import { CategoryIcon, useInsightCategory, VerifiedBadge } from '../curation/insight-badges'
import { CardRanking, rankingOf } from './card-ranking'
import { hasValues } from '../../../ui/chart/has-values'
import classes from '../insights.module.css'
import { ChangeLine } from '../view/key-figures'
import { RESTRICTED_TEXT } from '../../../ui/data-table/mask-mark'
import { planResultQuery } from '../../../lib/plan-result'

const CARD_CHART_PX = 72

export function InsightCard({ insight }: { insight: Insight }) {
  return (
    <Link to="/insights/$id" params={{ id: insight.id }} className={`surface ${classes.card}`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Text fw={600} lineClamp={2}>
          {insight.name}
        </Text>
        {insight.origin === 'sample' && <NeutralBadge>Sample</NeutralBadge>}
        {insight.frozen && <NeutralBadge>Over limit</NeutralBadge>}
      </Group>
      <CardBadges insight={insight} />
      <LiveCardContent insight={insight} />
    </Link>
  )
}

/** Where it is put and who vouches for it; nothing takes no room. */
function CardBadges({ insight }: { insight: Insight }) {
  const category = useInsightCategory(insight)
  if (!category && !insight.verified) return null
  return (
    <Group gap="xs" mt={4} wrap="nowrap">
      {category && (
        <Group gap={4} wrap="nowrap" c="dimmed" style={{ minWidth: 0 }}>
          <CategoryIcon name={category.icon} size={14} />
          <Text size="xs" truncate>
            {category.name}
          </Text>
        </Group>
      )}
      {insight.verified && <VerifiedBadge verified={insight.verified} short />}
    </Group>
  )
}

type CardInsight = Pick<Insight, 'name' | 'plan' | 'viz'>

export function LiveCardContent({ insight }: { insight: CardInsight }) {
  const { data, error, isPending } = useQuery(planResultQuery(insight.plan))
  if (data) return <CardKeyFigure insight={insight} result={withPercent(data, insight.viz.percent)} />
  if (isPending) return <CardSkeleton />
  return <MutedText>{describeError(error).title}.</MutedText>
}

/** A picture of this size shows that many marks. */
const CARD_CHART_POINTS_MAX = 160
/** Tables have no small picture: their first split is drawn instead. */
const cardChartKind = (chart: ChartKind): ChartKind => (chart === 'table' || chart === 'pivot' ? 'bar' : chart)

function CardKeyFigure({ insight, result }: { insight: CardInsight; result: QueryResult }) {
  const format = useCellFormatter()
  const { direction } = insight.viz
  const figure = keyFigure(result)
  const compare = result.period?.compare
  if (!hasValues(result)) return <MutedText>No rows in {result.period?.label ?? 'the data'}.</MutedText>
  return (
    <>
      <MutedText size="xs">
        {[
          figure?.column.label,
          describeResultPeriod(result, format.day) ?? 'all time',
          result.restricted && RESTRICTED_TEXT,
        ]
          .filter(Boolean)
          .join(' · ')}
      </MutedText>
      {figure && (
        <Text className="figure" fz={22} fw={620} lh={1.2}>
          {format.full(figure.value, figure.column)}
        </Text>
      )}
      {figure && compare && (
        <ChangeLine figure={figure} direction={direction} format={format} against={compare.label} size="xs" />
      )}
      <CardChart insight={insight} result={result} />
    </>
  )
}

function CardChart({ insight, result }: { insight: CardInsight; result: QueryResult }) {
  const format = useCellFormatter()
  const ranking = rankingOf(result, insight.viz.chart, format)
  if (ranking) return <CardRanking ranking={ranking} />
  const drawing = buildChartSpec(result, cardChartKind(insight.viz.chart), { format })
  if (!drawing || drawing.keyboardStops.length < 2 || drawing.keyboardStops.length > CARD_CHART_POINTS_MAX) return null
  return (
    <div style={{ marginTop: 'auto', paddingTop: 8 }}>
      <Chart drawing={drawing} format={format} label={insight.name} height={CARD_CHART_PX} small />
    </div>
  )
}

export function CardSkeleton() {
  return (
    <>
      <Skeleton h={10} w="55%" mt={4} />
      <Skeleton h={24} w="45%" mt={6} />
      <Group gap={4} align="flex-end" h={CARD_CHART_PX} wrap="nowrap" mt="sm">
        {[40, 55, 48, 70, 62, 84, 74, 92].map((share) => (
          <Skeleton key={share} h={`${share}%`} style={{ flex: 1 }} />
        ))}
      </Group>
    </>
  )
}
