import { Alert, Group, SimpleGrid, Stack, Table, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import { describeExclusions, FEW_CHECKS } from '../../../../src/shared/forecasts/model-card-text'
import type { ForecastFormatter } from '../../../../src/shared/forecasts/model-card-text'
import { FORECAST_LEVELS } from '../../../../src/shared/forecasts/result'
import type {
  BacktestSummary,
  BacktestErrors,
  ForecastLevel,
  ForecastResult,
  SeriesForecast,
} from '../../../../src/shared/forecasts/result'
import type { ForecastEvent } from '../../../../src/shared/forecasts/forecasts'
import { MISSING_VALUE, useFormat } from '../../../lib/format'
import { SectionCard } from '../../../ui/section-card'
import classes from '../view/forecast-page.module.css'
import { GRADE_MEANING, GradeBadge } from '../forecast-badges'
import { useForecastFormatter } from '../forecast-format'

const METHOD_TEXT: Record<NonNullable<SeriesForecast['method']>, string> = {
  blend: 'A blend of several methods',
  'seasonal naive': 'The last season, repeated',
  intermittent: 'Methods for figures that are mostly zero',
  constant: 'The one value that there ever was, repeated',
}
const COMBINATION_TEXT: Record<NonNullable<SeriesForecast['card']>['combined'], string> = {
  median: 'The middle one of their answers counts at every step',
  'trimmed mean': 'Their answers are averaged, the extreme ones left out',
  single: 'One method alone',
}

/** Methods by the names that statisticians know them by. */
const MEMBER_NAMES: Record<string, string> = {
  theta: 'theta',
  dotm: 'dynamic optimised theta',
  damped: 'damped trend',
  ces: 'complex exponential smoothing',
  ses: 'simple exponential smoothing',
  ets: 'exponential smoothing (ETS)',
  mstl: 'several seasons taken off by loess, then exponential smoothing (MSTL)',
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
  if (!card || method === null) return ['A share of the whole: there is too little history to forecast it alone']
  const gain = backtest ? blendGain(backtest) : null
  const share = gain === null ? '' : ` (${words.percent(Math.abs(gain))} ${gain < 0 ? 'larger' : 'smaller'} errors)`
  const why =
    method === 'seasonal naive'
      ? `Tried on the past, the blend${share} did not beat it by two per cent, so the simple way is used`
      : null
  return [METHOD_TEXT[method], why, method === 'blend' ? COMBINATION_TEXT[card.combined] : null].filter(
    (line) => line !== null,
  )
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
    ...(card.dropped.length > 0
      ? [`Left aside as it ran away or failed: ${card.dropped.map(memberName).join(', ')}`]
      : []),
    ...(card.withoutEngines ? ['Without the WebAssembly methods, which could not be loaded here'] : []),
  ]
}

function seasonLines({ card }: SeriesForecast, grain: PeriodsAndGrain, words: ForecastFormatter): string[] {
  if (!card) return []
  if (card.season === null || card.season < 2) return ['None was found']
  const kind =
    card.seasonKind === 'multiplicative'
      ? 'grows with the figures'
      : card.seasonKind === 'additive'
        ? 'is the same at every level'
        : null
  const second = card.longSeason === null ? '' : `, and a longer one of ${periodsText(card.longSeason, grain, words)}`
  return [`${periodsText(card.season, grain, words)}${second}`, ...(kind === null ? [] : [`It ${kind}`])]
}

const TRIAL_TEXT = { cut: 'A shorter history, since a break', holidays: 'The effect of public holidays' } as const
const trialLines = ({ trials }: SeriesForecast, words: ForecastFormatter): string[] =>
  trials.map(({ what, gain, kept }) => {
    const effect =
      gain >= 0 ? `saved ${words.percent(gain)} of the error` : `made errors ${words.percent(-gain)} larger`
    return `${TRIAL_TEXT[what]}: ${effect}${kept ? ', and is kept' : ', which is too little: it is not kept'}`
  })

/** What a forecast was made by and from, in terms and sentences. */
export function modelFacts(series: SeriesForecast, grain: PeriodsAndGrain, words: ForecastFormatter): ModelFact[] {
  const { card, backtest, from } = series
  const first = grain.periods[from]
  const facts: ModelFact[] = [
    { term: 'Method', lines: methodLines(series, words) },
    { term: 'Methods in it', lines: membersLines(series) },
    { term: 'Season', lines: seasonLines(series, grain, words) },
    {
      term: 'Made from',
      lines:
        card && first !== undefined
          ? [`${periodsText(card.used, grain, words)}, up to ${words.period(grain.periods.at(-1) ?? '')}`]
          : [],
    },
    {
      term: 'Tried on the past',
      lines: backtest
        ? [
            `${words.count(backtest.folds.length)} times at the same horizon, with everything estimated anew: ${words.count(backtest.used.checks)} checks`,
          ]
        : ['There is too little history for that'],
    },
    { term: 'Also tried', lines: trialLines(series, words) },
  ]
  return facts.filter(({ lines }) => lines.length > 0)
}

