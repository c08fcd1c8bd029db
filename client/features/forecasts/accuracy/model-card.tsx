import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import { describeExclusions, describeGrade, FEW_CHECKS } from '../../../../src/shared/forecasts/model-card-text'
import type { ForecastFormatter } from '../../../../src/shared/forecasts/model-card-text'
import { seasonHistoryOf } from '../../../../src/shared/forecasts/summary'
import { FORECAST_LEVELS } from '../../../../src/shared/forecasts/result'
import type {
  BacktestSummary,
  BacktestErrors,
  BenchmarkErrors,
  ForecastLevel,
  ForecastResult,
  SeriesForecast,
} from '../../../../src/shared/forecasts/result'
import type { ForecastEvent } from '../../../../src/shared/forecasts/forecasts'
import { useFormat } from '../../../lib/format'
import { TERMS } from '../../../../src/shared/terms'
import { capitalize } from '../../../../src/shared/text'
import { figureColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
import { SectionCard } from '../../../ui/section-card'
import classes from '../view/forecast-page.module.css'
import { GradeBadge, gradeMeaning } from '../forecast-badges'
import { useForecastFormatter } from '../forecast-format'

const METHOD_TEXT: Record<NonNullable<SeriesForecast['method']>, string> = {
  blend: 'Ensemble of several models',
  'seasonal naive': TERMS.seasonalNaive,
  intermittent: 'Models for intermittent values',
  constant: 'Constant',
}
const COMBINATION_TEXT: Record<NonNullable<SeriesForecast['card']>['combined'], string> = {
  median: 'Median of the models',
  'trimmed mean': 'Trimmed mean of the models',
  single: 'Single model',
}

/** Methods by the names that statisticians know them by. */
const MEMBER_NAMES: Record<string, string> = {
  theta: 'theta',
  dotm: 'dynamic optimised theta',
  damped: 'damped trend',
  ces: 'complex exponential smoothing',
  ses: 'simple exponential smoothing',
  ets: 'exponential smoothing (ETS)',
  mstl: 'multiple seasonal decomposition with exponential smoothing (MSTL)',
}
const memberName = (name: string): string => {
  const [base = name, ...rest] = name.split(' ')
  return [MEMBER_NAMES[base] ?? base, ...rest].join(' ')
}

type PeriodsAndGrain = Pick<ForecastResult, 'grain' | 'periods'>
export interface ModelFact {
  term: string
  /** One sentence a line. */
  lines: string[]
}

const periodsText = (count: number, { grain }: PeriodsAndGrain, words: ForecastFormatter): string =>
  `${words.count(count)} ${ALERT_GRAIN_LABELS[grain]}${count === 1 ? '' : 's'}`

function methodLines({ method, card, backtest }: SeriesForecast, words: ForecastFormatter): string[] {
  if (!card || method === null) return ['Share of total: too little history']
  const gain = backtest ? blendGain(backtest) : null
  const isSeasonal = backtest === null || backtest.season > 1
  const share = gain === null ? '' : ` (error ${words.share(Math.abs(gain))} ${gain < 0 ? 'higher' : 'lower'})`
  const why = method === 'seasonal naive' ? `The ensemble${share} isn’t clearly better` : null
  const name = method === 'seasonal naive' && !isSeasonal ? TERMS.naive : METHOD_TEXT[method]
  return [name, why, method === 'blend' ? COMBINATION_TEXT[card.combined] : null].filter((line) => line !== null)
}
/** Share of the scaled error that the blend saves against repeating the season. */
const blendGain = ({ blend, seasonalNaive }: BacktestSummary): number | null =>
  blend.mase === null || seasonalNaive.mase === null || seasonalNaive.mase === 0
    ? null
    : 1 - blend.mase / seasonalNaive.mase

function membersLines({ card, method }: SeriesForecast): string[] {
  if (!card || method === 'constant' || method === 'seasonal naive' || card.members.length === 0) return []
  return [
    card.members.map(memberName).join(', '),
    ...(card.dropped.length > 0 ? [`Failed: ${card.dropped.map(memberName).join(', ')}`] : []),
    ...(card.withoutEngines ? ['Some models couldn’t load'] : []),
  ]
}

function seasonLines(
  { card, method, backtest }: SeriesForecast,
  grain: PeriodsAndGrain,
  words: ForecastFormatter,
): string[] {
  if (!card) return []
  if (method === 'seasonal naive' && backtest && backtest.season > 1)
    return [`Last ${periodsText(backtest.season, grain, words)} repeated`]
  const [first, ...more] = [card.season, card.longSeason].filter((season) => season !== null && season > 1)
  if (first == null) return [card.used < seasonHistoryOf(grain.grain) ? 'Not enough history' : 'None found']
  const kind =
    card.seasonKind === 'multiplicative' ? 'Multiplicative' : card.seasonKind === 'additive' ? 'Additive' : null
  const second = more.map((season) => ` and ${periodsText(season ?? 0, grain, words)}`).join('')
  return [`${periodsText(first, grain, words)}${second}`, ...(kind === null ? [] : [kind])]
}

const TRIAL_TEXT = { cut: 'Shorter history', holidays: 'Public holidays' } as const
const trialLines = ({ trials }: SeriesForecast, words: ForecastFormatter): string[] =>
  trials.map(({ what, gain, kept }) => {
    const effect = `error ${words.share(Math.abs(gain))} ${gain >= 0 ? 'lower' : 'higher'}`
    return `${TRIAL_TEXT[what]}: ${effect}, ${kept ? 'used' : 'not used'}`
  })

/** What a forecast was made by and from, in terms and sentences. */
export function modelFacts(series: SeriesForecast, grain: PeriodsAndGrain, words: ForecastFormatter): ModelFact[] {
  const { card, backtest, from } = series
  const first = grain.periods[from]
  const facts: ModelFact[] = [
    { term: 'Method', lines: methodLines(series, words) },
    { term: 'Models', lines: membersLines(series) },
    { term: TERMS.seasonality, lines: seasonLines(series, grain, words) },
    {
      term: 'History',
      lines:
        card && first !== undefined
          ? [`${periodsText(card.used, grain, words)} to ${words.period(grain.periods.at(-1) ?? '')}`]
          : [],
    },
    {
      term: TERMS.backtest,
      lines: backtest
        ? [
            `${words.count(backtest.folds.length)} ${backtest.folds.length === 1 ? 'run' : 'runs'}, ${words.count(backtest.used.checks)} actuals`,
          ]
        : ['Not enough history'],
    },
    { term: 'Also tested', lines: trialLines(series, words) },
  ]
  return facts.filter(({ lines }) => lines.length > 0)
}

export interface AccuracyRow {
  name: string
  mae: number
  mase: number | null
  used: boolean
}
/**
 * What was used and what it was measured against, each model once, the smallest error first. The reference of MASE is named
 * as such: it is tested whether or not the figures have a season. Of a short past it repeats the last value, as naive does.
 */
export function errorRows({ used, blend, naive, seasonalNaive, method, season }: BacktestSummary): AccuracyRow[] {
  const isBlend = method === 'blend'
  const isSeasonal = season > 1 && (seasonalNaive.mae !== naive.mae || seasonalNaive.mase !== naive.mase)
  const reference = `${isSeasonal ? TERMS.seasonalNaive : TERMS.naive} (reference)`
  const row = (name: string, { mae, mase }: BenchmarkErrors): AccuracyRow => ({ name, mae, mase, used: false })
  const rows = [
    { ...row(isBlend ? 'This forecast' : `This forecast: ${reference}`, used), used: true },
    isBlend ? row(reference, seasonalNaive) : row('Ensemble (not used)', blend),
    ...(isSeasonal ? [row(TERMS.naive, naive)] : []),
  ]
  return rows.toSorted((a, b) => a.mae - b.mae)
}

/** “29 of 36 actuals in the 80 % interval (81 %)”, for every interval. */
export const coverageLines = (
  { coverage, checks }: BacktestErrors,
  words: ForecastFormatter,
): { level: ForecastLevel; line: string }[] =>
  FORECAST_LEVELS.map((level) => ({
    level,
    line: `${words.percent(level / 100)}: ${words.count(Math.round(coverage[level] * checks))} of ${words.count(checks)} (${words.share(coverage[level])})`,
  }))

/** Whether it is rather too high or too low, in words. Smaller than a per cent of the usual miss is neither. */
export function describeBias({ bias, mae }: Pick<BacktestErrors, 'bias' | 'mae'>, words: ForecastFormatter): string {
  if (Math.abs(bias) <= mae * 0.01) return 'None'
  return `${words.rounded(Math.abs(bias))} too ${bias > 0 ? 'high' : 'low'} on average`
}

interface ModelCardProps {
  result: ForecastResult
  events: readonly ForecastEvent[]
  /** Place among the parts; absent: the whole. */
  part?: number | undefined
}

/** How a forecast was made, how it did on the past, and what it was not made from. */
export function ModelCard({ result, events, part }: ModelCardProps) {
  const words = useForecastFormatter(result)
  const series: SeriesForecast = (part === undefined ? undefined : result.parts[part]) ?? result.total
  const leftOut = describeExclusions(result, events, words)
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <SectionCard title={TERMS.model}>
        <dl className={classes.facts}>
          {modelFacts(series, result, words).map(({ term, lines }) => (
            <div key={term} className={classes.fact}>
              <Text component="dt" size="sm" c="dimmed">
                {term}
              </Text>
              <Text component="dd" size="sm">
                {lines.map((line) => (
                  <span key={line} className={classes.line}>
                    {line}
                  </span>
                ))}
              </Text>
            </div>
          ))}
        </dl>
        {leftOut.length > 0 && (
          <Stack gap={4}>
            <Text size="sm" fw={550}>
              Notes
            </Text>
            {leftOut.map((line) => (
              <Text key={line} size="sm">
                {line}
              </Text>
            ))}
          </Stack>
        )}
      </SectionCard>
      <SectionCard title="Backtest accuracy">
        {series.backtest ? (
          <BacktestTable backtest={series.backtest} result={result} />
        ) : (
          <Text size="sm">Not enough history for a backtest</Text>
        )}
      </SectionCard>
    </SimpleGrid>
  )
}

