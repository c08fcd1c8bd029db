import { QueryStatus } from '../../../ui/query-view'
import { Accordion, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import type { ForecastFormatter } from '../../../../src/shared/forecasts/model-card-text'
import type { AccuracyLog, RunAccuracy, AccuracyTotals } from '../../../../src/shared/forecasts/accuracy'
import type { ForecastLevel, ForecastResult } from '../../../../src/shared/forecasts/result'
import { MISSING_VALUE, useFormat } from '../../../lib/format'
import { SectionCard } from '../../../ui/section-card'
import { forecastAccuracyQuery } from '../queries'
import { useForecastFormatter } from '../forecast-format'

interface AccuracyCardProps {
  id: string
  result: ForecastResult
  level: ForecastLevel
}

/** Every forecast that was made against what came. */
export function AccuracyCard({ id, result, level }: AccuracyCardProps) {
  const log = useQuery(forecastAccuracyQuery(id))
  const words = useForecastFormatter(result)
  return (
    <SectionCard
      title="Past forecasts against what came"
      description="Every run is held against the figures as they are known now, once a period is over."
    >
      <QueryStatus query={log} skeleton={<Skeleton h={120} />} />
      {log.data && <AccuracyDetails {...{ words, level, result }} log={log.data} />}
    </SectionCard>
  )
}

interface AccuracyTextOptions {
  words: ForecastFormatter
  level: ForecastLevel
}

/** How all forecasts so far did, in sentences; pure. */
function describeAccuracy({ overall, unrestated }: AccuracyLog, { words, level }: AccuracyTextOptions): string[] {
  if (overall.checks === 0 || overall.mae === null) return []
  const { naive, bias } = overall
  const share = words.percent(overall.held[level] / overall.checks)
  const beside = naive.mae === null ? '' : ` Repeating the last season would have missed by ${words.figure(naive.mae)}.`
  return [
    `So far ${words.count(overall.checks)} ${overall.checks === 1 ? 'forecast figure has' : 'forecast figures have'} been checked: they missed by ${words.figure(overall.mae)} on average.${beside}`,
    `The ${level}\u00a0% band held ${words.count(overall.held[level])} of ${words.count(overall.checks)} (${share}).`,
    ...(bias === null || Math.abs(bias) <= overall.mae * 0.01
      ? []
      : [`They were ${words.figure(Math.abs(bias))} too ${bias > 0 ? 'high' : 'low'} on average.`]),
    ...(unrestated && unrestated.mae !== null
      ? [
          `Some figures were changed after they had come. Without those: ${words.count(unrestated.checks)} checked, missed by ${words.figure(unrestated.mae)}.`,
        ]
      : []),
  ]
}

function AccuracyDetails({
  log,
  words,
  level,
  result,
}: AccuracyTextOptions & { log: AccuracyLog; result: ForecastResult }) {
  const unit = ALERT_GRAIN_LABELS[result.grain]
  if (log.runs.length === 0)
    return (
      <Text size="sm">
        Nothing to check yet: this fills up as {unit}s that were forecast are over and their figures are loaded.
        {log.waiting > 0 && ` ${words.count(log.waiting)} ${log.waiting === 1 ? 'run waits' : 'runs wait'} for that.`}
      </Text>
    )
  return (
    <>
      {describeAccuracy(log, { words, level }).map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      <AccuracyByStep {...{ log, words, level, unit }} />
      <Accordion variant="separated">
        {log.runs.map((run) => (
          <RunChecks key={run.runId} {...{ run, words, level }} />
        ))}
      </Accordion>
      {log.waiting > 0 && (
        <Text size="xs" c="dimmed">
          {words.count(log.waiting)} more {log.waiting === 1 ? 'run waits' : 'runs wait'} for its first {unit} to be
          over.
        </Text>
      )}
    </>
  )
}

const figureOrDash = (value: number | null, words: ForecastFormatter): string =>
  value === null ? MISSING_VALUE : words.figure(value)
const coverageText = ({ held: kept, checks }: AccuracyTotals, { level, words }: AccuracyTextOptions): string =>
  `${words.count(kept[level])} of ${words.count(checks)}`

/** Reached by the keyboard where it is wider than the page. */
const focusableScrollArea = (label: string) => ({ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } })

function AccuracyByStep({ log, words, level, unit }: AccuracyTextOptions & { log: AccuracyLog; unit: string }) {
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={focusableScrollArea('How far ahead')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>How far ahead</Table.Th>
            <Table.Th ta="right">Missed by</Table.Th>
            <Table.Th ta="right">Last season repeated</Table.Th>
            <Table.Th ta="right">{level}&nbsp;% band held</Table.Th>
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

function RunChecks({ run, words, level }: AccuracyTextOptions & { run: RunAccuracy }) {
  const format = useFormat()
  return (
    <Accordion.Item value={run.runId}>
      <Accordion.Control>
        <Text size="sm" fw={550}>
          Run {run.number}, {format.day(run.startedAt)}
        </Text>
        <Text size="xs" c="dimmed">
          Missed by {figureOrDash(run.mae, words)}; band held {coverageText(run, { words, level })}
          {!run.counts && '; a newer run knew as much, so this one is not counted twice'}
          {run.restatedPast > 0 && '; figures that it was made from have been changed since'}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Table.ScrollContainer minWidth={420} scrollAreaProps={focusableScrollArea(`Periods of run ${run.number}`)}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Period</Table.Th>
                <Table.Th ta="right">Said</Table.Th>
                <Table.Th ta="right">Came</Table.Th>
                <Table.Th ta="right">Too high (+) or low (−)</Table.Th>
                <Table.Th>{level}&nbsp;% band</Table.Th>
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
                  <Table.Td>{check.inside[level] ? 'Held' : 'Left it'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
