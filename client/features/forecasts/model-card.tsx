import { Alert, Group, SimpleGrid, Stack, Table, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { describeExclusions } from '../../../src/shared/forecast-card-words'
import type { BacktestSummary, ForecastResult, SeriesForecast } from '../../../src/shared/forecast-result'
import type { ForecastEvent } from '../../../src/shared/forecasts'
import { MISSING_VALUE, useFormat } from '../../lib/format'
import { SectionCard } from '../../ui/section-card'
import classes from './forecast-page.module.css'
import { GRADE_MEANING, GradeBadge } from './grade-badge'
import { describeBias, coverageLines, errorRows, modelFacts } from './model-words'
import { useForecastFormatter } from './use-forecast-words'

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
const FEW_CHECKS = 20

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
