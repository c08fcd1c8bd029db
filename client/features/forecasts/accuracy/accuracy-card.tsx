import { QueryStatus } from '../../../ui/query-view'
import { Accordion, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import { benchmarkName, type ForecastFormatter } from '../../../../src/shared/forecasts/model-card-text'
import { TERMS } from '../../../../src/shared/terms'
import {
  toSnapshot,
  type AccuracyLog,
  type RunAccuracy,
  type AccuracyTotals,
} from '../../../../src/shared/forecasts/accuracy'
import type { ForecastLevel, ForecastResult } from '../../../../src/shared/forecasts/result'
import { MISSING_VALUE, useFormat } from '../../../lib/format'
import { SectionCard } from '../../../ui/section-card'
import { forecastAccuracyQuery } from '../queries'
import { useForecastFormatter } from '../forecast-format'
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
  words: ForecastFormatter
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
  const beside = naive.mae === null ? '' : ` ${benchmark}: ${words.rounded(naive.mae)}.`
  return [
    `${words.count(overall.checks)} ${overall.checks === 1 ? 'actual' : 'actuals'} compared: average error ${words.rounded(overall.mae)}; ${words.count(overall.held[level])} of ${words.count(overall.checks)} in the ${words.percent(level / 100)} interval.${beside}`,
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

const figureOrDash = (value: number | null, words: ForecastFormatter): string =>
  value === null ? MISSING_VALUE : words.figure(value)
const coverageText = (
  { held: kept, checks }: AccuracyTotals,
  { level, words }: Omit<AccuracyTextOptions, 'benchmark'>,
): string => `${words.count(kept[level])} of ${words.count(checks)}`

/** Reached by the keyboard where it is wider than the page. */
const focusableScrollArea = (label: string) => ({ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } })

function AccuracyByStep({
  log,
  words,
  benchmark,
  level,
  unit,
}: AccuracyTextOptions & { log: AccuracyLog; unit: string }) {
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={focusableScrollArea(TERMS.forecastLength)}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{TERMS.forecastLength}</Table.Th>
            <Table.Th ta="right">{TERMS.error}</Table.Th>
            <Table.Th ta="right">{benchmark}</Table.Th>
            <Table.Th ta="right">In {words.percent(level / 100)} interval</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {log.steps.map((tally) => (
            <Table.Tr key={tally.step}>
              <Table.Th scope="row" fw={400}>
                {words.count(tally.step)} {tally.step === 1 ? unit : `${unit}s`}
              </Table.Th>
              <Table.Td ta="right" className="figure">
                {figureOrDash(tally.mae, words)}
              </Table.Td>
              <Table.Td ta="right" className="figure">
                {figureOrDash(tally.naive.mae, words)}
              </Table.Td>
              <Table.Td ta="right" className="figure">
                {coverageText(tally, { words, level })}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
        <Table.ScrollContainer minWidth={420} scrollAreaProps={focusableScrollArea(`Periods of run ${run.number}`)}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Period</Table.Th>
                <Table.Th ta="right">Forecast</Table.Th>
                <Table.Th ta="right">Actual</Table.Th>
                <Table.Th ta="right">Difference</Table.Th>
                <Table.Th>{words.percent(level / 100)} interval</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {run.steps.map((check) => (
                <Table.Tr key={check.period}>
                  <Table.Th scope="row" fw={400}>
                    {words.period(check.period)}
                  </Table.Th>
                  <Table.Td ta="right" className="figure">
                    {words.figure(check.said)}
                  </Table.Td>
                  <Table.Td ta="right" className="figure">
                    {words.figure(check.came)}
                    {check.cameFirst !== null && (
                      <Text size="xs" c="dimmed">
                        first {words.figure(check.cameFirst)}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td ta="right" className="figure">
                    {check.error > 0 ? '+' : ''}
                    {words.figure(check.error)}
                  </Table.Td>
                  <Table.Td>{check.inside[level] ? 'Inside' : 'Outside'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
