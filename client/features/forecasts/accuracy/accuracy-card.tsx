import { QueryStatus } from '../../../ui/query-view'
import { Accordion, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import { benchmarkName } from '../../../../src/shared/forecasts/model-card-text'
import { TERMS } from '../../../../src/shared/terms'
import {
  toSnapshot,
  type AccuracyLog,
  type RunAccuracy,
  type AccuracyTotals,
} from '../../../../src/shared/forecasts/accuracy'
import type { ForecastLevel, ForecastResult } from '../../../../src/shared/forecasts/result'
import { useFormat } from '../../../lib/format'
import { MISSING_VALUE } from '../../../../src/shared/figures/figures'
import { figureColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
import { SectionCard } from '../../../ui/section-card'
import { forecastAccuracyQuery } from '../queries'
import { useForecastFormatter } from '../forecast-format'
import type { ForecastScreenFormatter } from '../../../../src/shared/forecasts/forecast-formatter'
import { describeBias } from './model-card'

interface AccuracyCardProps {
  id: string
  result: ForecastResult
  level: ForecastLevel
}

/** Every past forecast against its actuals. */
export function AccuracyCard({ id, result, level }: AccuracyCardProps) {
  const log = useQuery(forecastAccuracyQuery(id))
  const words = useForecastFormatter(result)
  const benchmark = benchmarkName(toSnapshot(result).season)
  return (
    <SectionCard title={TERMS.forecastVsActual} description="Runs are compared with actuals.">
      <QueryStatus query={log} skeleton={<Skeleton h={120} />} />
      {log.data && <AccuracyDetails {...{ words, level, result, benchmark }} log={log.data} />}
    </SectionCard>
  )
}

interface AccuracyTextOptions {
  words: ForecastScreenFormatter
  /** What repeating the last season is called here. */
  benchmark: string
  level: ForecastLevel
}

/** How all forecasts so far did, in sentences; pure. */
function describeAccuracy(
  { overall, unrestated }: AccuracyLog,
  { words, benchmark, level }: AccuracyTextOptions,
): string[] {
  if (overall.checks === 0 || overall.mae === null) return []
  const { naive, bias } = overall
  const figures = words.inOneSentence([overall.mae, ...(naive.mae === null ? [] : [naive.mae])])
  const beside = naive.mae === null ? '' : ` ${benchmark}: ${figures.rounded(naive.mae)}.`
  return [
    `${words.count(overall.checks)} ${overall.checks === 1 ? 'actual' : 'actuals'} compared: average error ${figures.rounded(overall.mae)}; ${words.count(overall.held[level])} of ${words.count(overall.checks)} in the ${words.percent(level / 100)} interval.${beside}`,
    ...(bias === null ? [] : [`Bias: ${describeBias({ bias, mae: overall.mae }, words)}.`]),
    ...(unrestated && unrestated.mae !== null
      ? [
          `Without actuals that changed later: ${words.count(unrestated.checks)} compared, average error ${words.rounded(unrestated.mae)}.`,
        ]
      : []),
  ]
}

function AccuracyDetails({
  log,
  words,
  benchmark,
  level,
  result,
}: AccuracyTextOptions & { log: AccuracyLog; result: ForecastResult }) {
  const unit = ALERT_GRAIN_LABELS[result.grain]
  if (log.runs.length === 0)
    return (
      <Text size="sm">
        No actuals for forecast {unit}s yet.
        {log.waiting > 0 && ` ${words.count(log.waiting)} ${log.waiting === 1 ? 'run' : 'runs'} waiting.`}
      </Text>
    )
  return (
    <>
      {describeAccuracy(log, { words, benchmark, level }).map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      <AccuracyByStep {...{ log, words, benchmark, level, unit }} />
      <Accordion variant="separated">
        {log.runs.map((run) => (
          <RunChecks key={run.runId} {...{ run, words, level }} />
        ))}
      </Accordion>
      {log.waiting > 0 && (
        <Text size="xs" c="dimmed">
          {words.count(log.waiting)} more {log.waiting === 1 ? 'run' : 'runs'} waiting for actuals
        </Text>
      )}
    </>
  )
}

const figureOrDash = (value: number | null, words: ForecastScreenFormatter): string =>
  value === null ? MISSING_VALUE : words.figure(value)
const coverageText = (
  { held: kept, checks }: AccuracyTotals,
  { level, words }: Omit<AccuracyTextOptions, 'benchmark'>,
): string => `${words.count(kept[level])} of ${words.count(checks)}`

function AccuracyByStep({
  log,
  words,
  benchmark,
  level,
  unit,
}: AccuracyTextOptions & { log: AccuracyLog; unit: string }) {
  type Tally = (typeof log.steps)[number]
  return (
    <ItemTable<Tally>
      caption="Accuracy by forecast length"
      items={log.steps}
      itemKey={({ step }) => String(step)}
      columns={[
        {
          ...{ label: TERMS.forecastLength, value: ({ step }) => step },
          text: ({ step }) => `${words.count(step)} ${step === 1 ? unit : `${unit}s`}`,
        },
        figureColumn(TERMS.error, ({ mae }) => mae, words.figure),
        figureColumn(benchmark, ({ naive }) => naive.mae, words.figure),
        {
          ...{ label: `In ${words.percent(level / 100)} interval`, kind: 'number' },
          value: ({ held, checks }) => (checks === 0 ? null : held[level] / checks),
          text: (tally) => coverageText(tally, { words, level }),
        },
      ]}
    />
  )
}

function RunChecks({ run, words, level }: Omit<AccuracyTextOptions, 'benchmark'> & { run: RunAccuracy }) {
  const format = useFormat()
  return (
    <Accordion.Item value={run.runId}>
      <Accordion.Control>
        <Text size="sm" fw={550}>
          Run {run.number}, {format.day(run.startedAt)}
        </Text>
        <Text size="xs" c="dimmed">
          Average error {figureOrDash(run.mae, words)}; {coverageText(run, { words, level })} in interval
          {!run.counts && '; not counted (newer run of the same data)'}
          {run.restatedPast > 0 && '; its history changed later'}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <RunPeriods {...{ run, words, level }} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}

function RunPeriods({ run, words, level }: Omit<AccuracyTextOptions, 'benchmark'> & { run: RunAccuracy }) {
  type Check = (typeof run.steps)[number]
  return (
    <ItemTable<Check>
      caption={`Periods of run ${run.number}`}
      items={run.steps}
      itemKey={({ period }) => period}
      columns={[
        {
          ...{ label: 'Period', kind: 'date', value: ({ period }) => period },
          text: ({ period }) => words.label(period),
        },
        figureColumn('Forecast', ({ said }) => said, words.figure),
        {
          ...figureColumn('Actual', ({ came }: Check) => came, words.figure),
          draw: ({ came, cameFirst }) => (
            <>
              {words.figure(came)}
              {cameFirst !== null && (
                <Text size="xs" c="dimmed">
                  first {words.figure(cameFirst)}
                </Text>
              )}
            </>
          ),
        },
        figureColumn(
          'Difference',
          ({ error }) => error,
          (error) => `${error > 0 ? '+' : ''}${words.figure(error)}`,
        ),
        {
          ...{ label: `${words.percent(level / 100)} interval` },
          value: ({ inside }) => (inside[level] ? 'Inside' : 'Outside'),
        },
      ]}
    />
  )
}
