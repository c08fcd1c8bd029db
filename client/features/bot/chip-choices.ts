import { PERIOD_PRESETS, PERIOD_PRESET_IDS } from '../../lib/query-builder/period-presets'
import type { PlanChip } from '../../../src/shared/bot/interpretation'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import type { Metric } from '../../../src/shared/metrics'
import { measuredDataset } from '../../../src/shared/query/plan-fields'
import type { Grain } from '../../../src/shared/query/date-range'
import type { QueryPlan } from '../../../src/shared/query/plan'
import { GRAIN_LABELS } from '../../../src/shared/query/plan-labels'
import { capitalize, humanizeLabel } from '../../../src/shared/text'

/** One way to change a part of a plan. */
export interface ChipChoice {
  label: string
  plan: QueryPlan
  isRemoval?: boolean
}
interface ChipContext {
  chip: PlanChip
  plan: QueryPlan
  datasets: readonly Pick<Dataset, 'id' | 'columns'>[]
  metrics: readonly Pick<Metric, 'id' | 'name' | 'dataset'>[]
}

const CHOICES_MAX = 40
const LIMITS = [3, 5, 10, 20, 50]
const SPLIT_GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year']

/** What a chip offers; nothing where its part can only be read. */
export function chipChoices(context: ChipContext): ChipChoice[] {
  const { chip, plan } = context
  switch (chip.kind) {
    case 'period':
      return periodChoices(plan)
    case 'compare':
      return compareChoices(plan)
    case 'split':
      return splitChoices(context)
    case 'measure':
      return measureChoices(context)
    case 'filter':
      return [removal('Remove filter', { ...plan, filters: without(plan.filters, chip.index) })]
    case 'having':
      return [removal('Remove condition', { ...plan, having: without(plan.having ?? [], chip.index) })]
    case 'sort':
      return sortChoices(plan)
    case 'limit':
      return limitChoices(plan)
    case 'columns':
      return []
  }
}

const without = <T>(items: readonly T[], index: number): T[] => items.filter((_, at) => at !== index)
const removal = (label: string, plan: QueryPlan): ChipChoice => ({ label, plan, isRemoval: true })

function periodChoices(plan: QueryPlan): ChipChoice[] {
  const { period } = plan
  if (!period) return []
  return PERIOD_PRESET_IDS.map((id) => ({
    label: PERIOD_PRESETS[id].label,
    plan: { ...plan, period: { ...period, range: PERIOD_PRESETS[id].range } },
  }))
}

function compareChoices(plan: QueryPlan): ChipChoice[] {
  const { period } = plan
  if (!period) return []
  const to = (label: string, compare: 'previous' | 'year'): ChipChoice => ({
    label,
    plan: { ...plan, period: { ...period, compare } },
  })
  return [
    to('Previous period', 'previous'),
    to('Previous year', 'year'),
    removal('No comparison', { ...plan, period: { ...period, compare: 'none' } }),
  ]
}

/** Sorting and conditions by the place of a split hold no more when it is gone. */
const withoutSplit = (plan: QueryPlan, index: number): QueryPlan => {
  const { sort: _sort, limit: _limit, ...rest } = plan
  return { ...rest, dimensions: without(plan.dimensions, index) }
}

function splitChoices({ chip, plan, datasets }: ChipContext): ChipChoice[] {
  const split = plan.dimensions[chip.index]
  if (!split) return []
  const replaced = (to: QueryPlan['dimensions'][number]): QueryPlan => ({
    ...plan,
    dimensions: plan.dimensions.map((each, at) => (at === chip.index ? to : each)),
  })
  if (split.grain)
    return [
      ...SPLIT_GRAINS.map((grain) => ({ label: capitalize(GRAIN_LABELS[grain]), plan: replaced({ ...split, grain }) })),
      removal('Remove breakdown', withoutSplit(plan, chip.index)),
    ]
  const home = datasets.find(({ id }) => id === (measuredDataset(plan) ?? split.field.dataset))
  const taken = new Set(plan.dimensions.map(({ field }) => field.column))
  const columns = (home?.columns ?? []).filter(
    ({ role, type, hidden, key }) => !hidden && role === 'dimension' && type !== 'number' && !taken.has(key),
  )
  const { topN } = split
  return [
    ...columns.slice(0, CHOICES_MAX).map(({ key, label }) => ({
      label: humanizeLabel(label),
      plan: replaced({ field: { dataset: home?.id ?? '', column: key }, ...(topN === undefined ? {} : { topN }) }),
    })),
    removal('Remove breakdown', withoutSplit(plan, chip.index)),
  ]
}

function measureChoices({ chip, plan, datasets, metrics }: ChipContext): ChipChoice[] {
  const home = measuredDataset(plan) ?? plan.dataset
  const replaced = (measure: QueryPlan['measures'][number]): QueryPlan => ({
    ...plan,
    measures: plan.measures.map((each, at) => (at === chip.index ? measure : each)),
  })
  const named = metrics
    .filter(({ dataset }) => home === undefined || dataset === home)
    .map(({ id, name }) => ({ label: name, plan: replaced({ kind: 'metric', id }) }))
  const columns = (datasets.find(({ id }) => id === home)?.columns ?? [])
    .filter(({ role, type, hidden }) => !hidden && role === 'measure' && (type === 'number' || type === 'integer'))
    .map(({ key, label }) => ({
      label: `Total ${humanizeLabel(label)}`,
      plan: replaced({ kind: 'column', agg: 'sum', field: { dataset: home ?? '', column: key } }),
    }))
  const more =
    plan.measures.length > 1
      ? [removal('Remove measure', { ...plan, measures: without(plan.measures, chip.index) })]
      : []
  return [...named, ...columns, ...more].slice(0, CHOICES_MAX)
}

function sortChoices(plan: QueryPlan): ChipChoice[] {
  const [first, ...more] = plan.sort ?? []
  if (!first) return []
  const to = (label: string, dir: 'asc' | 'desc'): ChipChoice => ({
    label,
    plan: { ...plan, sort: [{ ...first, dir }, ...more] },
  })
  return [to('Largest first', 'desc'), to('Smallest first', 'asc')]
}

function limitChoices(plan: QueryPlan): ChipChoice[] {
  const { limit: _limit, ...rest } = plan
  return [...LIMITS.map((limit) => ({ label: `First ${limit}`, plan: { ...plan, limit } })), removal('All rows', rest)]
}
