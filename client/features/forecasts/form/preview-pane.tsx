import { MutedText } from '../../../ui/muted-text'
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { summariseForecast } from '../../../../src/shared/forecasts/summary'
import type { ForecastGrain, ForecastLevel, ForecastResult } from '../../../../src/shared/forecasts/result'
import { describeRunFailure } from '../../../../src/shared/forecasts/run-failure-text'
import { describeError } from '../../../lib/describe-error'
import { SectionCard } from '../../../ui/section-card'
import { ChartSkeleton } from '../../../ui/skeletons'
import { ForecastChart } from '../view/forecast-chart'
import classes from './forecast-form.module.css'
import { GradeBadge } from '../forecast-badges'
import { useForecastFormatter, useReferenceLine } from '../forecast-format'
import type { ForecastPreview } from './use-preview'

interface PreviewPaneProps {
  preview: ForecastPreview
  /** There is something to forecast. */
  isAsked: boolean
  /** Why the newest settings cannot be computed; the picture is of those before. */
  fault: string | null
  grain: ForecastGrain
  /** The band that is drawn. */
  level: ForecastLevel
  /** What is forecast, as it is called. */
  name: string
}

/** What would come of the settings; an older picture stands, paler, until the next one is there. */
export function PreviewPane({ preview, isAsked, fault, grain, level, name }: PreviewPaneProps) {
  const { computed, busy, error, retry } = preview
  const isWaiting = isAsked && busy
  const isRefused = isAsked && !busy && error !== null
  return (
    <div aria-busy={isWaiting} className={classes.preview}>
      <SectionCard title="Preview">
        {!isAsked && <PreviewMessage title="No preview yet">Choose a metric or insight.</PreviewMessage>}
        {fault !== null && (
          <Text size="sm" c="red" role="alert" mb="xs">
            {fault}
          </Text>
        )}
        {isRefused && <PreviewErrorMessage error={error} onRetry={retry} />}
        {isWaiting && computed === null && <ChartSkeleton />}
        {isAsked && !isRefused && computed !== null && (
          <div className={busy ? classes.older : undefined}>
            {computed.ok ? (
              <PreviewChart result={computed.result} level={level} name={name} />
            ) : (
              <PreviewFailure {...describeRunFailure(computed.trouble, grain)} />
            )}
          </div>
        )}
        <Group gap="xs" mt="xs" role="status" mih={22}>
          {isWaiting && computed !== null && (
            <>
              <Loader size="xs" aria-hidden />
              <MutedText>Updating</MutedText>
            </>
          )}
        </Group>
      </SectionCard>
    </div>
  )
}

interface PreviewChartProps {
  result: ForecastResult
  level: ForecastLevel
  name: string
}
/** Drawn again when the forecast is another, not with every key that is typed beside it. */
const PreviewChart = memo(function Picture({ result, level, name }: PreviewChartProps) {
  const words = useForecastFormatter(result)
  const line = useReferenceLine(null)
  const sentences = summariseForecast({ name, result, level }, words).filter(({ kind }) => linesShown(result).has(kind))
  return (
    <Stack gap="md">
      <ForecastChart
        result={result}
        level={level}
        line={line}
        asBalance={result.balance !== null}
        height={320}
        label={`Preview of the forecast of ${name}`}
      />
      <Group gap="sm" align="flex-start">
        <GradeBadge grade={result.total.backtest?.grade ?? null} />
        <ul className={classes.sentences}>
          {sentences.map(({ text }) => (
            <Text component="li" size="sm" key={text}>
              {text}
            </Text>
          ))}
        </ul>
      </Group>
    </Stack>
  )
})
/** Two lines: what is expected, and how sure it is or what it adds up to; the rest is told by the forecast's own page. */
const linesShown = ({ balance }: ForecastResult): ReadonlySet<string> =>
  new Set(['expected', balance === null ? 'sure' : 'balance'])

const PreviewFailure = ({ title, advice }: { title: string; advice: string }) => (
  <PreviewMessage title={title}>{advice}</PreviewMessage>
)

function PreviewErrorMessage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { title, advice } = describeError(error)
  return (
    <div role="alert">
      <PreviewMessage title={title}>{advice}</PreviewMessage>
      <Group justify="center">
        <Button variant="default" size="compact-md" onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </div>
  )
}

/** Words in place of the picture, as tall as it. */
const PreviewMessage = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack className={classes.said} gap="xs" align="center" justify="center">
    <Text fw={600} ta="center">
      {title}
    </Text>
    <Text size="sm" c="dimmed" ta="center" maw="44ch">
      {children}
    </Text>
  </Stack>
)
