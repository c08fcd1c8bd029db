import { Group, Loader, Stack, Text } from '@mantine/core'
import { summaryOf } from '../../../src/shared/forecast-words'
import type { ForecastResult } from '../../../src/shared/forecast-result'
import { troubleWords } from '../../../src/shared/forecast-trouble-words'
import type { ForecastSettingsInput } from '../../../src/shared/forecasts'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { SectionCard } from '../../ui/section-card'
import { ChartSkeleton } from '../../ui/skeletons'
import { ForecastChart } from './forecast-chart'
import classes from './forecast-form.module.css'
import { GradeBadge } from './grade-badge'
import { useForecastWords } from './use-forecast-words'
import { useLine } from './use-line'
import type { Preview } from './use-preview'

interface PreviewPaneProps {
  preview: Preview
  settings: ForecastSettingsInput | null
  /** What is forecast, as it is called. */
  name: string
}

/** What would come of the settings; an older picture stands, paler, until the next one is there. */
export function PreviewPane({ preview, settings, name }: PreviewPaneProps) {
  const { computed, busy, error } = preview
  const grain = settings?.grain ?? 'month'
  return (
    <section aria-label="Preview" aria-busy={busy && settings !== null} className={classes.preview}>
      <SectionCard title="Preview">
        {settings === null && (
          <EmptyState
            picture="insights"
            title="Choose what to forecast"
            sentence="A metric or an insight over time. What would come of it shows here as you choose."
          />
        )}
        {settings !== null && error !== null && error !== undefined && !busy && <ErrorState error={error} />}
        {settings !== null && computed === null && (busy || !error) && <ChartSkeleton />}
        {settings !== null && computed !== null && (!error || busy) && (
          <div className={busy ? classes.older : undefined}>
            {computed.ok ? (
              <Picture result={computed.result} settings={settings} name={name} />
            ) : (
              <Trouble {...troubleWords(computed.trouble, grain)} />
            )}
          </div>
        )}
        {busy && settings !== null && computed !== null && (
          <Group gap="xs" mt="xs" role="status">
            <Loader size="xs" aria-hidden />
            <Text size="sm" c="dimmed">
              Computing anew
            </Text>
          </Group>
        )}
      </SectionCard>
    </section>
  )
}

function Picture({
  result,
  settings,
  name,
}: {
  result: ForecastResult
  settings: ForecastSettingsInput
  name: string
}) {
  const words = useForecastWords(result)
  const line = useLine(null)
  const level = settings.level ?? 80
  const sentences = summaryOf({ name, result, level }, words).filter(({ kind }) => TOLD.has(kind))
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
      <Group gap="sm" align="flex-start" wrap="nowrap">
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
}
const TOLD: ReadonlySet<string> = new Set(['expected', 'sure', 'season', 'backtest', 'balance', 'leftOut'])

const Trouble = ({ title, advice }: { title: string; advice: string }) => (
  <EmptyState picture="trouble" title={title} sentence={advice} />
)