function BacktestTable({ backtest, result }: { backtest: BacktestSummary; result: ForecastResult }) {
  const words = useForecastFormatter(result)
  const format = useFormat()
  const { used, grade } = backtest
  return (
    <>
      {grade !== null && (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <GradeBadge grade={grade} />
          <Text size="sm">
            {capitalize(describeGrade(grade))} ({gradeMeaning(grade, format)})
          </Text>
        </Group>
      )}
      <ItemTable<AccuracyRow>
        caption="Backtest"
        items={errorRows(backtest)}
        itemKey={({ name }) => name}
        columns={[
          { label: TERMS.model, value: ({ name }) => name },
          { ...figureColumn(TERMS.error, ({ mae }: AccuracyRow) => mae, words.figure), hint: 'Mean absolute error' },
          {
            ...figureColumn(
              'MASE',
              ({ mase }: AccuracyRow) => mase,
              (mase) => format.fixed(mase, 2),
            ),
            hint: 'Error relative to the usual seasonal change; below 1 is better',
          },
        ]}
      />
      <dl className={classes.facts}>
        <MeasureFact term="Actuals in interval">
          {coverageLines(used, words).map(({ level, line }) => (
            <span key={level} className={classes.line}>
              {line}
            </span>
          ))}
        </MeasureFact>
        <MeasureFact term={TERMS.bias}>{describeBias(used, words)}</MeasureFact>
        <MeasureFact term="MAPE">
          {used.mape === null ? 'Not available: some actuals are 0' : words.share(used.mape)}
        </MeasureFact>
      </dl>
      {used.checks < FEW_CHECKS && (
        <Alert variant="light" color="yellow" p="xs">
          Small sample: {words.count(used.checks)} actuals
        </Alert>
      )}
    </>
  )
}
function MeasureFact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <Text component="dt" size="sm" c="dimmed">
        {term}
      </Text>
      <Text component="dd" size="sm">
        {children}
      </Text>
    </div>
  )
}