export interface AccuracyRow {
  name: string
  mae: number
  mase: number | null
  used: boolean
}
/** What was used beside what it had to beat. */
export function errorRows({ used, blend, naive, seasonalNaive, method, season }: BacktestSummary): AccuracyRow[] {
  const isBlend = method === 'blend'
  return [
    {
      name: isBlend ? 'This forecast' : `This forecast: the last ${season > 1 ? 'season' : 'value'}, repeated`,
      ...{ mae: used.mae, mase: used.mase, used: true },
    },
    ...(isBlend ? [] : [{ name: 'The blend, not used', mae: blend.mae, mase: blend.mase, used: false }]),
    ...(isBlend && season > 1
      ? [{ name: 'Repeating the last season', mae: seasonalNaive.mae, mase: seasonalNaive.mase, used: false }]
      : []),
    ...(isBlend || season > 1
      ? [{ name: 'Repeating the last value', mae: naive.mae, mase: naive.mase, used: false }]
      : []),
  ]
}

/** “80 % band held 29 of 36 (81 %)”, for every band. */
export const coverageLines = (
  { coverage, checks }: BacktestErrors,
  words: ForecastFormatter,
): { level: ForecastLevel; line: string }[] =>
  FORECAST_LEVELS.map((level) => ({
    level,
    line: `${level}\u00a0% band held ${words.count(Math.round(coverage[level] * checks))} of ${words.count(checks)} (${words.percent(coverage[level])})`,
  }))

/** Whether it is rather too high or too low, in words. Smaller than a per cent of the usual miss is neither. */
export function describeBias({ bias, mae }: Pick<BacktestErrors, 'bias' | 'mae'>, words: ForecastFormatter): string {
  if (Math.abs(bias) <= mae * 0.01) return 'Neither too high nor too low on the whole'
  return `${words.figure(Math.abs(bias))} too ${bias > 0 ? 'high' : 'low'} on average`
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
      <SectionCard title="How it was made">
        <dl className={classes.facts}>
          {modelFacts(series, result, words).map(({ term, lines }) => (
            <div key={term} className={classes.fact}>
              <Text component="dt" size="sm" c="dimmed">
                {term}
              </Text>
              <Text component="dd" size="sm">
                {lines.map((line) => (
                  <span key={line} className={classes.line}>
                    {line}.
                  </span>
                ))}
              </Text>
            </div>
          ))}
        </dl>
        {leftOut.length > 0 && (
          <Stack gap={4}>
            <Text size="sm" fw={550}>
              Good to know
            </Text>
            {leftOut.map((line) => (
              <Text key={line} size="sm">
                {line}
              </Text>
            ))}
          </Stack>
        )}
      </SectionCard>
      <SectionCard title="How well it does" description="Measured on forecasts of the past, made in the same way.">
        {series.backtest ? (
          <BacktestTable backtest={series.backtest} result={result} />
        ) : (
          <Text size="sm">There is too little history to try it on the past, so how far it misses is not known.</Text>
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
          <Text size="sm">{GRADE_MEANING[grade].replace(/^./, (first) => first.toUpperCase())}</Text>
        </Group>
      )}
      <Table.ScrollContainer minWidth={280}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Way</Table.Th>
              <Table.Th ta="right">
                <Tooltip label="Mean absolute error (MAE)">
                  <span tabIndex={0}>Misses by</span>
                </Tooltip>
              </Table.Th>
              <Table.Th ta="right">
                <Tooltip
                  label="Against how much the figures change over a season: below 1 is better than repeating it"
                  multiline
                  maw={240}
                >
                  <span tabIndex={0}>MASE</span>
                </Tooltip>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errorRows(backtest).map(({ name, mae, mase, used: isUsed }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={isUsed ? 550 : 400}>
                  {name}
                </Table.Th>
                <Table.Td ta="right" className="figure">
                  {words.figure(mae)}
                </Table.Td>
                <Table.Td ta="right" className="figure">
                  {mase === null ? MISSING_VALUE : format.fixed(mase, 2)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <dl className={classes.facts}>
        <MeasureFact term="Bands">
          {coverageLines(used, words).map(({ level, line }) => (
            <span key={level} className={classes.line}>
              {line}
            </span>
          ))}
        </MeasureFact>
        <MeasureFact term="Leaning">{describeBias(used, words)}</MeasureFact>
        <MeasureFact term="In per cent">
          {used.mape === null
            ? 'Not told: some values are zero, and a share of zero says nothing'
            : `${words.percent(used.mape)} of the value on average`}
        </MeasureFact>
      </dl>
      {used.checks < FEW_CHECKS && (
        <Alert variant="light" color="yellow" p="xs">
          {words.count(used.checks)} checks are few: take these figures as a hint.
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
